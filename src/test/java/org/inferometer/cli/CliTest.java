package org.inferometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.cli.program.HelpTopics;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.report.AlignedColumns;
import org.inferometer.selfcheck.SelfCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Execution(ExecutionMode.CONCURRENT)
class CliTest {
    private static final Pattern QUOTED_OR_WORD = Pattern.compile("\"[^\"]*\"|\\S+");
    private final CliFixture cli;

    CliTest(@TempDir Path folder) {
        cli = new CliFixture(folder);
    }

    private static SelfCheck.CheckPart part(String id, Consumer<Consumer<String>> begin, SelfCheckResult... results) {
        return new SelfCheck.CheckPart(List.of(id), begun -> {
            begin.accept(begun);
            return List.of(results);
        });
    }

    @Test
    void desktopOpensWithoutACommand() {
        assertThat(cli.run("--workspace", "lab").exit()).isZero();
        assertThat(cli.desktops).containsExactly(Optional.of(Path.of("lab")));
    }

    @Test
    void outputThatNoFileCanHaveIsAUsageError() {
        assertThat(cli.run("report", "latest", "--out", "a\0b")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: \"a b\" cannot be the name of a file: Nul character not allowed.\n"));
    }

    @Test
    void bundlesAndResultsOpenInTheDesktop() throws IOException {
        Path bundle = Files.write(Files.createDirectories(cli.results()).resolve("Shared.Inferometer"), new byte[1]);
        assertThat(cli.run("--workspace", "lab", bundle.toString()).exit()).isZero();
        assertThat(cli.run("open", bundle.toString()).exit()).isZero();
        assertThat(cli.opened).containsExactly(bundle, bundle);
        assertThat(cli.run("none.inferometer")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: none.inferometer does not exist. Name a bundle (.inferometer) or the folder of a result.\n"));
    }

    @Test
    void workspaceOptionIsPassedOn() {
        assertThat(cli.run("--workspace", "lab", "results", "list").out())
                .isEqualTo("No results in lab/results. Make one with \"inferometer run quick\".\n");
    }

    @Test
    void mistypedNamesSuggestTheNearest() {
        assertThat(cli.run("rum")).isEqualTo(new CliFixture.Outcome(2, "", """
                error: Unknown command "rum". Did you mean run? Valid: run, engines, results, suite, compare, gate, import, export, report, simulate, probe, devices, selfcheck, open, help.
                See: inferometer --help
                """));
        assertThat(cli.run("devices", "--jsn=1")).isEqualTo(new CliFixture.Outcome(2, "", """
                error: Unknown option "--jsn". Did you mean --json?
                See: inferometer devices --help
                """));
        assertThat(cli.run("devices", "gpu").err()).startsWith("error: Unexpected argument \"gpu\".\n");
    }

    @Test
    void internalErrorShowsItsTraceOnlyWithVerbose() {
        cli.selfChecks = List.of(part("timer_grain", begun -> {
            throw new IllegalStateException("broken clock");
        }));
        assertThat(cli.run("selfcheck"))
                .isEqualTo(new CliFixture.Outcome(3, "", "error: Internal error in \"inferometer selfcheck\":"
                        + " java.lang.IllegalStateException: broken clock. Run again with --verbose for the stack trace.\n"));
        assertThat(cli.run("selfcheck", "--verbose").err()).contains("\tat org.inferometer.cli.");
    }

    @Test
    void devicesShowsBackendsAndReadiness() {
        assertThat(cli.run("devices")).isEqualTo(new CliFixture.Outcome(0, """
                CPU      Example CPU, amd64, 2 physical cores, 4 logical cores usable
                Vectors  512 bits
                Memory   8.00 GiB, 6.00 GiB free
                System   Debian GNU/Linux 12
                Java     Java 25
                Load     0.500 runnable threads (1-minute average)

                No GPU found
                  libnvidia-ml.so.1  cannot open shared object file

                Backends
                  host  usable      4 threads, 512-bit vectors.
                  cuda  not usable  libcuda.so.1 was not found. Install an NVIDIA driver to use it.
                  Without a GPU only the cuda backend is unavailable.

                Readiness
                  Free memory   ready      6.00 GiB of 8.00 GiB free.
                  CPU governor  ATTENTION  powersave: choose "performance" while measuring.
                """, ""));
        JsonNode seen = new JsonMapper().readTree(cli.run("devices", "--json").out());
        assertThat(seen.path("report").path("governor").isNull()).isTrue();
        assertThat(seen.path("report").path("gpus").path("attempts").get(0).path("what").stringValue())
                .isEqualTo("libnvidia-ml.so.1");
        assertThat(seen.path("backends").get(1).path("usable").booleanValue()).isFalse();
    }

    @Test
    void failedSelfCheckExitsWithOne() {
        SelfCheckResult grain = new SelfCheckResult("timer_grain", "timer grain", 31.0, "ns",
                SelfCheckResult.Bound.AT_MOST, 1000.0, SelfCheckResult.State.PASSED, "Fine.");
        SelfCheckResult noise = new SelfCheckResult("noise", "noise", 0.2, "", SelfCheckResult.Bound.AT_MOST, 0.05,
                SelfCheckResult.State.FAILED, "End other programs.");
        SelfCheckResult loop = new SelfCheckResult("loop_steps", "engine loop", null, "steps/s",
                SelfCheckResult.Bound.NONE, null, SelfCheckResult.State.NOT_CHECKED, "No engine.");
        cli.selfChecks = List.of(part("timer_grain", begun -> begun.accept("timer grain"), grain, noise, loop));
        assertThat(cli.run("selfcheck")).isEqualTo(new CliFixture.Outcome(1, """
                CHECK        MEASURED       LIMIT  STATE        MEANING
                timer grain   31.0 ns  <= 1000 ns  passed       Fine.
                noise           0.200   <= 0.0500  FAILED       End other programs.
                engine loop         -           -  not checked  No engine.
                """, "checking timer grain\n"));
        JsonNode results = new JsonMapper().readTree(cli.run("selfcheck", "--json").out());
        assertThat(results.get(2).path("measured").isNull()).isTrue();
    }

    @Test
    void onlyRunsChecksByPrefix() {
        SelfCheckResult agreement = SelfCheckResult.atMost("cuda_agreement", "agreement", 43, "%", 100, "Fine.");
        cli.selfChecks = List.of(part("timer_grain", begun -> {
            throw new AssertionError("This check was not asked for.");
        }), part("cuda_agreement", begun -> {}, agreement));
        assertThat(cli.run("selfcheck", "--only", "cuda").out())
                .contains("agreement    43.0 %  <= 100 %  passed  Fine.");
        assertThat(cli.run("selfcheck", "--only", "gpu")).isEqualTo(new CliFixture.Outcome(2, "",
                "error: No check begins with \"gpu\"; there are timer_grain, cuda_agreement.\n"));
    }

    @Test
    void smallSizesAreNotSaved() {
        SelfCheckResult small = SelfCheckResult.figure("cuda_steps_small", "steps, small sizes", 2, "x", "Nothing.");
        cli.selfChecks = List.of(new SelfCheck.CheckPart(List.of("cuda_steps"), begun -> {
            throw new AssertionError("The whole check was not asked for.");
        }, Optional.of(begun -> List.of(small))));
        assertThat(cli.run("selfcheck", "--small").out()).contains("steps, small sizes    2.00 x");
        assertThat(cli.results().resolve("selfcheck.json")).doesNotExist();
        assertThat(cli.run("selfcheck", "--small", "--only", "host").err())
                .isEqualTo("error: No check with a small size begins with \"host\"; there are cuda_steps.\n");
        assertThat(cli.run("selfcheck", "--small", "--aa").err()).isEqualTo("error: --small does not take --aa.\n");
    }

    @Test
    void workerOwnsTheStandardStreams() {
        cli.in = new ByteArrayInputStream("plan".getBytes(StandardCharsets.UTF_8));
        cli.worker = (in, out) -> {
            out.print("frame of " + new String(in.readAllBytes(), StandardCharsets.UTF_8) + "\n");
            return 3;
        };
        assertThat(cli.run("worker")).isEqualTo(new CliFixture.Outcome(3, "frame of plan\n", ""));
        cli.worker = (in, out) -> {
            throw new IOException("gone");
        };
        assertThat(cli.run("worker"))
                .isEqualTo(new CliFixture.Outcome(3, "", "error: The worker lost its standard streams: gone\n"));
    }

    @Test
    void helpSchedulersListsOptions() {
        assertThat(cli.run("help", "schedulers")).isEqualTo(new CliFixture.Outcome(0, """
                Schedulers decide which requests run in each step. Write --scheduler NAME or NAME:option=value,option=value;
                short option names work too. A lane runs one step at a time. On the host a lane is a group of threads;
                --backend host:lanes=2 requests more lanes where the scheduler supports them.

                  naive: Collects a batch and runs it to its end.
                      Equal requests.
                      Lanes: 1 lane.
                      OPTION=DEFAULT    MEANING
                      max_batch_size=4  Requests in a batch. 1 to 64 requests. Short: batch.

                  continuous: One token budget a step.
                      Lanes: 1 lane.
                      no options
                """, ""));
        assertThat(cli.run("help", "scheduler").err())
                .startsWith("error: Unknown topic \"scheduler\". Did you mean schedulers?");
    }

    @Test
    void runHelpListsEveryName() {
        cli.write("engines/tiny-fp8/recipe.yaml", Samples.recipe("fp8"));
        cli.write("engines/tiny-int4/recipe.yaml", Samples.recipe("int4"));
        assertThat(cli.run("run", "--help").out()).contains("""
                Presets (inferometer help presets):
                  quick       Two precisions under two schedulers, about half a minute: a first look, no verdict.
                """, """
                Engines (inferometer engines list):
                  tiny-fp8, tiny-int4
                """, """
                Schedulers and their options (inferometer help schedulers):
                  naive       Collects a batch and runs it to its end. Options: max_batch_size=4.
                  continuous  One token budget a step.
                """, "8k1k, chat, code, agent, chat-sessions,", "agent-sessions, prompts:FILE, trace:FILE");
        assertThat(cli.run("help", "run").out()).isEqualTo(cli.run("run", "--help").out());
    }

    @Test
    void helpLinesFitTheTerminal() {
        Stream<String> commands = Stream.concat(
                all().map(
                        each -> each.getCommandSpec().qualifiedName(" ").replaceFirst("inferometer ?", "") + " --help"),
                HelpTopics.NAMES.stream().map(topic -> "help " + topic));
        commands.forEach(command -> assertThat(cli.run(command.strip().split(" ")).out().lines()).as(command)
                .allSatisfy(line -> assertThat(AlignedColumns.length(line)).as(line)
                        .isLessThanOrEqualTo(Terminal.USUAL_COLUMNS)));
    }

    @Test
    void everyCommandAndOptionIsDescribed() {
        all().forEach(command -> {
            assertThat(command.getCommandSpec().usageMessage().description()).as(command.getCommandName()).isNotEmpty();
            for (ArgSpec argument : command.getCommandSpec().args()) {
                assertThat(String.join(" ", argument.description()))
                        .as(command.getCommandName() + " " + argument.paramLabel()).endsWith(".");
            }
            for (OptionSpec option : command.getCommandSpec().options()) {
                assertThat(option.longestName()).as(command.getCommandName()).startsWith("--");
            }
        });
    }

    @Test
    void everyExampleParses() {
        List<String> examples = all().flatMap(command -> Stream.of(command.getCommandSpec().usageMessage().footer()))
                .map(String::strip).filter(line -> line.startsWith("inferometer ")).toList();
        assertThat(examples).hasSizeGreaterThan(20);
        for (String example : examples) {
            String[] words = QUOTED_OR_WORD.matcher(example.substring("inferometer ".length())).results()
                    .map(word -> word.group().replace("\"", "")).toArray(String[]::new);
            assertThat(commands().parseArgs(words).hasSubcommand()).as(example).isTrue();
        }
    }

    @Test
    void everyLeafCommandHasAnExample() {
        assertThat(all().filter(command -> command.getSubcommands().isEmpty()))
                .allSatisfy(command -> assertThat(command.getCommandSpec().usageMessage().footer())
                        .anyMatch(line -> line.startsWith("  inferometer ")));
    }

    private CommandLine commands() {
        return cli.cli(new ByteArrayOutputStream(), new ByteArrayOutputStream()).commands();
    }

    private Stream<CommandLine> all() {
        return withSubcommands(commands());
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(Stream.of(command),
                command.getSubcommands().values().stream().flatMap(CliTest::withSubcommands));
    }
}
