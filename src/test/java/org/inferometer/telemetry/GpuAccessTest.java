package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class GpuAccessTest {
    private static final String NOWHERE = "libno-such-nvml.so";
    private static final String LOADER_SAYS = "cannot open shared object file: No such file or directory";

    @TempDir
    private Path folder;

    private GpuAccess access(String... libraries) {
        return new GpuAccess(List.of(libraries), folder);
    }

    @Test
    void reportNamesEveryGpuAndTheDriver() throws Exception {
        String library = FakeNvml.build(folder);
        GpuReport report = access(NOWHERE, library).report();
        assertThat(report.gpus()).extracting(GpuDescription::name).containsExactly("Fake H200", "Fake Jetson");
        assertThat(report.driverVersion()).isEqualTo("580.65.06");
        assertThat(report.cudaVersion()).isEqualTo("13.0");
        assertThat(report.explanation()).isEqualTo("2 GPUs read through " + library + ", driver 580.65.06.");
        assertThat(report.attempts()).isEmpty();
    }

    @Test
    void reportNamesWhatLoaderAndSystemAnswered() throws IOException {
        Files.createDirectories(folder.resolve("dev"));
        Path closed = Files.createFile(folder.resolve("dev/nvidia0"));
        Files.createFile(folder.resolve("dev/nvidia-modeset"));
        Files.createFile(folder.resolve("dev/nvidiactl"));
        GpuReport report = access(NOWHERE).report();
        assertThat(report.explanation())
                .isEqualTo("No NVIDIA GPU can be read; tried " + NOWHERE + " (" + LOADER_SAYS + ").");
        assertThat(report.attempts()).containsExactly(new GpuAttempt(NOWHERE, LOADER_SAYS),
                new GpuAttempt("kernel driver", "not loaded (/proc/driver/nvidia/version does not exist)"),
                new GpuAttempt("/dev/nvidia0", "can be opened by this user"),
                new GpuAttempt("/dev/nvidiactl", "can be opened by this user"));
        closed.toFile().setReadable(false);
        // Root may read everything.
        String outcome =
                Files.isReadable(closed) ? "can be opened by this user" : "no permission: join the group that owns it";
        assertThat(access(NOWHERE).report().attempts().get(2).outcome()).isEqualTo(outcome);
    }

    @Test
    void machineWithoutDeviceFilesSaysSo() throws IOException {
        Files.createDirectories(folder.resolve("proc/driver/nvidia"));
        Files.createFile(folder.resolve("proc/driver/nvidia/version"));
        assertThat(access(NOWHERE).report().attempts()).endsWith(
                new GpuAttempt("kernel driver", "loaded (/proc/driver/nvidia/version exists)"),
                new GpuAttempt("/dev/nvidia*", "no such files: no driver, or a container without GPU access"));
    }

    @Test
    void libraryWithoutADriverIsReportedInItsOwnWords() throws Exception {
        String library = FakeNvml.build(folder, "FAKE_DEAD");
        assertThat(access(library).report().attempts())
                .startsWith(new GpuAttempt(library, "loaded, but failed: Driver Not Loaded"));
    }

    @Test
    void libraryThatIsNoNvmlIsRefused() {
        assertThat(access("libc.so.6").report().explanation())
                .contains("libc.so.6 (loaded, but failed: function not found");
    }

    @Test
    void watchReadsEveryGpuOfTheReport() throws Exception {
        GpuAccess access = access(FakeNvml.build(folder));
        try (MachineMonitor watch = MachineMonitor.open(access, access.report())) {
            MachineMonitor.Moment moment = watch.read();
            assertThat(moment.freeMemoryBytes()).isPositive();
            assertThat(moment.gpus()).extracting(GpuStatus::utilisationPercent).containsExactly(87.0, null);
            assertThat(moment.gpus().getFirst().slowedBy()).containsExactly("power limit", "temperature (driver)");
        }
    }

    @Test
    void probeWatchesTheClocksOfEveryGpu() throws Exception {
        GpuAccess access = access(FakeNvml.build(folder));
        MachineReport machine = new MachineProbe(new SystemClock(), access).probe();
        assertThat(machine.gpuStatus()).extracting(GpuStatus::lowestSmClockMegahertz).containsExactly(1980.0, null);
        assertThat(machine.gpuStatus().getFirst().processes()).hasSize(12);
    }
}
