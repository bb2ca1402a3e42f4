package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelBenchEmulatedTest {
    private static final String PTX = "src/main/resources/org/inferometer/execution/cuda/kernels-sm80.ptx";

    @TempDir
    Path folder;

    private record Said(int status, String text) {
        List<String> names() {
            return text.lines().filter(line -> !line.startsWith("#")).map(line -> line.split(" ")[0]).toList();
        }
    }

    @Test
    void theProgramTimesKernelsWithoutJava() throws Exception {
        Map<String, String> driver =
                EmulatedDriver.environment(Map.of(Setting.MULTIPROCESSORS, 2L, Setting.MEMORY_BYTES, 256L << 20));
        Said built = run(Map.of(), "bash", "src/main/cuda/build.sh", "--bench", folder.toString());
        assertThat(built).isEqualTo(new Said(0, "built " + folder.resolve("kernel_bench") + "\n"));
        String program = folder.resolve("kernel_bench").toString();
        Said all = run(driver, program, PTX, "--tiny");
        assertThat(all.status()).as(all.text()).isZero();
        // 3 rates, 20 products of 8 numbers of rows and 5 with norms, 4 of attention, 4 of the sampler
        assertThat(all.names()).doesNotHaveDuplicates().hasSize(271);
        Said products = run(driver, program, PTX, "--tiny", "--only", "int4_down", "--rows", "1,5");
        assertThat(products.status()).as(products.text()).isZero();
        assertThat(products.names()).containsExactly("int4_down_1", "int4_down_norm_1", "int4_down_5",
                "int4_down_norm_5");
        Said attention = run(driver, program, PTX, "--tiny", "--only", "attend_fp8");
        assertThat(attention.status()).as(attention.text()).isZero();
        assertThat(attention.names()).containsExactly("attend_fp8_1x20", "attend_fp8_ragged");
        Said launch = run(driver, program, PTX, "--tiny", "--only", "launch");
        assertThat(launch.names()).as(launch.text()).containsExactly("launch");
        assertThat(run(driver, program, PTX, "--rows", "0").status()).isEqualTo(2);
    }

    private static Said run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }
}
