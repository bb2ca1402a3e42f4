package org.inferometer.execution.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class KernelCountsTest {
    private static final String COUNTER = "src/main/cuda/count/KernelCounts.java";
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final int BARRIERS = 24;
    private static final String TABLE = """
            # ptxas release 13.0
            # arch kernel                registers   spilled    shared      loop    tensor
            sm_90  first                       100         0      1024       200        16
            sm_90  second                       40         0         0         0         0
            """;
    private static final String LOOPS = """
            .version 7.0
            .target sm_80
            .address_size 64
            .visible .entry loops(.param .u64 p, .param .u32 n) {
              .reg .pred %more;
              .reg .b32 %n, %i, %j, %a, %b;
              .reg .f32 %f<4>;
              .reg .b64 %p;
              .shared .b32 shared[64];
              ld.param.u64 %p, [p];
              ld.param.u32 %n, [n];
              ld.global.b32 %a, [%p];
              mov.b32 %b, shared;
              ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%p+16];
              mov.u32 %i, 0;
            OUTER:
              mov.u32 %j, 0;
              st.shared.b32 [%b], %i;
            TENSOR:
              .pragma "nounroll";
              mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
                {%f0, %f1, %f2, %f3}, {%a, %a, %a, %a}, {%a, %a}, {%f0, %f1, %f2, %f3};
              mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
                {%f0, %f1, %f2, %f3}, {%a, %a, %a, %a}, {%a, %a}, {%f0, %f1, %f2, %f3};
              add.u32 %j, %j, 1;
              setp.lt.u32 %more, %j, %n;
              @%more bra TENSOR;
              mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
                {%f0, %f1, %f2, %f3}, {%a, %a, %a, %a}, {%a, %a}, {%f0, %f1, %f2, %f3};
            PLAIN:
              .pragma "nounroll";
              BARRIERS
              sub.u32 %j, %j, 1;
              setp.gt.u32 %more, %j, 0;
              @%more bra PLAIN;
              add.u32 %i, %i, 1;
              setp.lt.u32 %more, %i, %n;
              @%more bra OUTER;
              st.global.v4.f32 [%p+16], {%f0, %f1, %f2, %f3};
              ret;
            }
            """;

    @TempDir
    static Path compiled;

    @TempDir
    Path folder;

    private record Said(int status, String out, String fault) {}

    @BeforeAll
    static void compileCounter() {
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", compiled.toString(), COUNTER))
                .isZero();
    }

    @Test
    void equalCountsPass() throws Exception {
        assertThat(compare(TABLE)).isEqualTo(new Said(0, TABLE.substring(TABLE.indexOf('\n') + 1), ""));
    }

    @ParameterizedTest
    @CsvSource({"' 200', ' 210'", "' 100', ' 105'", "' 100', '  90'"})
    void fivePercentMoreAndAnyLessPass(String before, String now) throws Exception {
        Said said = compare(TABLE.replace(before, now));
        assertThat(said.status()).as(said.fault()).isZero();
        assertThat(said.out()).contains("   was 100 0 1024 200 16");
    }

    @Test
    void sixPercentMoreInstructionsFail() throws Exception {
        Said said = compare(TABLE.replace(" 200", " 212"));
        assertThat(said.status()).isOne();
        assertThat(said.fault())
                .isEqualTo("build.sh: first on sm_90 has 212 instructions in its main loop, table has 200: "
                        + "shrink it, or accept it with build.sh --accept-counts.\n");
    }

    @Test
    void sixPercentMoreRegistersFail() throws Exception {
        assertThat(compare(TABLE.replace(" 100", " 106")).fault())
                .isEqualTo("build.sh: first on sm_90 has 106 registers, "
                        + "table has 100: shrink it, or accept it with build.sh --accept-counts.\n");
    }

    @Test
    void aSpillFailsWhateverTheTableSays() throws Exception {
        String spilled = TABLE.replace("40         0", "40         8");
        Files.writeString(folder.resolve("table"), spilled);
        assertThat(compare(spilled).fault()).isEqualTo("build.sh: second on sm_90 spills 8 bytes of registers.\n");
    }

    @Test
    void newAndMissingKernelsFail() throws Exception {
        assertThat(compare(TABLE.replace("second", "third ")).fault())
                .isEqualTo("build.sh: third on sm_90 is not in table: add it with build.sh --accept-counts.\n"
                        + "build.sh: second on sm_90 is in table but not in the module: "
                        + "remove it with build.sh --accept-counts.\n");
    }

    @Test
    void countsOfAnotherCompilerAreNotCompared() throws Exception {
        Said said = compare(TABLE.replace("13.0", "13.1").replace(" 200", " 300"));
        assertThat(said.status()).as(said.fault()).isZero();
        assertThat(said.out()).endsWith("Growth was not checked: table was made by ptxas release 13.0, these counts by "
                + "ptxas release 13.1.\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90"})
    void theInnermostTensorLoopIsCounted(String arch) throws Exception {
        Path source = Files.writeString(folder.resolve("loops.ptx"),
                LOOPS.replace("BARRIERS", "bar.sync 0;".repeat(BARRIERS)));
        Path object = folder.resolve("loops.cubin");
        Said assembled = assemble(List.of("ptxas", "-v", "-arch=" + arch, "-o", object.toString(), source.toString()));
        assertThat(assembled.status()).as(assembled.fault()).isZero();
        Path report = Files.writeString(folder.resolve("report"), assembled.fault());
        Said said = run(List.of(JAVA, COUNTER, "measure", "ptxas", arch, object.toString(), report.toString()));
        assertThat(said.fault()).isEmpty();
        String[] row = said.out().lines().toList().getLast().split(" +");
        assertThat(List.of(row[0], row[1], row[3], row[4], row[6])).isEqualTo(List.of(arch, "loops", "0", "256", "2"));
        // The plain loop has more.
        assertThat(Integer.parseInt(row[5])).isBetween(5, BARRIERS - 1);
    }

    private static Said assemble(List<String> command) throws Exception {
        try {
            return run(command);
        } catch (IOException absent) {
            assumeThat(absent).as("ptxas is not at hand").isNull();
            throw absent;
        }
    }

    private Said compare(String measured) throws Exception {
        Path table = folder.resolve("table");
        if (!Files.exists(table)) {
            Files.writeString(table, TABLE);
        }
        Path now = Files.writeString(folder.resolve("measured"), measured);
        return run(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", compiled.toString(), "KernelCounts", "compare",
                table.toString(), now.toString()));
    }

    private static Said run(List<String> command) throws IOException, InterruptedException {
        Path fault = Files.createTempFile("kernel-counts", ".txt");
        try {
            Process process = new ProcessBuilder(command).redirectError(fault.toFile()).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Said(process.waitFor(), out, Files.readString(fault));
        } finally {
            Files.delete(fault);
        }
    }
}
