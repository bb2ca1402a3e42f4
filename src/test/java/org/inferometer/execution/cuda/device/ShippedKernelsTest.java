package org.inferometer.execution.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.execution.cuda.CudaBackend;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class ShippedKernelsTest {
    private static final Path SOURCES = Path.of("src/main/cuda");
    private static final Pattern BODY = Pattern.compile("\\.visible \\.entry (\\w+)\\((.*?)\\n\\}\\n", Pattern.DOTALL);
    /// Loads and stores of memory that blocks share, and of memory that is not said.
    private static final Pattern ACCESS =
            Pattern.compile("\\s((?:ld|st|atom|red)(?:\\.volatile|\\.relaxed)?(?:\\.global|\\.[vufbs]\\d+)"
                    + "|cp\\.async\\.c[ag])\\b");
    private static final Pattern ENTRY = Pattern.compile("\\.visible \\.entry (\\w+)\\(");

    @ParameterizedTest
    @ValueSource(strings = {"kernels-sm80.ptx", "kernels-sm89.ptx", "kernels-sm90.ptx", "kernels-sm90a.ptx"})
    void theModuleIsCompiledFromTheseSources(String resource) throws IOException, NoSuchAlgorithmException {
        assertThat(shipped(resource).lines().findFirst()).hasValue("// sources sha256: " + sourcesHash());
    }

    @ParameterizedTest
    @CsvSource({"kernels-sm80.ptx, 7.0, sm_80", "kernels-sm89.ptx, 8.1, sm_89", "kernels-sm90.ptx, 8.1, sm_90",
            "kernels-sm90a.ptx, 8.1, sm_90a"})
    void theModuleAsksForTheOldestDriverAndGpuThatServe(String resource, String version, String target)
            throws IOException {
        assertThat(shipped(resource).lines().filter(line -> line.startsWith(".version") || line.startsWith(".target")))
                .containsExactly(".version " + version, ".target " + target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernels-sm80.ptx", "kernels-sm89.ptx", "kernels-sm90.ptx", "kernels-sm90a.ptx"})
    void theModuleHoldsEveryKernelAndNothingElse(String resource) throws IOException {
        Set<String> entries = new TreeSet<>();
        Matcher matcher = ENTRY.matcher(shipped(resource));
        while (matcher.find()) {
            entries.add(matcher.group(1));
        }
        assertThat(entries).isEqualTo(resource.endsWith("a.ptx") ? warpgroupKernels() : kernels());
    }

    @ParameterizedTest
    @ValueSource(strings = {"kernels-sm80.ptx", "kernels-sm89.ptx", "kernels-sm90.ptx", "kernels-sm90a.ptx"})
    void theModuleSaysNothingAboutWhereItWasCompiled(String resource) throws IOException {
        assertThat(shipped(resource).lines().skip(2)).noneMatch(line -> line.contains("//") || line.contains(".file"));
    }

    /// A kernel that starts while the one before runs may read weights alone until it waits, and write nothing.
    @Test
    void kernelsLoadWeightsAloneBeforeTheyWait() throws IOException {
        Map<String, Set<String>> early = new TreeMap<>();
        Matcher bodies = BODY.matcher(shipped("kernels-sm90.ptx") + shipped("kernels-sm90a.ptx"));
        while (bodies.find()) {
            String[] parts = bodies.group(2).split("griddepcontrol\\.wait;", 2);
            Set<String> accesses = new TreeSet<>();
            for (Matcher access = ACCESS.matcher(parts[0]); access.find();) {
                accesses.add(access.group(1));
            }
            if (parts.length == 2 && !accesses.isEmpty()) {
                early.put(bodies.group(1), accesses);
            } else if (parts.length == 1) {
                early.put(bodies.group(1), Set.of("no wait"));
            }
        }
        Map<String, Set<String>> expected =
                new TreeMap<>(Map.of("norm", Set.of("ld.global"), "reorder", Set.of("ld.global")));
        for (String kernel : Stream.concat(kernels().stream(), warpgroupKernels().stream()).toList()) {
            if (kernel.matches("matvec.*|matmul.*|wgmma.*")) {
                expected.put(kernel, Set.of("cp.async.cg"));
            } else if (kernel.startsWith("widen")) {
                expected.put(kernel, Set.of("ld.global"));
            } else if (kernel.matches("pack.*|copy_blocks|.*_rate")) {
                expected.put(kernel, Set.of("no wait"));
            }
        }
        assertThat(early).isEqualTo(expected);
    }

    /// Takes most of a minute; each module names the hash of its sources.
    @Test
    @LongForm
    void theCompilerThatMadeTheModulesMakesTheSameOnesAgain() throws IOException, InterruptedException {
        String compiler = shipped("kernels-sm80.ptx").lines().skip(1).findFirst().orElseThrow();
        assumeThat(compiler)
                .as("nvcc of the release that compiled the kernels is not at hand, so its text cannot be compared")
                .isEqualTo("// compiled by: nvcc " + release("nvcc"));
        Process check = new ProcessBuilder("bash", SOURCES.resolve("build.sh").toString(), "--check-baseline")
                .redirectErrorStream(true).start();
        String said = read(check);
        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void theCountsCoverTheKernelsOfEachArchitecture() throws IOException {
        Set<String> counted = Files.readAllLines(SOURCES.resolve("count/counts.txt")).stream()
                .filter(line -> !line.startsWith("#")).map(line -> line.replaceAll("^(\\w+) +(\\w+).*", "$1 $2"))
                .collect(Collectors.toCollection(TreeSet::new));
        Stream<String> own =
                Stream.of("sm_80", "sm_90").flatMap(arch -> kernels().stream().map(kernel -> arch + " " + kernel));
        assertThat(counted).isEqualTo(Stream.concat(own, warpgroupKernels().stream().map(kernel -> "sm_90a " + kernel))
                .collect(Collectors.toSet()));
    }

    /// As build.sh prints them when it compiles: no kernel has grown by over 5 %, and none spills. Counting takes most of a minute.
    @Test
    @LongForm
    void theKernelsHaveTheCountsOfTheTable() throws IOException, InterruptedException {
        String table = Files.readAllLines(SOURCES.resolve("count/counts.txt")).getFirst();
        assumeThat(table).as("ptxas of the release that made the table is not at hand, so nothing can be compared")
                .isEqualTo("# ptxas " + release("ptxas"));
        Process count = new ProcessBuilder("bash", SOURCES.resolve("build.sh").toString(), "--count")
                .redirectErrorStream(true).start();
        String said = read(count);
        assertThat(count.waitFor()).as(said).isZero();
    }

    private static String release(String compiler) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(compiler, "--version").redirectErrorStream(true).start();
            Matcher release = Pattern.compile("release .*").matcher(read(process));
            return process.waitFor() == 0 && release.find() ? release.group() : "absent";
        } catch (IOException _) {
            return "absent";
        }
    }

    private static String read(Process process) throws IOException {
        try (InputStream out = process.getInputStream()) {
            return new String(out.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Set<String> kernels() {
        Set<String> names = new TreeSet<>(List.of("norm", "reorder", "place_f16", "place_fp8", "sample_likeliest",
                "sample_masses", "sample_draw", "copy_blocks", "mma_rate", "read_rate"));
        for (String cache : List.of("f16", "fp8")) {
            Stream.of("64", "128", "any").forEach(headDim -> names.add("attend_" + cache + "_" + headDim));
        }
        for (String format : List.of("bf16", "fp8", "int4")) {
            names.add("pack_" + format);
            names.add("epilogue_" + format);
            names.add("matmul_" + format + "_128");
        }
        for (String format : List.of("bf16", "fp8", "int4", "int4_g64", "int4_g32")) {
            names.add("embed_" + format);
            names.add("widen_" + format);
            Stream.of(1, 2, 4).forEach(tokens -> names.add("matvec_" + format + "_" + tokens));
            Stream.of(8, 16, 32, 64).forEach(tokens -> names.add("matmul_" + format + "_" + tokens));
        }
        return names;
    }

    private static Set<String> warpgroupKernels() {
        return Set.of("wgmma_bf16_128", "wgmma_bf16_256", "wgmma_fp8_128", "wgmma_fp8_256", "wgmma_int4_128",
                "wgmma_int4_256", "wgmma_int4_g64_128", "wgmma_int4_g32_128");
    }

    private static String shipped(String resource) throws IOException {
        try (InputStream in = CudaBackend.class.getResourceAsStream(resource)) {
            assertThat(in).as(resource).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// As build.sh does it: name and text of every file, in order of name.
    private static String sourcesHash() throws IOException, NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        List<Path> files;
        try (Stream<Path> all = Files.list(SOURCES)) {
            files = all.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
        for (Path file : files) {
            digest.update((file.getFileName() + "\n").getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readString(file).replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
