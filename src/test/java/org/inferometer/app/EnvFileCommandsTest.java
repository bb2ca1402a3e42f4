package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.cli.Place;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.options.Selection;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The `.env` file of the workspace, seen from the command line.
class EnvFileCommandsTest {
    private static final String NOT_SET = "http: The environment variable MY_KEY of api_key_env is not set."
            + " Set it, or write it into .env in the workspace.\n";
    private static final EnvironmentVariables PROCESS =
            new EnvironmentVariables(Map.of("SHELL_ONLY", "x"), Map.of(), List.of());
    private static final List<String> RUN = List.of("run", "--target", "http:url=http://127.0.0.1:1,api_key_env=MY_KEY",
            "--workload", "short", "--runs", "1");

    @TempDir
    Path workspace;

    @TempDir
    Path elsewhere;

    private record Outcome(int exit, String err) {}

    @BeforeEach
    void writeForeignFiles() throws IOException {
        Files.writeString(elsewhere.resolve(".env"), "MY_KEY=foreign-key-1\n");
        Files.writeString(elsewhere.resolve("theirs.yaml"),
                "targets: [\"http:url=http://127.0.0.1:1,api_key_env=MY_KEY\"]\nworkloads: [short]\n");
        Files.createDirectories(workspace.resolve("experiments"));
        Files.copy(elsewhere.resolve(".env"), workspace.resolve("experiments/.env"));
        Files.copy(elsewhere.resolve("theirs.yaml"), workspace.resolve("experiments/theirs.yaml"));
    }

    private Outcome run(List<String> arguments) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]),
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 100);
        int exit = new Cli(new CommandLineWiring(PROCESS), terminal).execute(Stream
                .concat(Stream.of("--workspace", workspace.toString()), arguments.stream()).toArray(String[]::new));
        return new Outcome(exit, err.toString(StandardCharsets.UTF_8));
    }

    private void write(String text, String permissions) throws IOException {
        Path file = Files.writeString(workspace.resolve(".env"), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void keyOfTheWorkspaceIsUsed() throws Exception {
        assertThat(run(RUN)).isEqualTo(new Outcome(2, "error: --target: " + NOT_SET));
        write("MY_KEY=sk-of-the-workspace\n", "rw-------");
        assertThat(new CommandLineWiring(PROCESS).services(new Place(Optional.of(workspace), List.of())).registries()
                .targets().find("http").configure(Selection.parse("http:url=http://127.0.0.1:1,api_key_env=MY_KEY"))
                .variables()).containsExactly("MY_KEY");
    }

    @Test
    void fileBesideAnExperimentIsNotRead() {
        for (Path folder : List.of(elsewhere, workspace.resolve("experiments"))) {
            String file = folder.resolve("theirs.yaml").toString();
            assertThat(run(List.of("run", file, "--allow", "secret")))
                    .isEqualTo(new Outcome(2, "error: theirs.yaml:1: targets: " + NOT_SET));
        }
    }

    @Test
    void badFileIsOneSentence() throws IOException {
        write("# keys\nsk-of-the-workspace\n", "rw-------");
        String refused = "error: " + workspace.resolve(".env") + ", line 2: \"=\" is missing. Write NAME=value.\n";
        for (List<String> command : List.of(RUN, List.of("results", "list"), List.<String>of())) {
            assertThat(run(command)).isEqualTo(new Outcome(2, refused));
        }
        assertThat(run(List.of("run", "--help"))).isEqualTo(new Outcome(0, refused));
    }

    @Test
    void readableFileIsWarnedOfOnce() throws IOException {
        write("MY_KEY=sk-of-the-workspace\nSHELL_ONLY=y\n", "rw-r--r--");
        assertThat(run(List.of("results", "list"))).isEqualTo(new Outcome(0,
                "warning: " + workspace.resolve(".env") + " can be read by other users. Restrict it with chmod 600.\n"
                        + "warning: The environment wins over .env for SHELL_ONLY.\n"));
    }

    @Test
    void messagesHoldNoValueOfTheFile() throws IOException {
        write("OTHER=sk-of-the-workspace\n", "rw-------");
        assertThat(run(List.of("results", "show", "sk-of-the-workspace")).err()).contains("***")
                .doesNotContain("sk-of");
    }
}
