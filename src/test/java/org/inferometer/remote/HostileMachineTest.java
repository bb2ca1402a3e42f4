package org.inferometer.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.ExperimentSpec.AskedLimits;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.Phase;
import org.inferometer.record.RunStatus;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.bundle.BundleView;
import org.inferometer.results.bundle.BundleWriter;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.units.FolderTree;
import org.inferometer.units.ShellWord;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.WorkloadPresets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Machines that send without end, nothing, or more than they announce. A shell stands for ssh and the program at its end.
@Timeout(60)
class HostileMachineTest {
    private static final SshHost HOST = SshHost.parse("ssh:gpu1");
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration LITTLE = Duration.ofMillis(300);
    /// The greeting is waited for, all else is not.
    private static final SshConnection.Limits SHORT = new SshConnection.Limits(LONG, LITTLE, LITTLE, LITTLE, LITTLE);
    private static final SshConnection.Limits NO_ANSWER = new SshConnection.Limits(LITTLE, LONG, LONG, LONG, LONG);
    private static final String HELLO = "echo '{\"event\":\"hello\",\"protocol\":2,\"program\":\"x\"}'; read order; ";
    private static final String NAP = "read -t 30 nothing; ";
    private static final String NAME = "2026-11-21_141503_quick";

    @TempDir
    private Path folder;
    private Process machine;

    @BeforeEach
    void results() throws IOException {
        Files.createDirectories(folder.resolve("results"));
    }

    @AfterEach
    void end() {
        if (machine != null) {
            machine.destroyForcibly();
        }
    }

    private SshConnection connected(RemoteOrder order, SshConnection.Limits limits, String script) throws IOException {
        Path file = Files.writeString(folder.resolve("machine"), script);
        machine = new ProcessBuilder("bash", file.toString()).start();
        return SshConnection.over(machine, HOST, order, limits);
    }

    private IOException fetchFails(SshConnection.Limits limits, String script) throws IOException {
        try (SshConnection connection = connected(RemoteOrder.toFetch(NAME), limits, script)) {
            new RemoteResults(folder.resolve("results")).fetched(HOST, connection, NAME);
            throw new AssertionError("it was fetched");
        } catch (IOException e) {
            assertThat(here()).isEmpty();
            return e;
        }
    }

    private List<String> here() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("results"))) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }

    private static String bundle(long bytes) {
        return "echo '{\"event\":\"bundle\",\"bytes\":" + bytes + "}'; ";
    }

    private static String event(Object event) {
        return "printf '%s' " + ShellWord.quoted(new String(RemoteProtocol.line(event), StandardCharsets.UTF_8)) + "; ";
    }

    @Test
    void aRecordOf20GibIsRefusedBeforeItIsReceived() throws IOException {
        assertThat(fetchFails(SshConnection.Limits.STANDARD, HELLO + bundle(20L << 30) + "exec cat /dev/zero"))
                .hasMessage(
                        "ssh:gpu1 announces a record of 20.0 GiB; the limit is 4.00 GiB. Nothing was received. The record is "
                                + "still there, in results/" + NAME + ". Copy that folder with scp -r to "
                                + folder.resolve("results") + ".");
        assertThat(fetchFails(SshConnection.Limits.STANDARD, HELLO + bundle(-1) + NAP))
                .hasMessageContaining("Nothing was received.");
    }

    @Test
    void recordsThatDoNotComeAreNotWaitedFor() throws IOException {
        assertThat(fetchFails(SHORT, HELLO + NAP)).hasMessage("ssh:gpu1 did not send the record.");
        assertThat(fetchFails(SHORT, HELLO + bundle(1 << 20) + "printf PK; " + NAP))
                .hasMessage("ssh:gpu1 sent too little of the record.");
        assertThat(fetchFails(SshConnection.Limits.STANDARD, HELLO + bundle(1 << 20) + "printf PK"))
                .hasMessageStartingWith("The connection to gpu1 ended");
        assertThat(fetchFails(SshConnection.Limits.STANDARD,
                HELLO + "while echo '{\"event\":\"building\",\"engine\":\"a\",\"fraction\":0.5}'; do :; done"))
                .hasMessage("ssh:gpu1 did not send the record, but something else.");
    }

    @Test
    void theLargestRecordComesWithinFiveHours() {
        long parts = BundleReader.MOST_ZIP_BYTES / SshConnection.ADVANCE_BYTES;
        assertThat(SshConnection.Limits.STANDARD.record().multipliedBy(parts)).isLessThan(Duration.ofHours(5));
    }

    private Path bundled(String... names) throws IOException {
        List<ExperimentRecord> records = new ArrayList<>();
        for (String name : names) {
            if (!Files.exists(folder.resolve(name))) {
                FolderTree.copy(Path.of("src/test/records/quick"), Files.createDirectory(folder.resolve(name)));
            }
            records.add(new ResultLibrary(folder).open(folder.resolve(name)));
        }
        Path file = folder.resolve("x.inferometer");
        new BundleWriter("x", Optional.empty()).write(
                new BundleWriter.Contents(records, BundleView.of(List.of(names)), "", new byte[0]), Instant.EPOCH,
                file);
        return file;
    }

    private static String sending(Path file) throws IOException {
        return bundle(Files.size(file)) + "cat " + ShellWord.quoted(file.toString());
    }

    @Test
    void recordsThatWereNotAskedForAreNotKept() throws IOException {
        try (SshConnection connection = connected(RemoteOrder.toFetch("other"), SshConnection.Limits.STANDARD,
                HELLO + sending(bundled(NAME)))) {
            assertThatThrownBy(() -> new RemoteResults(folder.resolve("results")).fetched(HOST, connection, "other"))
                    .hasMessage("ssh:gpu1 sent the record of " + NAME + " instead of other. It was not kept.");
        }
        assertThat(here()).isEmpty();
        assertThat(fetchFails(SshConnection.Limits.STANDARD, HELLO + sending(bundled(NAME, "second"))))
                .hasMessage("ssh:gpu1 sent 2 results instead of one. None was kept.");
    }

    @Test
    void linesThatNestTooDeeplyAreRefusedInPlainWords() throws IOException {
        IOException refused = fetchFails(SshConnection.Limits.STANDARD, HELLO + "printf '[%.0s' $(seq 2000); echo");
        assertThat(refused.getMessage()).startsWith("The other machine sent no message: Document nesting depth")
                .doesNotContain("`", "Constraints");
    }

    @Test
    void bytesAfterTheRecordAreNotRead() throws IOException {
        Path file = bundled(NAME);
        try (SshConnection connection = connected(RemoteOrder.toFetch(NAME), SshConnection.Limits.STANDARD, HELLO
                + bundle(Files.size(file)) + "cat " + ShellWord.quoted(file.toString()) + "; exec cat /dev/zero")) {
            assertThat(new RemoteResults(folder.resolve("results")).fetched(HOST, connection, NAME))
                    .isEqualTo(folder.resolve("results").resolve(NAME));
        }
        assertThat(here()).containsExactly(NAME);
    }

    @Test
    void greetingsAndLinesWithoutEndAreEnded() {
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), NO_ANSWER, NAP))
                .hasMessage("ssh:gpu1 did not answer within 0 s.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), SshConnection.Limits.STANDARD, "exec yes"))
                .hasMessageContaining("the program there does not answer as Inferometer does.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), SshConnection.Limits.STANDARD, "exec cat /dev/zero"))
                .hasMessage("A line of the other machine is longer than 1 MiB.");
        assertThatThrownBy(() -> connected(RemoteOrder.toLook(), NO_ANSWER, "exec yes x >&2"))
                .hasMessage("ssh:gpu1 did not answer within 0 s.");
    }

    private static ExperimentSpec asked() {
        return new ExperimentSpec("far", List.of("tiny"), List.of(Selection.of("naive")),
                List.of(new WorkloadPresets().find("short")), Selection.of("host"), 1, 0, 42, 100, 0,
                AskedLimits.DEFAULTS);
    }

    private RemoteExperiment experiment(SshConnection.Limits limits, String script) throws Exception {
        SshConnection connection = connected(RemoteOrder.toRun(asked()), limits, script);
        RemoteExperiment experiment = new RemoteExperiment(HOST, connection, asked(), folder.resolve("results"),
                new ExperimentListener() {}, new SystemClock());
        experiment.awaitStart();
        return experiment;
    }

    @Test
    void buildsThatDoNotAdvanceAreEnded() {
        String endless = "while echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.5}'; do :; done";
        assertThatThrownBy(() -> experiment(SHORT, HELLO + endless))
                .hasMessage("ssh:gpu1 did not advance the build of tiny by 1 % in 0 s.");
        String turns = "while echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.9}'; "
                + "do echo '{\"event\":\"building\",\"engine\":\"tiny\",\"fraction\":0.1}'; done";
        assertThatThrownBy(() -> experiment(SHORT, HELLO + turns))
                .hasMessage("ssh:gpu1 did not advance the build of tiny by 1 % in 0 s.");
        assertThatThrownBy(() -> experiment(SshConnection.Limits.STANDARD, HELLO + endless.replace("tiny", "other")))
                .hasMessage("ssh:gpu1 builds other, which the experiment does not use.");
    }

    @Test
    void buildsThatAdvanceGoOn() throws Exception {
        RemoteProgress progress = new RemoteProgress(HOST, asked());
        for (int percent = 0; percent <= 100; percent += 2) {
            assertThat(progress.advances(new RemoteEvent.Building("tiny", percent / 100.0))).isTrue();
        }
        assertThat(progress.advances(new RemoteEvent.Building("tiny", 1))).isFalse();
        refused(progress, new RemoteEvent.Building("tiny", Double.NaN),
                "sent an impossible progress of the build of tiny.");
    }

    private static RemoteEvent.Frame live(int requests, long tokens) {
        return new RemoteEvent.Frame(new WorkerFrame.Live(0, Phase.MEASURE, requests, 0, 0, tokens, 0, 0, 0,
                new long[0], 0, 0, new long[0], new long[0]));
    }

    private static void refused(RemoteProgress progress, RemoteEvent event, String sentence) {
        assertThatThrownBy(() -> progress.advances(event)).hasMessage("ssh:gpu1 " + sentence);
    }

    @Test
    void eventsThatComeOnceAreRefusedTheSecondTime() throws Exception {
        ExperimentManifest manifest = ResultLibrary.manifest(Path.of("src/test/records/quick"));
        RemoteEvent.Frame finished = new RemoteEvent.Frame(new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
        RemoteProgress progress = new RemoteProgress(HOST, asked());
        refused(progress, new RemoteEvent.Ended(manifest), "sent the end of an experiment that it did not begin.");
        refused(progress, new RemoteEvent.Bundle(1), "sent the end of an experiment that it did not begin.");
        assertThat(progress.advances(new RemoteEvent.Started(manifest))).isTrue();
        refused(progress, new RemoteEvent.Started(manifest), "began the experiment twice.");
        refused(progress, finished, "ended a run that it did not begin.");
        assertThat(progress.advances(new RemoteEvent.RunStarted(manifest.plan().getFirst()))).isTrue();
        assertThat(progress.advances(finished)).isTrue();
        refused(progress, finished, "ended a run twice.");
        assertThat(progress.advances(new RemoteEvent.Ended(manifest))).isTrue();
        refused(progress, new RemoteEvent.Ended(manifest), "ended the experiment twice.");
    }

    @Test
    void moreTokensThanTheExperimentHasAreRefused() throws Exception {
        RemoteProgress progress = new RemoteProgress(HOST, asked());
        String more = "counts more requests or tokens than the experiment has.";
        refused(progress, live(1 << 30, 1), more);
        refused(progress, live(-1, 1), more);
        refused(progress, live(1, 1L << 40), more);
        assertThat(progress.advances(live(1, 10_000))).isTrue();
        // Less than a thousandth more is no progress.
        assertThat(progress.advances(live(1, 10_005))).isFalse();
        assertThat(progress.advances(live(1, 10_020))).isTrue();
    }

    @Test
    void anotherExperimentDoesNotEndTheOneAsked() throws Exception {
        ExperimentManifest manifest = ResultLibrary.manifest(Path.of("src/test/records/quick"));
        String started = HELLO + event(new RemoteEvent.Started(manifest));
        String other = event(new RemoteEvent.Ended(manifest)).replace(manifest.id(), "other");
        assertThat(experiment(SshConnection.Limits.STANDARD, started + other + NAP).await().failure())
                .startsWith("ssh:gpu1 ended another experiment than it began.");
        assertThat(experiment(SshConnection.Limits.STANDARD, started + sending(bundled(NAME))).await().failure())
                .isEqualTo(
                        "ssh:gpu1 sent the record of " + NAME + " instead of " + manifest.id() + ". It was not kept.");
        String renamed = HELLO + event(new RemoteEvent.Started(manifest)).replace(manifest.id(), NAME);
        assertThat(experiment(SshConnection.Limits.STANDARD, renamed + sending(bundled(NAME))).await().failure())
                .isEqualTo(
                        "ssh:gpu1 sent the record of " + manifest.id() + " instead of " + NAME + ". It was not kept.");
        assertThat(here()).isEmpty();
    }

    @Test
    void eventsWithoutProgressAndLostStopsEndTheExperiment() throws Exception {
        ExperimentManifest manifest = ResultLibrary.manifest(Path.of("src/test/records/quick"));
        String started = event(new RemoteEvent.Started(manifest));
        String logs =
                "while echo '{\"event\":\"frame\",\"frame\":{\"frame\":\"log\",\"level\":\"info\",\"message\":\"x\"}}'; "
                        + "do :; done";
        SshConnection.Limits later = new SshConnection.Limits(LONG, LITTLE, Duration.ofSeconds(2), LITTLE, LITTLE);
        RemoteExperiment endless = experiment(later, HELLO + started + logs);
        ExperimentManifest ended = endless.await();
        assertThat(ended.status()).isEqualTo(RunStatus.FAILED);
        assertThat(ended.failure())
                .startsWith("ssh:gpu1 made no progress in 0 min. Unless it was killed there, it goes on to its end.");

        RemoteExperiment deaf =
                experiment(new SshConnection.Limits(LONG, LONG, LONG, LONG, LITTLE), HELLO + started + logs);
        deaf.cancel();
        assertThat(deaf.await().failure()).startsWith("ssh:gpu1 did not end within 0 s of the stop.");

        RemoteExperiment large = experiment(SshConnection.Limits.STANDARD, HELLO + started + bundle(20L << 30) + NAP);
        assertThat(large.await().failure()).startsWith("ssh:gpu1 announces a record of 20.0 GiB;")
                .doesNotContain("Fetch its record");
        assertThat(here()).isEmpty();
        assertThat(machine.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
