package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Presets;
import org.inferometer.experiment.SpecReader;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultFiles;
import org.inferometer.results.ResultLibrary;
import org.inferometer.run.Workspace;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// An experiment that others wrote runs no program, contacts no machine, sends no secret and reads no file that the user did not
/// name.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class ForeignExperimentTest {
    private static final String WORKLOAD = "workloads: [short]\n";

    @TempDir
    Path workspace;

    @TempDir
    Path elsewhere;

    private Path marker;
    private Path program;
    private Path secretFile;

    private record Outcome(int exit, String out, String err) {}

    @BeforeEach
    void prepareWhatMustNotBeUsed() throws IOException {
        SmallestEngines.into(workspace);
        marker = elsewhere.resolve("it-ran");
        program = Files.writeString(elsewhere.resolve("tool.sh"), "#!/bin/sh\ntouch " + marker + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path engine = Files.createDirectories(elsewhere.resolve("engine"));
        Files.writeString(engine.resolve("config.json"), "{}");
        // Reading it would never end.
        secretFile = elsewhere.resolve("pipe.jsonl");
        new ProcessBuilder("mkfifo", secretFile.toString()).start().onExit().join();
    }

    private Program program(Workspace folders, EnvironmentVariables environment) {
        return new Program(folders, environment, HastyWorker.in(workspace));
    }

    private Outcome run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal =
                new Terminal(new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 100);
        int exit = new Cli(new CommandLineWiring(EnvironmentVariables.ofProcess(),
                (folders, environment, plugins) -> program(folders, environment)), terminal)
                .execute(Stream.concat(Stream.of("--workspace", workspace.toString()), Stream.of(arguments))
                        .toArray(String[]::new));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String yaml(String text) throws IOException {
        Path folder = Files.createDirectories(workspace.resolve("shared"));
        return Files.writeString(folder.resolve("theirs.yaml"), text).toString();
    }

    private String edgeLlm() {
        return "edgellm:binary=" + program + ",engine_dir=" + elsewhere.resolve("engine");
    }

    @Test
    void aProgramOfAFileDoesNotRun() throws IOException {
        String file = yaml("targets: [\"" + edgeLlm() + "\"]\n" + WORKLOAD);
        assertThat(run("run", file)).isEqualTo(new Outcome(2, "",
                "error: " + file + ": This experiment runs the program " + program
                        + ". If you trust it, add --allow program.\n" + "error: " + file + ": This experiment reads "
                        + elsewhere.resolve("engine") + ". If you trust it, add --allow file.\n"));
        assertThat(marker).doesNotExist();
    }

    @Test
    void onlyTheApprovedKindIsUsed() throws IOException {
        String file = yaml("targets: [\"" + edgeLlm() + "\"]\n" + WORKLOAD);
        assertThat(run("run", file, "--allow", "file").err()).isEqualTo("error: " + file
                + ": This experiment runs the program " + program + ". If you trust it, add --allow program.\n");
        assertThat(run("run", file, "--allow", "programs"))
                .isEqualTo(new Outcome(2, "", "error: Unknown kind for --allow \"programs\". Did you mean program? "
                        + "Valid: program, address, secret, file, job.\n"));
        assertThat(marker).doesNotExist();
        run("run", file, "--allow", "file,program", "--runs", "1", "--requests", "1");
        assertThat(marker).exists();
    }

    @Test
    void aSecretIsNotSentEvenToThisMachine() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + server.getLocalPort();
            String file = yaml("targets: [\"http:url=" + url + ",api_key_env=PATH\"]\n" + WORKLOAD);
            assertThat(run("run", file)).isEqualTo(new Outcome(2, "",
                    "error: " + file + ": This experiment sends the secret in the environment variable PATH."
                            + " If you trust it, add --allow secret.\n"));
            server.setSoTimeout(200);
            assertThat(accepted(server)).as("a request reached the server").isFalse();
        }
    }

    private static boolean accepted(ServerSocket server) throws IOException {
        try {
            server.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void addressesOffThisMachineNeedApproval() throws IOException {
        for (String host : List.of("192.0.2.1", "127.0.0.1.example", "localhost.example", "[2001:db8::1]",
                "2130706433")) {
            String file = yaml("targets: [\"http:url=http://" + host + ":8000\"]\n" + WORKLOAD);
            assertThat(run("run", file)).as(host)
                    .isEqualTo(new Outcome(2, "", "error: " + file + ": This experiment sends requests to http://"
                            + host + ":8000. If you trust it, add --allow address.\n"));
        }
        for (String option : List.of("metrics", "gpu_metrics")) {
            String file =
                    yaml("targets: [\"http:url=http://127.0.0.1:9," + option + "=http://192.0.2.1/m\"]\n" + WORKLOAD);
            assertThat(run("run", file).err()).contains("sends requests to http://192.0.2.1")
                    .contains("--allow address");
        }
    }

    @Test
    void filesOutsideTheFoldersAreNotRead() throws IOException {
        for (String workload : List.of("{prompts: \"" + secretFile + "\"}", "{trace: \"" + secretFile + "\"}",
                "{trace: \"" + secretFile + ",speed=2\"}")) {
            String file = yaml("engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [" + workload + "]\n");
            Outcome outcome = run("run", file);
            assertThat(outcome).as(workload).isEqualTo(new Outcome(2, "", "error: " + file + ": This experiment reads "
                    + secretFile + ". If you trust it, add --allow file.\n"));
        }
    }

    @Test
    void aLinkOutOfTheFolderIsOutside() throws IOException {
        Path inside = Files.createDirectories(workspace.resolve("shared")).resolve("prompts.jsonl");
        Path target = Files.writeString(elsewhere.resolve("private.jsonl"), "{\"prompt\": \"secret\"}\n");
        Files.createSymbolicLink(inside, target);
        String file = yaml("engines: [tiny-int4]\nschedulers: [naive]\nworkloads: [{prompts: \"" + inside + "\"}]\n");
        assertThat(run("run", file).err()).isEqualTo(
                "error: " + file + ": This experiment reads " + inside + ". If you trust it, add --allow file.\n");
    }

    @Test
    void whatTheCommandLineNamesNeedsNoApproval() throws IOException {
        String file = yaml("targets: [\"" + edgeLlm() + "\"]\n" + WORKLOAD);
        Outcome named = run("run", file, "--target", edgeLlm(), "--runs", "1", "--requests", "1");
        assertThat(named.err()).doesNotContain("--allow");
        assertThat(marker).exists();
    }

    @Test
    void repeatingOrOpeningARecordUsesNothing() throws Exception {
        ExperimentSpec hostile = new SpecReader().read(
                Path.of(yaml("targets: [\"" + edgeLlm() + "\", \"http:url=http://192.0.2.1,api_key_env=HOME,ca_file="
                        + secretFile + "\"]\nworkloads: [{prompts: \"" + secretFile + "\"}]\n")));
        Path folder = workspace.resolve("results").resolve("theirs");
        try (ResultFiles files = new ResultFiles()) {
            ExperimentManifest sample =
                    new ResultLibrary(Path.of("src/test/records")).open(Path.of("src/test/records/quick")).manifest();
            files.saveExperiment(folder, new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, "theirs", hostile,
                    List.of(), sample.machine(), sample.times(), sample.outcome(), false));
        }
        Outcome again = run("run", "--again", "theirs");
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.out()).isEmpty();
        assertThat(again.err().lines()).containsExactlyInAnyOrder(
                "error: theirs: This experiment runs the program " + program
                        + ". If you trust it, add --allow program.",
                "error: theirs: This experiment reads " + elsewhere.resolve("engine")
                        + ". If you trust it, add --allow file.",
                "error: theirs: This experiment sends requests to http://192.0.2.1. If you trust it, add --allow address.",
                "error: theirs: This experiment sends the secret in the environment variable HOME. "
                        + "If you trust it, add --allow secret.",
                "error: theirs: This experiment reads " + secretFile + ". If you trust it, add --allow file.");
        for (List<String> open : List.of(List.of("results", "show", "theirs"), List.of("results", "list"),
                List.of("report", "theirs"), List.of("compare", "theirs", "theirs"))) {
            run(open.toArray(String[]::new));
        }
        assertThat(marker).doesNotExist();
    }

    @Test
    void presetsNeedNoApproval() {
        Program program = program(new Workspace(workspace), EnvironmentVariables.ofProcess());
        assertThat(new Presets().all())
                .allSatisfy(preset -> assertThat(program.benchmarks(workspace).accesses(preset.spec())).isEmpty());
        assertThat(program.benchmarks(workspace).accesses(
                ExperimentSpec.STANDARD.onTargetsOnly(List.of(Selection.parse("http:url=http://127.0.0.1:8000,name=a"),
                        Selection.parse("http:url=localhost:1"), Selection.parse("http:url=http://[::1]:1")))))
                .isEmpty();
    }
}
