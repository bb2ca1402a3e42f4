package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.telemetry.TelemetrySample.GpuSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs against a stand-in library that is compiled on the spot; without a C compiler those tests are skipped.
class GpuMonitorTest {
    private static final String NOWHERE = "libno-such-nvml.so";

    @TempDir
    private Path folder;

    private String fakeLibrary(String... defines) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name").startsWith("Linux"), "the stand-in library is built on Linux only");
        Path source = folder.resolve("fake_nvml.c");
        try (InputStream text = GpuMonitorTest.class.getResourceAsStream("/nvml/fake_nvml.c")) {
            Files.write(source, text.readAllBytes());
        }
        Path library = folder.resolve("fake-nvml-" + String.join("-", defines) + ".so");
        List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString()));
        for (String define : defines) {
            command.add("-D" + define);
        }
        int code;
        try {
            code = new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException missing) {
            assumeTrue(false, "gcc is not installed, so the stand-in library cannot be built");
            return "";
        }
        assertThat(code).as("gcc").isZero();
        return library.toString();
    }

    @Test
    void everyReadingHasItsUnit() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 0)) {
            assertThat(monitor.read()).isEqualTo(new GpuSample(0, 500_000, 87, 312.5, 12_345_678.901, 1980, 64, 0x24));
            assertThat(monitor.memoryCall()).isEqualTo("nvmlDeviceGetMemoryInfo_v2");
            assertThat(monitor.description()).isEqualTo(new GpuDescription(0, "Fake H200", 1_000_000L, "9.0", 700.0));
        }
    }

    @Test
    void cardThatSupportsNothingHasNoReadings() throws Exception {
        double no = Double.NaN;
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 1)) {
            assertThat(monitor.read()).isEqualTo(new GpuSample(1, no, no, no, no, no, no, no));
            assertThat(monitor.description()).isEqualTo(new GpuDescription(1, "Fake Jetson", null, null, null));
            assertThat(monitor.processes()).isEmpty();
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
            assertThat(processes.orElseThrow())
                    .hasSize(12)
                    .startsWith(new GpuMonitor.GpuProcess(100, Double.NaN), new GpuMonitor.GpuProcess(101, 1000));
        }
    }

    @Test
    void reportNamesEveryGpuAndTheDriver() throws Exception {
        String library = fakeLibrary();
        GpuReport report = GpuReport.probe(List.of(NOWHERE, library));
        assertThat(report.gpus()).extracting(GpuDescription::name).containsExactly("Fake H200", "Fake Jetson");
        assertThat(report.driverVersion()).isEqualTo("580.65.06");
        assertThat(report.explanation()).isEqualTo("2 GPUs read through " + library + ", driver 580.65.06.");
    }

    @Test
    void missingLibraryIsReportedWithWhatWasTried() {
        GpuReport report = GpuReport.probe(List.of(NOWHERE, "libneither.so"));
        assertThat(report).isEqualTo(new GpuReport(
                List.of(), "", "No NVIDIA GPU can be read; tried " + NOWHERE + " (not found), libneither.so (not found)."));
    }

    @Test
    void libraryWithoutADriverIsReportedInItsOwnWords() throws Exception {
        String library = fakeLibrary("FAKE_DEAD");
        assertThat(GpuReport.probe(List.of(library)).explanation())
                .isEqualTo("No NVIDIA GPU can be read; tried " + library + " (Driver Not Loaded).");
    }

    @Test
    void gpuThatDoesNotExistIsRefused() throws Exception {
        String library = fakeLibrary();
        assertThatThrownBy(() -> GpuMonitor.open(List.of(library), 2)).isInstanceOf(GpuException.class).hasMessageContaining("GPU 2");
    }

    @Test
    void libraryThatIsNoNvmlIsRefused() {
        assumeTrue(System.getProperty("os.name").startsWith("Linux"), "tried with the C library of Linux");
        assertThat(GpuReport.probe(List.of("libc.so.6")).explanation()).contains("libc.so.6 (function not found");
    }

    @Test
    void telemetryOfAGpuRunTakesItsTotalFromTheCard() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 0)) {
            MemoryBooks books = owner -> owner == MemoryOwner.WEIGHTS ? 300_000 : 0;
            TelemetrySample sample = TelemetrySource.ofGpu(new FakeProcess(77, 5), books, monitor).read(9);
            assertThat(sample.totalBytes()).isEqualTo(500_000);
            assertThat(sample.ownerBytes()).containsExactly(300_000, 0, 0, 0, 200_000);
            assertThat(sample.gpuReadings()).map(GpuSample::utilisationPercent).contains(87.0);
        }
    }

    @Test
    void cardThatDoesNotTellItsMemoryIsHeldToTheBooks() throws Exception {
        try (GpuMonitor monitor = GpuMonitor.open(List.of(fakeLibrary()), 1)) {
            TelemetrySample sample = TelemetrySource.ofGpu(new FakeProcess(77, 5), owner -> 10, monitor).read(9);
            assertThat(sample.totalBytes()).isEqualTo(40);
            assertThat(sample.ownerBytes()).containsExactly(10, 10, 10, 10, 0);
        }
    }

    @Test
    void throttleReasonsAreReadBitByBit() {
        assertThat(ThrottleReasons.words(0x24)).containsExactly("power limit", "temperature (driver)");
        assertThat(ThrottleReasons.words(0x1 | 0x2 | 0x10)).isEmpty();
        assertThat(List.of(0x8, 0x20, 0x40)).allMatch(ThrottleReasons::thermal);
        assertThat(List.of(0x0, 0x1, 0x4, 0x80)).noneMatch(ThrottleReasons::thermal);
        assertThat(ThrottleReasons.thermal(Double.NaN)).isFalse();
    }
}
