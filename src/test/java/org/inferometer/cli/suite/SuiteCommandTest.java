package org.inferometer.cli.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.CliFixture;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.suite.ServingConfigurations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteCommandTest {
    private final Path folder;
    private final CliFixture cli;

    SuiteCommandTest(@TempDir Path folder) {
        this.folder = folder;
        this.cli = new CliFixture(folder);
    }

    @Test
    void allFaultsOfAllFilesAreReported() throws IOException {
        Files.writeString(folder.resolve("good.yaml"),
                "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\nruns: 2\n");
        Files.writeString(folder.resolve("odd.yaml"), "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [shrt]\n");
        CliFixture.Outcome outcome = cli.run("suite", "validate", folder.toString());
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).contains("good.yaml").contains("valid").contains("INVALID")
                .contains("odd.yaml:3: Unknown workload \"shrt\".");
        Files.delete(folder.resolve("odd.yaml"));
        assertThat(cli.run("suite", "validate", folder.toString()).exit()).isZero();
    }

    @Test
    void missingAndEmptyFoldersAreUsageErrors() throws IOException {
        assertThat(cli.run("suite", "validate", "gone").exit()).isEqualTo(2);
        Files.createDirectory(folder.resolve("empty"));
        assertThat(cli.run("suite", "validate", folder.resolve("empty").toString()).exit()).isEqualTo(2);
        assertThat(cli.run("suite", "list", folder.resolve("empty").toString()).exit()).isEqualTo(2);
    }

    @Test
    void findingsOfTestsNameFileLineRuleFoundAndWanted() throws IOException {
        Path tests = Files.createDirectories(folder.resolve("configs/disagg/perf"));
        Files.writeString(tests.resolve("a.yaml"), ServingConfigurations.MINIMAL.replace("1 2 32", "1 0"));
        Files.writeString(tests.resolve("b.yaml"), ServingConfigurations.MINIMAL.replace("GB200", "H100"));
        CliFixture.Outcome outcome = cli.run("suite", "validate", folder.resolve("configs").toString());

        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out().replaceAll("\\s+", " ")).contains("disagg/perf/a.yaml - INVALID",
                "disagg/perf/a.yaml:10: error: concurrency_list: No request is in flight. Found 0, wanted 1 to 32.",
                "disagg/perf/b.yaml - valid",
                "disagg/perf/b.yaml:1: warning: supported_gpus: The documentation names one supported GPU alone."
                        + " Found H100, wanted GB200.");
        assertThat(cli.run("suite", "validate", folder.resolve("configs").toString(), "-k", "_b").exit()).isZero();
        assertThat(cli.run("suite", "validate", folder.resolve("configs").toString(), "-k", "_b", "--strict").exit())
                .isEqualTo(1);
    }

    @Test
    void validatingNothingIsNoSuccess() throws IOException {
        Path tests = Files.createDirectories(folder.resolve("configs/disagg/perf"));
        Files.writeString(tests.resolve("a.yaml"), ServingConfigurations.MINIMAL);
        String configs = folder.resolve("configs").toString();
        CliFixture.Outcome outcome = cli.run("suite", "validate", configs, "-k", "nothing");

        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).contains("No test is chosen. See: inferometer suite list configs");
    }

    @Test
    void namesWithControlCharactersArePlainInAPreview() throws IOException {
        Path tests = Files.createDirectories(folder.resolve("configs/disagg/perf"));
        Files.writeString(tests.resolve("a\nb\u001b[31m.yaml"), ServingConfigurations.MINIMAL);
        String out = cli.run("suite", "run", folder.resolve("configs").toString(), "--dry-run").out();

        assertThat(out).startsWith("disagg_perf_a b\ufffd[31m: cannot run\n");
    }

    @Test
    void jsonListsEveryFileThatTheTextCounts() throws IOException {
        Path tests = Files.createDirectories(folder.resolve("configs/disagg/perf"));
        Files.writeString(tests.resolve("a.yaml"), ServingConfigurations.MINIMAL);
        Files.writeString(tests.resolve("empty.yaml"), "");
        Files.writeString(folder.resolve("configs/night.yaml"),
                "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\nruns: 2\n");
        String configs = folder.resolve("configs").toString();

        assertThat(cli.run("suite", "list", configs).out().replaceAll("\\s+", " ")).contains(
                "disagg_perf_empty UNREADABLE", "night short (50 requests) tiny-int4 under naive chosen",
                "3 of 3 tests chosen.");
        assertThat(cli.run("suite", "list", configs, "--json").out().lines().map(String::strip)
                .filter(line -> line.startsWith("\"kind\"") || line.startsWith("\"file\"")
                        || line.startsWith("\"runs\"") || line.startsWith("\"sentence\"")))
                .containsExactly("\"kind\" : \"test\",", "\"file\" : \"disagg/perf/a.yaml\",",
                        "\"kind\" : \"unreadable\",", "\"file\" : \"disagg/perf/empty.yaml\",", "\"runs\" : 0,",
                        "\"sentence\" : \"The file is empty. Write a test configuration or an experiment, or delete it.\"",
                        "\"kind\" : \"experiment\",", "\"file\" : \"night.yaml\",", "\"runs\" : 2,");
    }

    @Test
    void namesAreMatchedWithoutEndingAlikeInEveryCommand() throws IOException {
        for (String file : List.of("a.yaml", "b.yml", "nightly/c.yaml")) {
            cli.write("suite/" + file, "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\n");
        }
        assertThat(chosen("-k", "a")).isEqualTo(List.of("a"));
        assertThat(chosen("-k", "yaml or yml or .")).isEmpty();
        assertThat(chosen("-k", "not A")).isEqualTo(List.of("b", "nightly_c"));
        assertThat(chosen("-m", "nightly")).isEqualTo(List.of("nightly_c"));
        assertThat(chosen("-m", "not nightly", "-k", "b or c")).isEqualTo(List.of("b"));
        assertThat(chosen("--type", "disagg")).isEmpty();
    }

    /// The experiments that list, validate and run choose; they must agree.
    private List<String> chosen(String... options) {
        List<String> listed = named("list", " chosen", options);
        assertThat(named("validate", " valid", options)).as("validate")
                .isEqualTo(listed.stream().map(id -> id.replace('_', '/')).toList());
        assertThat(cli.run(words("run", options, "--dry-run")).out().lines()
                .filter(line -> listed.contains(line.strip())).toList()).as("run").isEqualTo(listed);
        assertThat(cli.run(words("validate", options)).exit()).isEqualTo(listed.isEmpty() ? 2 : 0);
        return listed;
    }

    private List<String> named(String command, String state, String... options) {
        return cli.run(words(command, options)).out().lines().filter(line -> line.endsWith(state))
                .map(line -> line.split(" ")[0].replaceFirst("\\.ya?ml$", "")).toList();
    }

    private String[] words(String command, String[] options, String... more) {
        return Stream.of(new String[]{"suite", command, folder.resolve("suite").toString()}, options, more)
                .flatMap(Stream::of).toArray(String[]::new);
    }

    @Test
    void validateFindsWhatThePlanRefuses() {
        cli.write("suite/a.yaml", "engines: [nope]\nschedulers: [naive]\nworkloads: [short]\n");
        PlanFault engine = new PlanFault("engines", "Unknown engine \"nope\".");
        PlanFault scheduler = new PlanFault("schedulers", "Unknown option of naive \"size\".");
        cli.benchmarks.faults = List.of(engine, scheduler);
        assertThat(cli.run(words("validate", new String[0]))).isEqualTo(new CliFixture.Outcome(1, """
                FILE    RUNS  STATE
                a.yaml     -  INVALID

                a.yaml:1: engines: Unknown engine "nope".
                a.yaml:2: schedulers: Unknown option of naive "size".
                """, ""));
        CliFixture.Outcome elsewhere = cli.run(words("validate", new String[0], "--elsewhere"));
        assertThat(elsewhere.exit()).isEqualTo(1);
        assertThat(elsewhere.out()).contains("a.yaml:2: ").doesNotContain("a.yaml:1: ");
        cli.benchmarks.faults = List.of(engine);
        assertThat(cli.run(words("validate", new String[0], "--elsewhere")).exit()).isZero();
    }

    @Test
    void validateLooksAtNothingThatNobodyApproved() {
        cli.write("suite/a.yaml", "engines: [e]\nschedulers: [naive]\nworkloads: ['prompts:/etc/hostname']\n");
        cli.benchmarks.accesses = spec -> spec.workloads().stream().filter(load -> load.promptFile() != null)
                .map(load -> new Access(Access.Kind.FILE, String.valueOf(load.promptFile()))).toList();
        List<ExperimentSpec> checked = new ArrayList<>();
        cli.benchmarks.checked = checked::add;
        cli.run(words("validate", new String[0]));
        assertThat(checked).singleElement().satisfies(spec -> {
            assertThat(spec.engines()).containsExactly("e");
            assertThat(spec.workloads()).isEqualTo(ExperimentSpec.STANDARD.workloads());
        });
    }

    @Test
    void filesOfOneNameAreFaults() {
        String spec = "engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [short]\n";
        cli.write("suite/x/a.yaml", spec);
        cli.write("suite/x/a.yml", spec);
        cli.write("suite/x_a.yaml", spec);
        cli.write("suite/b.yaml", spec);
        CliFixture.Outcome outcome = cli.run(words("validate", new String[0]));
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out()).contains("x/a.yml: Its test has the name of x/a.yaml, x_a. Rename one.\n",
                "x_a.yaml: Its test has the name of x/a.yml, x_a. Rename one.\n").doesNotContain("b.yaml:");
    }

    @Test
    void listSaysWhichTestsAreChosen() throws IOException {
        Path tests = Files.createDirectories(folder.resolve("configs/disagg/perf"));
        Files.writeString(tests.resolve("a.yaml"), ServingConfigurations.MINIMAL);
        Files.writeString(tests.resolve("b.yaml"), ServingConfigurations.AGGREGATED);
        Path list = Files.writeString(folder.resolve("list.txt"), "t.py::T::t[disagg_perf_c]\n");
        String configs = folder.resolve("configs").toString();

        assertThat(cli.run("suite", "list", configs, "--gpu", "GB200_OCI").out().replaceAll("\\s+", " ")).contains(
                "disagg_perf_a 1024/1024 tokens, concurrency 1, 2, 32 1 context × 4 GPUs, 4 generation × 8 GPUs chosen",
                "left out: needs B200", "1 of 2 tests chosen.");
        assertThat(cli.run("suite", "list", configs, "--json").out()).contains("\"id\" : \"disagg_perf_b\"");
        CliFixture.Outcome unknown = cli.run("suite", "list", configs, "--test-list", list.toString());
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("The test list names \"disagg_perf_c\", which no file of the suite has."
                + " Did you mean disagg_perf_a or disagg_perf_b?");
        assertThat(cli.run("suite", "list", configs, "-k", "a b").exit()).isEqualTo(2);
    }
}
