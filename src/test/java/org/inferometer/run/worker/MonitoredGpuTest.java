package org.inferometer.run.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.selfcheck.TelemetryCheck;
import org.inferometer.telemetry.FakeNvml;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitoredGpuTest {
    private static final int RESIDENT = 77;

    @TempDir
    private Path folder;

    private final Clock clock = new SystemClock();

    /// This process, as far as a sample needs it.
    private static final class Process implements HostProcess {
        @Override
        public long runtimeBytes() {
            return 0;
        }

        @Override
        public long residentBytes() {
            return RESIDENT;
        }

        @Override
        public long cpuNanos() {
            return 5;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static TelemetrySample sample(@Nullable String uuid, GpuAccess access) {
        ComputingDevice device =
                new ComputingDevice(owner -> owner == MemoryOwner.WEIGHTS ? 300_000 : 0, Optional.ofNullable(uuid));
        try (MonitoredGpu gpu = MonitoredGpu.of(device, access)) {
            return gpu.source(new Process()).read(9);
        }
    }

    private GpuAccess twoCards() throws Exception {
        return new GpuAccess(List.of(FakeNvml.build(folder)));
    }

    @Test
    void gpuRunSamplesItsCardAndChecksMemoryWithTheDriver() throws Exception {
        TelemetrySample sample = sample("GPU-fake-0", twoCards());
        assertThat(sample.gpuReadings()).map(GpuSample::index).contains(0);
        assertThat(sample.totalBytes()).isEqualTo(500_000);
        assertThat(sample.ownerBytes()).containsExactly(300_000, 0, 0, 0, 0, 200_000);
    }

    @Test
    void runOnAPartOfADividedCardHasAbsentReadingsAndNoZeros() throws Exception {
        TelemetrySample sample = sample("GPU-fake-1", twoCards());
        assertThat(sample.gpuReadings()).contains(GpuSample.unread(1));
        assertThat(sample.totalBytes()).isEqualTo(300_000);
    }

    @Test
    void anotherCardIsNeverTakenForTheOneThatComputes() throws Exception {
        TelemetrySample sample = sample("GPU-of-another-machine", twoCards());
        assertThat(sample.gpuReadings()).isEmpty();
        assertThat(sample.totalBytes()).isEqualTo(300_000);
    }

    @Test
    void runOnTheCpuWatchesTheFirstCardBesideItsOwnMemory() throws Exception {
        TelemetrySample sample = sample(null, twoCards());
        assertThat(sample.gpuReadings()).map(GpuSample::index).contains(0);
        assertThat(sample.totalBytes()).isEqualTo(RESIDENT);
    }

    @Test
    void othersOnTheCardAreToldFromThisProcessAsFarAsTheListAllows() {
        GpuProcess own = new GpuProcess(77, 5L);
        GpuProcess other = new GpuProcess(4711, null);
        GpuProcess third = new GpuProcess(4712, null);
        assertThat(MonitoredGpu.others(List.of(own), 77)).contains(false);
        assertThat(MonitoredGpu.others(List.of(own, other), 77)).contains(true);
        assertThat(MonitoredGpu.others(List.of(other, third), 77)).contains(true);
        assertThat(MonitoredGpu.others(List.of(other), 77)).isEmpty();
        assertThat(MonitoredGpu.others(List.of(), 77)).isEmpty();
    }

    @Test
    void oneYesIsEnoughAndANoTakesBothAnswers() {
        Optional<Boolean> yes = Optional.of(true);
        Optional<Boolean> no = Optional.of(false);
        Optional<Boolean> untold = Optional.empty();
        assertThat(List.of(MonitoredGpu.either(yes, untold), MonitoredGpu.either(untold, yes),
                MonitoredGpu.either(yes, no))).containsOnly(yes);
        assertThat(MonitoredGpu.either(no, no)).isEqualTo(no);
        assertThat(List.of(MonitoredGpu.either(no, untold), MonitoredGpu.either(untold, no),
                MonitoredGpu.either(untold, untold))).containsOnly(untold);
    }

    @Test
    void othersAreSoughtOnlyOnTheCardThatComputes() throws Exception {
        GpuAccess access = twoCards();
        try (MonitoredGpu computing =
                MonitoredGpu.of(new ComputingDevice(owner -> 0, Optional.of("GPU-fake-0")), access);
                MonitoredGpu watched = MonitoredGpu.of(ComputingDevice.elsewhere(), access)) {
            assertThat(computing.sharedWithOthers()).contains(true);
            assertThat(watched.sharedWithOthers()).isEmpty();
        }
    }

    @Test
    void machineWithoutAGpuHasNoReadings() {
        TelemetrySample sample = sample(null, new GpuAccess(List.of("libno-such-nvml.so")));
        assertThat(sample.gpuReadings()).isEmpty();
        assertThat(sample.totalBytes()).isEqualTo(RESIDENT);
    }

    @Test
    void samplingIsMeasuredWithTheSourcesOfThisMachine() throws Exception {
        assertThat(new TelemetryCheck(clock, twoCards()).share().sentence()).contains("with a GPU's readings");
        assertThat(new TelemetryCheck(clock, new GpuAccess(List.of("libno-such-nvml.so"))).share())
                .satisfies(result -> {
                    assertThat(result.value().orElseThrow()).isPositive();
                    assertThat(result.sentence()).contains("without a GPU");
                });
    }
}
