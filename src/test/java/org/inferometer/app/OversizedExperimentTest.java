package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Selection;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.OneLine;
import org.inferometer.units.Seed;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Experiments far beyond the machine are refused in sentences, within 5 s and 256 MiB.
@Execution(ExecutionMode.CONCURRENT)
class OversizedExperimentTest {
    @TempDir
    Path folder;

    /// Reads, checks and draws the experiment of a file. Arguments: workspace and file.
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws Exception {
            Program program = new Program(new Workspace(Path.of(arguments[0])), EnvironmentVariables.ofProcess());
            try {
                ExperimentSpec spec = new SpecReader().read(Path.of(arguments[1]));
                List<PlanFault> faults = program.benchmarks(Path.of(arguments[0])).check(spec);
                if (!faults.isEmpty()) {
                    throw new PlanException(faults);
                }
                Tokenizer tokenizer = program.targets().find("null").configure(Selection.of("null")).tokenizer();
                for (WorkloadSpec workload : spec.workloads()) {
                    new WorkloadDraw(tokenizer).draw(workload, 1, new Seed(1));
                }
                System.out.println("accepted");
            } catch (PlanException e) {
                e.faults().stream().limit(50)
                        .forEach(fault -> System.out.println("refused: " + OneLine.of(fault.toString(), 500)));
            } catch (IllegalArgumentException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    static Stream<Arguments> experiments() {
        return Stream.of(load("prompt_tokens: 1000000, requests: 10000000"),
                load("prompt_tokens: \"lognormal(900000, 0.1, 1..999999999)\", requests: 10000000"),
                load("prompt_tokens: \"1..999999999\", requests: 9999999"),
                load("prompt_tokens: 999999999, requests: 1"), load("prompt_tokens: 1, requests: 10000000"),
                load("prompt_tokens: 1, requests: 10, shared_prefix: 1048576, prefix_groups: 10000"),
                load("prompt_tokens: 1000, output_tokens: 1000, requests: 1000000, turns: 1000"),
                load("prompt_tokens: 1000, output_tokens: 1000, requests: 1000000, turns: 1000, max_context: 1048576"),
                load("prompt_tokens: 1000, duration: 24h, arrivals: \"poisson:rate=1000000\""),
                Arguments.of("aliases",
                        "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n" + IntStream.range(0, 30)
                                .mapToObj(i -> "c" + i + ": &c" + i + " [*b,*b,*b,*b,*b,*b,*b,*b]\n")
                                .collect(Collectors.joining())),
                Arguments.of("nesting", "targets: " + "[".repeat(100_000)),
                Arguments.of("names", "targets: [\"null:name=" + "x".repeat(900_000) + "\"]\nworkloads: [short]\n"),
                Arguments.of("cells",
                        "targets:\n"
                                + IntStream.range(0, 20_000).mapToObj(i -> "- \"null:name=n" + i + "\"\n")
                                        .collect(Collectors.joining())
                                + "workloads: ["
                                + IntStream.range(0, 1_000).mapToObj(i -> "{name: w" + i + "}")
                                        .collect(Collectors.joining(", "))
                                + "]\n"),
                Arguments.of("repetitions", "targets: [\"null\"]\nworkloads: [short]\nruns: 2147483647\n"),
                Arguments.of("sweep",
                        "targets: [\"null\"]\nworkloads: [short]\nsweep: rate=1.." + "9".repeat(300) + "\n"));
    }

    private static Arguments load(String fields) {
        return Arguments.of(fields, "targets: [\"null\"]\nworkloads: [{name: w, " + fields + "}]\nruns: 1\n");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("experiments")
    void oversizedExperimentIsRefusedBeforeItTakesMemory(String name, String experiment) throws Exception {
        Path file = Files.writeString(folder.resolve("e.yaml"), experiment);
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m", "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Reader.class.getName(), folder.toString(), file.toString())
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(10, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        String start = text.substring(0, Math.min(500, text.length()));
        assertThat(ended).as("%s: %s", name, start).isTrue();
        assertThat(start).startsWith("refused: ").doesNotContain("\tat ");
    }
}
