package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.ExitCodes;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.plugin.PluginJar;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.results.ResultLibrary;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A scheduler of a jar runs like the program's own; a file that names one loads nothing.
@Execution(ExecutionMode.CONCURRENT)
class PluginRunTest {
    private static final List<String> RUN = List.of("run", "--engine", "tiny-int4", "--scheduler", "shortest-first",
            "--workload", "short", "--requests", "4", "--runs", "1", "--warmup", "0");

    @TempDir
    Path workspace;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @BeforeEach
    void prepareEngines() throws Exception {
        SmallestEngines.into(workspace);
    }

    private int cli(List<String> options, List<String> command) {
        PrintStream both = new PrintStream(said, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]), both, both, false, false, 100);
        CommandLineWiring wiring = new CommandLineWiring(EnvironmentVariables.ofProcess(),
                (folders, environment, plugins) -> new Program(folders, environment,
                        plugins.addedTo(SchedulerRegistry.standard()), HastyWorker.in(workspace, plugins)));
        return new Cli(wiring, terminal)
                .execute(Stream.of(List.of("--workspace", workspace.toString()), options, command).flatMap(List::stream)
                        .toArray(String[]::new));
    }

    @Test
    void resultsNameThePluginThatDecided() throws Exception {
        requirePlugins(List.of(), "shortest-first: shortest-first 1.0.0");
    }

    @Test
    @LongForm
    void resultsOfTheProgramsOwnSchedulersNameNone() throws Exception {
        requirePlugins(List.of("--scheduler", "naive"), "shortest-first: shortest-first 1.0.0", "naive: none");
    }

    private void requirePlugins(List<String> more, String... expected) throws Exception {
        PluginJar.in(Files.createDirectories(workspace.resolve("plugins")));
        assertThat(cli(List.of(), Stream.concat(RUN.stream(), more.stream()).toList())).as(said::toString)
                .isEqualTo(ExitCodes.DONE);

        ResultLibrary library = new ResultLibrary(workspace.resolve("results"));
        ExperimentRecord record = library.open(library.list().getFirst().folder());
        assertThat(record.runs()).extracting(PluginRunTest::plugin).containsExactlyInAnyOrder(expected);
    }

    private static String plugin(RunRecord run) {
        var plugin = run.manifest().system().plugin();
        return run.manifest().plan().cell().subject().system() + ": "
                + (plugin == null ? "none" : plugin.name() + " " + plugin.version());
    }

    @Test
    void anExperimentFileLoadsNoPlugin() throws Exception {
        Path jar = PluginJar.in(Files.createDirectories(workspace.resolve("elsewhere")));
        assertThat(cli(List.of(), RUN)).isEqualTo(2);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("Unknown scheduler \"shortest-first\"");
        assertThat(cli(List.of("--plugin", jar.toString()), List.of("help", "schedulers"))).isEqualTo(ExitCodes.DONE);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("One request at a time, the shortest answer first.");
    }
}
