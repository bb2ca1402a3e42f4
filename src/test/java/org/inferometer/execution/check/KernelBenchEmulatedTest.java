package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.KernelTiles.Matmul;
import org.inferometer.execution.cuda.device.WarpgroupTile;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.execution.cuda.steps.GemmSizes;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelBenchEmulatedTest {
    private static final String PTX = "src/main/resources/org/inferometer/execution/cuda/kernels-sm80.ptx";
    private static final String DEPENDENT_PTX = "src/main/resources/org/inferometer/execution/cuda/kernels-sm90.ptx";
    private static final String WARPGROUP_PTX = "src/main/resources/org/inferometer/execution/cuda/kernels-sm90a.ptx";

    private static final String NO_LIBRARY = "# cuBLASLt is absent (libcublasLt.so.13 cannot be loaded, "
            + "libcublasLt.so.12 cannot be loaded): no product by it is timed.\n";

    @TempDir
    private static Path folder;

    private record Said(int status, String text) {
        List<String> names() {
            return text.lines().filter(line -> !line.startsWith("#")).map(line -> line.split(" ")[0]).toList();
        }
    }

    @BeforeAll
    static void build() throws Exception {
        EmulatedDriver.folder(); // needs the same compiler
        assertThat(run(Map.of(), "bash", "src/main/cuda/build.sh", "--bench", folder.toString()))
                .isEqualTo(new Said(0, "built " + folder.resolve("kernel_bench") + "\n"));
    }

    @Test
    void theProgramTimesKernelsWithoutJava() throws Exception {
        Said all = bench(80, PTX, "--tiny");
        assertThat(all.status()).as(all.text()).isZero();
        // 5 rates, 20 products of 8 numbers of rows and 5 with norms, 18 of attention, 4 of the sampler, 23 others
        assertThat(all.names()).doesNotHaveDuplicates().hasSize(310);
        assertThat(all.text()).contains(NO_LIBRARY);
        Said products = bench(80, PTX, "--tiny", "--only", "int4_down", "--rows", "1,5");
        assertThat(products.status()).as(products.text()).isZero();
        assertThat(products.names()).containsExactly("int4_down_1", "int4_down_norm_1", "int4_down_5",
                "int4_down_norm_5");
        Said attention = bench(80, PTX, "--tiny", "--only", "attend_fp8");
        assertThat(attention.status()).as(attention.text()).isZero();
        assertThat(attention.names()).containsExactly("attend_fp8_1x20", "attend_fp8_ragged", "attend_fp8_chunks",
                "attend_fp8_heads_of_128_1x20", "attend_fp8_heads_of_128_ragged", "attend_fp8_heads_of_128_chunks",
                "attend_fp8_heads_of_24_1x20", "attend_fp8_heads_of_24_ragged", "attend_fp8_heads_of_24_chunks");
        Said launch = bench(80, PTX, "--tiny", "--only", "launch");
        assertThat(launch.names()).as(launch.text()).containsExactly("launch");
        assertThat(bench(80, PTX, "--rows", "0").status()).isEqualTo(2);
    }

    @Test
    void theProgramTimesProductsByWarpgroups() throws Exception {
        Said some = bench(90, PTX, "--wgmma", WARPGROUP_PTX, "--tiny", "--only", "wgmma_fp8");
        assertThat(some.status()).as(some.text()).isZero();
        assertThat(some.names()).doesNotHaveDuplicates().hasSize(8).contains("wgmma_fp8_down_200");
        assertThat(bench(80, PTX, "--wgmma", WARPGROUP_PTX, "--only", "launch").text())
                .contains("kernel_bench: cuModuleLoadData answered 209");
    }

    @Test
    @LongForm
    void theProgramTimesAllProductsByWarpgroups() throws Exception {
        Said all = bench(90, PTX, "--wgmma", WARPGROUP_PTX, "--tiny", "--only", "wgmma");
        assertThat(all.status()).as(all.text()).isZero();
        // 20 products of 127 and 200 rows
        assertThat(all.names()).doesNotHaveDuplicates().hasSize(40).contains("wgmma_int4_g32_down_200");
        Said dependent = bench(90, DEPENDENT_PTX, "--wgmma", WARPGROUP_PTX, "--dependent", "--only", "wgmma_fp8");
        assertThat(dependent.status()).as(dependent.text()).isZero();
        assertThat(dependent.names()).hasSize(8);
    }

    @Test
    void dependentLaunchesGiveTheResultsOfOrdinaryOnes() throws Exception {
        Said some = bench(90, DEPENDENT_PTX, "--dependent", "--only", "int4_down", "--rows", "2,31");
        assertThat(some.status()).as(some.text()).isZero();
        assertThat(some.names()).containsExactly("int4_down_2", "int4_down_norm_2", "int4_down_31");
        assertThat(bench(80, PTX, "--dependent", "--only", "bf16_down_1").text())
                .contains("kernel_bench: cuLaunchKernelEx answered 801");
    }

    @Test
    @LongForm
    void dependentLaunchesOfEveryKernelGiveTheSame() throws Exception {
        Said all = bench(90, DEPENDENT_PTX, "--dependent", "--rows", "2,31");
        assertThat(all.status()).as(all.text()).isZero();
        // Of what was there before, neither rates nor kernels of uploads, transfers and the start of a step.
        assertThat(all.names()).doesNotHaveDuplicates().hasSize(20 * 3 + 18 + 4 + 23 - 10);
    }

    @Test
    void theProgramTimesCublasLtWhereItIs() throws Exception {
        Said all = withLibrary(Map.of(), "--tiny", "--only", "cublaslt");
        assertThat(all.status()).as(all.text()).isZero();
        assertThat(all.names()).containsExactly("cublaslt_qkv_127", "cublaslt_output_127", "cublaslt_gate_up_127",
                "cublaslt_down_127");
        assertThat(all.text()).contains("# cuBLASLt 13.1.2 (libcublasLt.so.13)\n");
        assertThat(all.text().lines().filter(line -> line.contains("TFLOP/s"))).hasSize(4);
        assertThat(withLibrary(Map.of(), "--tiny", "--only", "cublaslt_output", "--rows", "1,63,64,65").names())
                .containsExactly("cublaslt_output_64", "cublaslt_output_65");
        assertThat(withLibrary(Map.of(), "--tiny", "--own", "--only", "cublaslt").names()).isEmpty();
    }

    @Test
    void aLibraryThatDoesNotWorkIsToldInOneSentence() throws Exception {
        Said tooNew = withLibrary(Map.of(Setting.LIBRARY_IS_TOO_NEW, 1L), "--tiny", "--only", "cublaslt");
        assertThat(tooNew.status()).isZero();
        assertThat(tooNew.text()).contains("# cuBLASLt is absent (libcublasLt.so.13 answered 1, "
                + "libcublasLt.so.12 cannot be loaded): no product by it is timed.\n");
        Said failed = withLibrary(Map.of(Setting.LIBRARY_ANSWERS, 13L), "--tiny", "--only", "cublaslt");
        assertThat(failed).isEqualTo(new Said(1, failed.text()));
        assertThat(failed.text()).contains("kernel_bench: cublasLtMatmul answered 13\n");
    }

    /// The program has copies of what Java decides.
    @Test
    void itsShapesAreThoseOfTheBackend() throws Exception {
        KernelSizes sizes = KernelSizes.LLAMA_8B;
        ModelShape layer = sizes.shape();
        KernelSizes.Effort effort = sizes.effort();
        Stream<String> widths = Stream.of(
                words("widths", layer.hidden(), layer.intermediate(), layer.heads(), layer.kvHeads(), layer.headDim(),
                        sizes.shape().vocabulary()),
                words("effort", effort.coldBytes(), effort.readBytes(), effort.launches(), effort.rounds(),
                        effort.tensorIterations()),
                words("cublaslt", LibraryTimings.LEAST_ROWS, GemmSizes.padded(1), GemmSizes.WORKSPACE_BYTES),
                words("rows", sizes.rows().toArray()));
        Stream<String> contexts =
                sizes.contexts().stream().map(each -> words("context " + each.id(), each.positions().toArray()));
        Stream<String> tiles = Stream.of(DeviceFormat.values()).flatMap(format -> Stream
                .iterate(5, tokens -> tokens < 300, tokens -> tokens + 3).flatMap(tokens -> tiles(format, tokens)));
        assertThat(run(Map.of(), folder.resolve("kernel_bench").toString(), "--shapes").text().lines())
                .containsExactlyElementsOf(Stream.of(widths, contexts, tiles).flatMap(lines -> lines).toList());
    }

    private static String words(String name, Object... numbers) {
        return name + Stream.of(numbers).map(each -> " " + each).collect(Collectors.joining());
    }

    private static Stream<String> tiles(DeviceFormat format, int tokens) {
        Matmul tile = Matmul.of(tokens, format.largestTile());
        String own = words("tile " + format.id(), tokens) + ":"
                + words("", tile.tokens(), tile.outputs(), tile.threads(), tile.sharedBytes(format), tile.normPart())
                + "," + words("", tile.splits(tokens, 4096, 128, Matmul.slots(1, 132)),
                        tile.splits(tokens, 1024, 48, Matmul.slots(3, 132)));
        if (tokens < WarpgroupTile.LEAST_TOKENS) {
            return Stream.of(own);
        }
        WarpgroupTile wide = WarpgroupTile.of(tokens, format);
        return Stream.of(own,
                words("wgmma " + format.id(), tokens) + ":"
                        + words("", wide.tokens(), wide.outputs(), wide.threads(), wide.sharedBytes(format),
                                Matmul.TOKENS_128.normPart())
                        + ","
                        + words("", wide.splits(tokens, 4096, 128, 132, 1), wide.splits(tokens, 1024, 48, 132, 3)));
    }

    private static Said bench(long computeCapability, String... arguments) throws IOException, InterruptedException {
        return run(device(Map.of(Setting.COMPUTE_CAPABILITY, computeCapability)), command(arguments));
    }

    /// With the stand-in for cuBLASLt where the loader looks.
    private static Said withLibrary(Map<Setting, Long> settings, String... arguments)
            throws IOException, InterruptedException {
        Map<String, String> environment = device(settings);
        environment.merge("LD_LIBRARY_PATH", EmulatedDriver.cublasLt().getParent().toString(),
                (folders, more) -> folders + ":" + more);
        return run(environment, command(Stream.concat(Stream.of(PTX), Stream.of(arguments)).toArray(String[]::new)));
    }

    private static Map<String, String> device(Map<Setting, Long> settings) {
        Map<Setting, Long> all = new HashMap<>(settings);
        all.put(Setting.MULTIPROCESSORS, 2L);
        all.put(Setting.MEMORY_BYTES, 256L << 20);
        return EmulatedDriver.environment(all);
    }

    private static String[] command(String... arguments) {
        return Stream.concat(Stream.of(folder.resolve("kernel_bench").toString()), Stream.of(arguments))
                .toArray(String[]::new);
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
