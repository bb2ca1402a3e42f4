package org.inferometer.execution.cuda.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.execution.cuda.device.CudaDriverProbe;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.junit.jupiter.api.Test;

/// A process of its own gets the emulated driver through its environment.
class EmulatedProcessTest {
    /// Prints what the probe says.
    static final class Probe {
        private Probe() {}

        static void main() {
            System.out.print(new CudaDriverProbe().probe().reason());
        }
    }

    @Test
    void theEnvironmentBringsDriverAndSettingsToAnotherProcess() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Probe.class.getName());
        builder.environment()
                .putAll(EmulatedDriver.environment(Map.of(Setting.DEVICES, 3L, Setting.DRIVER_VERSION, 12020L)));
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(List.of(process.waitFor(), printed)).isEqualTo(List.of(0, "CUDA 12.2 driver with 3 devices."));
    }
}
