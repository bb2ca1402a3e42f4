package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Selection;
import org.inferometer.plugin.Plugins;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.OneLine;
import org.inferometer.units.Seed;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Experiments far beyond the machine are refused in sentences, within 5 s and 256 MiB.
@Execution(ExecutionMode.CONCURRENT)
class OversizedExperimentTest {
    @TempDir
    Path folder;

    /// Reads, checks and draws experiments, and prints what it says to each. Arguments: workspace and files.
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws Exception {
            Path workspace = Path.of(arguments[0]);
            Program program = new Program(new Workspace(workspace), EnvironmentVariables.ofProcess(), Plugins.NONE);
            for (String file : List.of(arguments).subList(1, arguments.length)) {
                long start = System.nanoTime();
                System.out.println("read " + Path.of(file).getFileName());
                read(program, workspace, Path.of(file));
                System.out.println("took " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s");
            }
        }

        private static void read(Program program, Path workspace, Path file) throws Exception {
            try {
                ExperimentSpec spec = new SpecReader().read(file);
                List<PlanFault> faults = program.benchmarks(workspace).check(spec);
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

    private static List<String> experiments() {
        return List.of(load("prompt_tokens: 1000000, requests: 10000000"),
                load("prompt_tokens: \"lognormal(900000, 0.1, 1..999999999)\", requests: 10000000"),
                load("prompt_tokens: \"1..999999999\", requests: 9999999"),
                load("prompt_tokens: 999999999, requests: 1"), load("prompt_tokens: 1, requests: 10000000"),
                load("prompt_tokens: 1, requests: 10, shared_prefix: 1048576, prefix_groups: 10000"),
                load("prompt_tokens: 1000, output_tokens: 1000, requests: 1000000, turns: 1000"),
                load("prompt_tokens: 1000, output_tokens: 1000, requests: 1000000, turns: 1000, max_context: 1048576"),
                load("prompt_tokens: 1000, duration: 24h, arrivals: \"poisson:rate=1000000\""),
                "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
                        + IntStream.range(0, 30).mapToObj(i -> "c" + i + ": &c" + i + " [*b,*b,*b,*b,*b,*b,*b,*b]\n")
                                .collect(Collectors.joining()),
                "targets: " + "[".repeat(100_000),
                "targets: [\"null:name=" + "x".repeat(900_000) + "\"]\nworkloads: [short]\n",
                "targets:\n" + IntStream
                        .range(0, 20_000).mapToObj(i -> "- \"null:name=n" + i + "\"\n").collect(Collectors.joining())
                        + "workloads: ["
                        + IntStream.range(0, 1_000).mapToObj(i -> "{name: w" + i + "}")
                                .collect(Collectors.joining(", "))
                        + "]\n",
                "targets: [\"null\"]\nworkloads: [short]\nruns: 2147483647\n",
                "targets: [\"null\"]\nworkloads: [short]\nsweep: rate=1.." + "9".repeat(300) + "\n");
    }

    private static String load(String fields) {
        return "targets: [\"null\"]\nworkloads: [{name: w, " + fields + "}]\nruns: 1\n";
    }

    @Test
    void oversizedExperimentsAreRefusedBeforeTheyTakeMemory() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                        System.getProperty("java.class.path"), Reader.class.getName(), folder.toString()));
        for (String experiment : experiments()) {
            command.add(Files.writeString(folder.resolve(command.size() + ".yaml"), experiment).toString());
        }
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        List<String> answers = List.of(Files.readString(output).split("(?m)^read "));

        assertThat(ended).as("%s", answers.getLast()).isTrue();
        assertThat(answers.subList(1, answers.size())).as("%s", answers).hasSameSizeAs(experiments())
                .allSatisfy(answer -> assertThat(answer).matches("(?s)\\d+\\.yaml\nrefused: .*\ntook [0-4] s\n")
                        .doesNotContain("\tat "));
    }
}
