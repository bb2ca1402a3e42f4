package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.record.ThrottleReasons;
import org.inferometer.telemetry.GpuSettings.PcieLink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs against a stand-in library that is compiled on the spot; without a C compiler those tests are skipped.
class GpuMonitorTest {
    @TempDir
    private Path folder;

    private String fakeLibrary(String... defines) throws IOException, InterruptedException {
        return FakeNvml.build(folder, defines);
    }

    @Test
    void everyReadingHasItsUnit() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 0)) {
            assertThat(monitor.read())
                    .isEqualTo(new GpuSample(0, 500_000, 87, 312.5, 12_345_678.901, 1980, 64, 0x24, 41, 3201));
            assertThat(monitor.memoryCall()).isEqualTo("nvmlDeviceGetMemoryInfo_v2");
            assertThat(monitor.description()).isEqualTo(new GpuDescription(0, "Fake H200", 1_000_000L, "9.0", 700.0,
                    new GpuSettings("00000000:3B:00.0", new PcieLink(1, 16), new PcieLink(5, 16), true, false, true,
                            false, 700.0, 1980.0, 3201.0)));
        }
    }

    @Test
    void cardThatSupportsNothingHasNoReadings() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 1)) {
            assertThat(monitor.read()).isEqualTo(GpuSample.unread(1));
            assertThat(monitor.description())
                    .isEqualTo(new GpuDescription(1, "Fake Jetson", null, null, null, GpuSettings.UNKNOWN));
            assertThat(monitor.processes()).isEmpty();
        }
    }

    @Test
    void silentCardIsNotSampledFromTheBooks() throws Exception {
        try (HostProcess process = HostProcess.open();
                GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary("FAKE_SILENT_ONCE")), 0)) {
            TelemetrySource source = TelemetrySource.ofGpu(process, owner -> 7, monitor);
            assertThat(source.read(1).totalBytes()).isEqualTo(500_000);
            assertThatThrownBy(() -> source.read(2)).isInstanceOf(IllegalStateException.class);
            assertThat(source.read(3).totalBytes()).isEqualTo(500_000);
        }
    }

    @Test
    void olderDriverIsReadThroughItsOwnCalls() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary("FAKE_OLD")), 0)) {
            assertThat(monitor.memoryCall()).isEqualTo("nvmlDeviceGetMemoryInfo");
            assertThat(monitor.read().usedBytes()).isEqualTo(600_000);
            assertThat(monitor.read().throttleReasons()).isEqualTo(0x40);
            assertThat(monitor.description().memory()).contains(1_000_000L);
        }
    }

    @Test
    void processListMayGrowWhileItIsRead() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 0)) {
            Optional<List<GpuMonitor.GpuProcess>> processes = monitor.processes();
            assertThat(processes.orElseThrow()).hasSize(12).startsWith(new GpuMonitor.GpuProcess(100, null),
                    new GpuMonitor.GpuProcess(101, 1000L));
        }
    }

    @Test
    void computingGpuOrInstanceIsFoundByUuid() throws Exception {
        String library = fakeLibrary();
        try (GpuMonitor whole = GpuMonitor.open(List.of(library), "GPU-fake-0");
                GpuMonitor part = GpuMonitor.open(List.of(library), "GPU-fake-1")) {
            assertThat(whole.read().index()).isZero();
            assertThat(part.read()).isEqualTo(GpuSample.unread(1));
        }
        assertThatThrownBy(() -> GpuMonitor.open(List.of(library), "GPU-other")).isInstanceOf(GpuException.class)
                .hasMessageContaining("The computing GPU was not found");
    }

    @Test
    void gpuThatDoesNotExistIsRefused() throws Exception {
        String library = fakeLibrary();
        assertThatThrownBy(() -> GpuMonitor.open(List.of(library), 2)).isInstanceOf(GpuException.class)
                .hasMessageContaining("GPU 2");
    }

    @Test
    void telemetryOfAGpuRunTakesItsTotalFromTheCard() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 0)) {
            MemoryAccount books = owner -> owner == MemoryOwner.WEIGHTS ? 300_000 : 0;
            TelemetrySample sample = TelemetrySource.ofGpu(new FakeProcess(77, 5), books, monitor).read(9);
            assertThat(sample.totalBytes()).isEqualTo(500_000);
            assertThat(sample.ownerBytes()).containsExactly(300_000, 0, 0, 0, 0, 200_000);
            assertThat(sample.gpuReadings()).map(GpuSample::utilisationPercent).contains(87.0);
        }
    }

    @Test
    void cardThatDoesNotTellItsMemoryIsHeldToTheBooks() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 1)) {
            TelemetrySample sample = TelemetrySource.ofGpu(new FakeProcess(77, 5), owner -> 10, monitor).read(9);
            assertThat(sample.totalBytes()).isEqualTo(40);
            assertThat(sample.ownerBytes()).containsExactly(10, 10, 10, 10, 0, 0);
        }
    }

    @Test
    void runOnAGpuThatCannotBeReadIsHeldToTheBooksToo() {
        TelemetrySample sample = TelemetrySource.ofUnreadGpu(new FakeProcess(77, 5), owner -> 10).read(9);
        assertThat(sample.totalBytes()).isEqualTo(40);
        assertThat(sample.gpuReadings()).isEmpty();
    }

    @Test
    void throttleReasonsAreReadBitByBit() {
        assertThat(ThrottleReasons.labels(0x24)).containsExactly("power limit", "temperature (driver)");
        assertThat(ThrottleReasons.labels(0x1 | 0x2 | 0x10)).isEmpty();
        assertThat(List.of(0x8, 0x20, 0x40)).allMatch(ThrottleReasons::thermal);
        assertThat(List.of(0x0, 0x1, 0x4, 0x80)).noneMatch(ThrottleReasons::thermal);
        assertThat(ThrottleReasons.thermal(Double.NaN)).isFalse();
    }
}
