package org.inferometer.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.options.Selection;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class SpecReaderTest {
    private static final String WHOLE = """
            name: night
            engines: [tiny-fp8, tiny-int4]
            schedulers:
              - naive:batch_size=8
              - continuous
            workloads:
              - short
              - preset: chat
                name: busy chat
                requests: 200
                arrivals: poisson:rate=12
            backend: host:threads=2
            runs: 5
            warmup: 2
            seed: 7
            sample_every: 50ms
            kv_memory: 64MiB
            baseline: continuous
            limits:
              max_batch_size: 16
            """;

    @Test
    void aWholeFileIsRead() throws PlanException {
        WorkloadPresets presets = new WorkloadPresets();
        WorkloadSpec chat = presets.find("chat");
        WorkloadSpec busy = new WorkloadSpec("busy chat", chat.promptTokens(), chat.outputTokens(), null, 0,
                new ArrivalProcess.Poisson(12), 200, 0);
        assertThat(new SpecReader().read(WHOLE, "night.yaml"))
                .isEqualTo(new ExperimentSpec("night", List.of("tiny-fp8", "tiny-int4"),
                        List.of(Selection.parse("naive:batch_size=8"), Selection.of("continuous")),
                        List.of(presets.find("short"), busy), Selection.parse("host:threads=2"), 5, 2, 7, 50, 64L << 20,
                        ExperimentSpec.AskedLimits.of(16, 0, 0)).withBaseline("continuous"));
    }

    @Test
    void allFaultsAreSaidAtOnceWithTheirLines() {
        String broken = """
                engine: [tiny-fp8]
                schedulers: []
                workloads:
                  - shrt
                  - preset: chat
                    prompt_tokens: 9..3
                runs: many
                runs: 3
                """;
        assertThatThrownBy(() -> new SpecReader().read(broken, "bad.yaml"))
                .isInstanceOfSatisfying(PlanException.class,
                        e -> assertThat(e.faults().stream().map(PlanFault::where)).containsExactly("bad.yaml:8",
                                "bad.yaml:1", "bad.yaml:1", "bad.yaml:2", "bad.yaml:4", "bad.yaml:6"))
                .hasMessageContaining("Did you mean engines?").hasMessageContaining("Did you mean short?")
                .hasMessageContaining("\"runs\" is written twice")
                .hasMessageContaining("\"9..3\" is not a token length");
    }

    @Test
    void whatIsNoYamlIsSaidWithItsLine() {
        assertThatThrownBy(() -> new SpecReader().read("engines: [a\nschedulers: b", "x.yaml"))
                .hasMessageStartingWith("x.yaml:2: Syntax error");
        assertThatThrownBy(() -> new SpecReader().read("", "x.yaml")).hasMessageContaining("\"engines\" is missing");
        assertThatThrownBy(() -> new SpecReader().read("[".repeat(20_000), "x.yaml")).isInstanceOf(PlanException.class);
        assertThatThrownBy(() -> new SpecReader().read("engines: [\"\\UFFFFFFFF\"]", "x.yaml")).isInstanceOfSatisfying(
                PlanException.class,
                e -> assertThat(e.faults().getFirst().toString()).startsWith("x.yaml:1: Syntax error: "));
    }

    @Test
    void faultsOfThePlanStandAtTheirKeys(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("night.yaml"), WHOLE);
        assertThat(new SpecReader().located(file,
                List.of(new PlanFault("limits.max_batch_size", "Too many."),
                        new PlanFault("tiny-fp8 · naive", "Too long."))))
                .containsExactly(new PlanFault("night.yaml:19", "limits.max_batch_size: Too many."),
                        new PlanFault("tiny-fp8 · naive", "Too long."));
    }

    @Test
    void noBytesMakeTheReaderDoAnythingButReadOrRefuse() {
        RandomGenerator random = new Seed(11).generator();
        int refused = 0;
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(WHOLE);
            for (int change = 0; change < 1 + i % 4; change++) {
                text.setCharAt(random.nextInt(text.length()),
                        "[]{}:-&*!|>'\"%@`#\n\t 0\u0000\u00e9".charAt(random.nextInt(23)));
            }
            try {
                assertThat(new SpecReader().read(text.toString(), "f.yaml").engines()).isNotEmpty();
            } catch (PlanException e) {
                assertThat(e.faults()).isNotEmpty();
                refused++;
            }
        }
        assertThat(refused).isBetween(1, 2999);
    }

    @Test
    void loadIsSweptOrSearchedNotBoth() {
        String start = "engines: [a]\nschedulers: [naive]\nworkloads: [short]\nsearch: concurrency=1..8\n";
        assertThatThrownBy(() -> new SpecReader().read(start + "sweep: rate=1,2\n", "x.yaml"))
                .hasMessageContaining("Give only one of sweep, search");
        assertThatCode(() -> new SpecReader().read(start + "sweep: prompt_tokens=8,16\n", "x.yaml"))
                .doesNotThrowAnyException();
    }
}
