package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TelemetrySamplerTest {
    private final Clock clock = new SystemClock();

    private static TelemetrySource source(HostProcess process) {
        return TelemetrySource.ofHost(process, owner -> owner == MemoryOwner.KV_CACHE ? 30 : 0);
    }

    @Test
    void samplesComeInOrderAndCountFromTheAnchor() throws InterruptedException {
        List<TelemetrySample> samples = new CopyOnWriteArrayList<>();
        CountDownLatch five = new CountDownLatch(5);
        long anchor = clock.nanos() - 1_000_000_000L;
        try (TelemetrySampler sampler =
                TelemetrySampler.start(source(new FakeProcess(100, 7)), clock, anchor, 10, sample -> {
                    samples.add(sample);
                    five.countDown();
                })) {
            assertThat(five.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(sampler.droppedSamples()).isNotNegative();
        }
        int delivered = samples.size();
        assertThat(samples).extracting(TelemetrySample::nanos).isSorted().allMatch(nanos -> nanos >= 1_000_000_000L);
        assertThat(samples).allSatisfy(sample -> {
            assertThat(sample.ownerBytes()).containsExactly(0, 30, 0, 0, 20, 50);
            assertThat(sample.totalBytes()).isEqualTo(100);
            assertThat(sample.processCpuNanos()).isEqualTo(7);
            assertThat(sample.heapUsedBytes()).isPositive();
        });
        assertThat(samples).hasSize(delivered);
    }

    @Test
    void readingThatFailsIsDroppedAndTheNextOneTaken() throws InterruptedException {
        CountDownLatch third = new CountDownLatch(1);
        HostProcess failsTwice = new HostProcess() {
            @Override
            public long runtimeBytes() {
                return 0;
            }

            private int readings;

            @Override
            public long residentBytes() {
                if (++readings <= 2) {
                    throw new UncheckedIOException(new IOException("no answer"));
                }
                return 1;
            }

            @Override
            public long cpuNanos() {
                return 0;
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
        try (TelemetrySampler sampler =
                TelemetrySampler.start(source(failsTwice), clock, 0, 10, sample -> third.countDown())) {
            assertThat(third.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(sampler.droppedSamples()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void receiverThatHoldsTheSamplerUpCostsItsDeadlines() throws InterruptedException {
        FakeTime time = new FakeTime();
        CountDownLatch twice = new CountDownLatch(2);
        try (TelemetrySampler sampler = TelemetrySampler.start(source(new FakeProcess(1, 1)), time, 0, 10, sample -> {
            time.pass(35_000_000L);
            twice.countDown();
        })) {
            assertThat(twice.await(20, TimeUnit.SECONDS)).isTrue();
            sampler.close();
            assertThat(sampler.droppedSamples()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void whatIsMissingAtTheEndIsCountedThoughNoSampleFollows() throws InterruptedException {
        FakeTime time = new FakeTime();
        CountDownLatch stuck = new CountDownLatch(1);
        CompletableFuture<Void> free = new CompletableFuture<>();
        List<Long> counted = new ArrayList<>();
        try (TelemetrySampler sampler = TelemetrySampler.start(source(new FakeProcess(1, 1)), time, 0, 10, sample -> {
            stuck.countDown();
            free.join();
        })) {
            stuck.await();
            time.pass(19_999_999L);
            counted.add(sampler.droppedSamples());
            time.pass(30_000_001L);
            counted.add(sampler.droppedSamples());
            free.complete(null);
            sampler.close();
            time.pass(100_000_000L);
            counted.add(sampler.droppedSamples());
        }
        assertThat(counted).containsExactly(0L, 4L, 4L);
    }

    @Test
    void periodOutOfRangeIsRefused() {
        TelemetrySource source = source(new FakeProcess(1, 1));
        assertThatThrownBy(() -> TelemetrySampler.start(source, clock, 0, 9, sample -> {}))
                .hasMessageContaining("9 ms");
        assertThatThrownBy(() -> TelemetrySampler.start(source, clock, 0, 1001, sample -> {}))
                .hasMessageContaining("1001 ms");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void residentMemoryIsWhatTheSystemSaysAndCpuTimeGrowsWithUse() throws IOException {
        try (HostProcess process = HostProcess.open(); Arena arena = Arena.ofConfined()) {
            assertThat(process).isInstanceOf(LinuxProcess.class);
            long cpuBefore = process.cpuNanos();
            arena.allocate(256L << 20).fill((byte) 1);
            long resident = process.residentBytes();
            // The heap may shrink at any time, so what was filled is a bound and growth is none.
            assertThat(resident).isGreaterThan(256L << 20).isCloseTo(residentBytesInWords(), Offset.offset(64L << 20));
            assertThat(process.cpuNanos()).isGreaterThan(cpuBefore);
        }
    }

    /// Another file of the system that tells the same.
    private static long residentBytesInWords() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(each -> each.startsWith("VmRSS:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
    }

    @Test
    void everySystemTellsTheMemoryOfThisProcess() {
        try (HostProcess process = new PortableProcess()) {
            assertThat(process.residentBytes()).isGreaterThan(10L << 20);
            assertThat(process.cpuNanos()).isPositive();
        }
    }

    @Test
    void fieldsOfALineAreWholeNumbers() throws IOException {
        byte[] line = "765 414 386 5 0 123 0\n".getBytes(StandardCharsets.US_ASCII);
        assertThat(LinuxProcess.field(line, line.length, 0)).isEqualTo(765);
        assertThat(LinuxProcess.field(line, line.length, 1)).isEqualTo(414);
        assertThatThrownBy(() -> LinuxProcess.field(line, line.length, 7)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> LinuxProcess.field(line, 4, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> LinuxProcess.field(line, -1, 1)).isInstanceOf(IOException.class);
    }

    /// A clock that stands still unless told to move on.
    private static final class FakeTime implements Clock {
        private volatile long nanos;

        private synchronized void pass(long passed) {
            nanos += passed;
        }

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
