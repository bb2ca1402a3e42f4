package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmiMonitorTest {
    private static final GpuSample READING = new GpuSample(0, 512L << 20, 87, 61.25, Double.NaN, 1980, 64, 4, 41, 6251);
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    @TempDir
    private Path folder;

    private final Clock clock = new SystemClock();

    private static Map<String, String> card(SmiCommand smi, int place) throws GpuException {
        return smi.ask(SmiFields.QUERY_GPU, SmiFields.OF_A_CARD, null).get(place);
    }

    /// Answers the one-shot questions and then runs a script of its own when it is to loop.
    private SmiCommand looping(String script) throws Exception {
        return FakeSmi.script(folder, 10_000, """
                case "$*" in
                *-lms*) %s ;;
                *utilization*) echo '%s' ;;
                *) printf '%%s' '%s' ;;
                esac
                """.formatted(script, FakeSmi.SAMPLE.replace("0x0000000000000004", "0x4, 0x4"), FakeSmi.CARDS));
    }

    private void await(BooleanSupplier condition) {
        long until = clock.nanos() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(clock.nanos()).as("waited for too long").isLessThan(until);
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    @Test
    void everyReadingHasItsUnitAndUnknownFieldsAreLeftOut() throws Exception {
        SmiCommand smi = FakeSmi.usual(folder);
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock)) {
            assertThat(monitor.read()).isEqualTo(READING);
            assertThat(monitor.description()).isEqualTo(
                    new GpuDescription(0, "NVIDIA L4", 23034L << 20, "8.9", 72.0, new GpuSettings("00000000:00:03.0",
                            new PcieLink(1, 16), new PcieLink(4, 16), true, false, true, false, 72.0, 2040.0, 6251.0)));
            assertThat(monitor.processes())
                    .contains(List.of(new GpuProcess(4711, 300L << 20), new GpuProcess(4712, null)));
        }
    }

    @Test
    void whatACardDoesNotTellIsAbsent() throws Exception {
        SmiCommand smi = FakeSmi.usual(folder);
        assertThat(SmiFields.description(card(smi, 1))).isEqualTo(new GpuDescription(1, "NVIDIA A100-SXM4-40GB",
                40960L << 20, "8.0", null, new GpuSettings("00000000:00:04.0", new PcieLink(4, 16), new PcieLink(4, 16),
                        true, true, false, null, null, 1410.0, 1215.0)));
        Map<String, String> nothing = SmiCommand
                .row("[N/A], [Not Supported], , 12 MiB, -3, 1e9, 0xzz, 101", SmiFields.OF_A_SAMPLE.subList(0, 8))
                .orElseThrow();
        assertThat(SmiFields.sample(3, nothing)).isEqualTo(GpuSample.unread(3));
    }

    @Test
    void closingEndsTheTool() throws Exception {
        SmiCommand smi = FakeSmi.usual(folder);
        SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock);
        monitor.close();
        await(() -> !monitor.running());
    }

    @Test
    void silentToolTellsNothingAfterTwoSeconds() throws Exception {
        SmiCommand smi = looping("exec sleep 60");
        FakeTime time = new FakeTime();
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), time)) {
            assertThat(monitor.read()).isEqualTo(READING);
            time.nanos = 2_000_000_001L;
            assertThat(monitor.read()).isEqualTo(GpuSample.unread(0));
        }
    }

    @Test
    void sampleOfACardThatFallsSilentIsMissingRatherThanMadeUpFromTheBooks() throws Exception {
        SmiCommand smi = looping("exec sleep 60");
        FakeTime time = new FakeTime();
        try (HostProcess process = HostProcess.open(); SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), time)) {
            TelemetrySource source = TelemetrySource.ofGpu(process, owner -> 7, monitor);
            assertThat(source.read(1).totalBytes()).isEqualTo(512L << 20);
            time.nanos = 2_000_000_001L;
            assertThatThrownBy(() -> source.read(2)).isInstanceOf(IllegalStateException.class);
            time.nanos = 0;
            assertThat(source.read(3).totalBytes()).isEqualTo(512L << 20);
        }
    }

    @Test
    void processesAreKeptForAWhileUnlessAskedForAnew() throws Exception {
        Path asked = folder.resolve("asked");
        SmiCommand smi = FakeSmi.script(folder, 10_000, """
                case "$*" in
                *--query-compute-apps*) echo >> '%s'; echo "$(wc -l < '%s'), 300" ;;
                *-lms*) exec sleep 60 ;;
                *utilization*) echo '%s' ;;
                *) printf '%%s' '%s' ;;
                esac
                """.formatted(asked, asked, FakeSmi.SAMPLE.replace("0x0000000000000004", "0x4, 0x4"), FakeSmi.CARDS));
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), new FakeTime())) {
            assertThat(monitor.processes()).contains(List.of(new GpuProcess(1, 300L << 20)));
            assertThat(monitor.processes()).contains(List.of(new GpuProcess(1, 300L << 20)));
            assertThat(monitor.processesAnew()).contains(List.of(new GpuProcess(2, 300L << 20)));
            assertThat(monitor.processes()).contains(List.of(new GpuProcess(2, 300L << 20)));
        }
    }

    @Test
    void toolThatEndsTellsNothing() throws Exception {
        SmiCommand smi = looping("echo Unable to determine the device handle; exit 15");
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock)) {
            await(() -> monitor.read().equals(GpuSample.unread(0)));
        }
    }

    @Test
    void linesThatMakeNoSenseAreLeftOut() throws Exception {
        String line = FakeSmi.SAMPLE.replace("512, ", "640, ").replace("0x0000000000000004", "0x4, 0x4");
        SmiCommand smi = looping(
                "echo 1, 2; echo; head -c 9000 /dev/zero | tr '\\\\0' ','; echo; echo '" + line + "'; exec sleep 60");
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock)) {
            await(() -> monitor.read().usedBytes() == 640L << 20);
        }
    }

    @Test
    void toolThatFloodsItsPipeIsEnded() throws Exception {
        SmiCommand smi = looping("exec yes 5");
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock)) {
            await(() -> !monitor.running());
            await(() -> monitor.read().equals(GpuSample.unread(0)));
        }
    }

    @Test
    void toolThatDoesNotListenIsEndedByForceAndWhatItStartedWithIt() throws Exception {
        Path started = folder.resolve("started");
        SmiCommand smi = looping("trap '' TERM; sleep 600 & echo $! > '" + started + ".new'; mv '" + started + ".new' '"
                + started + "'; while :; do wait; done");
        SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock);
        await(() -> Files.exists(started));
        ProcessHandle child = ProcessHandle.of(Long.parseLong(Files.readString(started).strip())).orElseThrow();
        monitor.close();
        assertThat(monitor.read()).isEqualTo(GpuSample.unread(0));
        await(() -> !monitor.running() && !child.isAlive());
    }

    @Test
    void garbageInTheShapeOfAReadingIsAbsentAndTakesTheOldReadingsPlace() throws Exception {
        SmiCommand smi = looping("echo 'a, ?, -, 1e999, 0xg, , nan, %, +'; exec sleep 60");
        try (SmiMonitor monitor = SmiMonitor.open(smi, card(smi, 0), clock)) {
            await(() -> monitor.read().equals(GpuSample.unread(0)));
            assertThat(monitor.running()).isTrue();
        }
    }

    @Test
    void lineIsAsOldAsItsBeginningHoweverLateItEnds() {
        List<String> heard = new ArrayList<>();
        DatedLines lines = new DatedLines(8, (line, nanos) -> heard.add(line + " at " + nanos));
        for (String piece : List.of("one\nt", "w", "o\n\nnine chars\n", "eight ch\n", "never ended")) {
            byte[] bytes = piece.getBytes(StandardCharsets.US_ASCII);
            lines.take(bytes, bytes.length, heard.size() + 10L * piece.length());
        }
        assertThat(heard).containsExactly("one at 50", "two at 50", " at 141", "eight ch at 93");
    }

    @Test
    void questionThatHangsFailsOrEndlessAnswersIsOneSentence() throws Exception {
        List<String> fields = List.of("index");
        assertThatThrownBy(() -> FakeSmi.script(folder, 200, "exec sleep 60").ask("--query-gpu", fields, null))
                .hasMessage("nvidia-smi did not answer within 0.2 s");
        assertThatThrownBy(() -> FakeSmi.script(folder, 10_000, "echo 'NVIDIA-SMI has failed'; exit 9")
                .ask("--query-gpu", fields, null)).hasMessage("nvidia-smi failed: NVIDIA-SMI has failed");
        assertThatThrownBy(
                () -> FakeSmi.script(folder, 10_000, "echo 'Field \"index\" is not a valid field to query.'; exit 2")
                        .ask("--query-gpu", fields, null))
                .hasMessage("nvidia-smi knows none of the fields that were asked for");
        assertThatThrownBy(
                () -> FakeSmi.script(folder, 10_000, "echo 'Field \"other\" is not a valid field to query.'; exit 2")
                        .ask("--query-gpu", fields, null))
                .hasMessageStartingWith("nvidia-smi failed: Field");
        assertThatThrownBy(() -> FakeSmi.script(folder, 10_000, "exec yes").ask("--query-gpu", fields, null))
                .isInstanceOf(GpuException.class);
        assertThatThrownBy(() -> new SmiCommand(folder, 10_000).ask("--query-gpu", fields, null))
                .hasMessageStartingWith("nvidia-smi cannot be run: ");
    }

    @Test
    void toolIsLookedForAlongThePath() throws Exception {
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.createDirectory(first.resolve("nvidia-smi"));
        Path tool = Files.createFile(second.resolve("nvidia-smi"));
        String path = first + File.pathSeparator + File.pathSeparator + "\0odd" + File.pathSeparator + second;
        assertThat(SmiCommand.find(path, false)).isEmpty();
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(SmiCommand.find(path, false)).contains(tool);
    }

    @Property(tries = 300)
    void noLineBreaksTheReading(@ForAll String line) {
        SmiCommand.row(line, SmiFields.OF_A_SAMPLE).ifPresent(row -> {
            GpuSample sample = SmiFields.sample(0, row);
            assertThat(sample.utilisationPercent()).satisfiesAnyOf(percent -> assertThat(percent).isNaN(),
                    percent -> assertThat(percent).isBetween(0.0, 100.0));
        });
        SmiCommand.row(line, List.of("name")).ifPresent(row -> assertThat(SmiFields.description(row).name())
                .doesNotContain("\u001b", "\n").hasSizeLessThan(401));
    }

    /// A clock that stands still unless told to move on.
    private static final class FakeTime implements Clock {
        private volatile long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    }
}
