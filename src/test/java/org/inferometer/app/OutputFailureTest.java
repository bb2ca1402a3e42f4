package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A result that cannot be written is an error, whatever the command found.
@Execution(ExecutionMode.CONCURRENT)
class OutputFailureTest {
    private static final String SAMPLE = Path.of("src/test/records/quick").toAbsolutePath().toString();

    @TempDir
    Path folder;

    /// Fails as a full disk does.
    private static final class FullDisk extends OutputStream {
        private boolean asked;

        @Override
        public void write(int b) throws IOException {
            asked = true;
            throw new IOException("No space left on device");
        }
    }

    static List<List<String>> commands() {
        List<List<String>> all = new ArrayList<>(List.of(List.of("--version"), List.of("--help"), List.of("help"),
                List.of("help", "metrics"), List.of("help", "presets"), List.of("results", "list"),
                List.of("results", "show", SAMPLE), List.of("results", "show", SAMPLE, "--json"),
                List.of("results", "steps", SAMPLE, "--run", "1"), List.of("results", "prune", "--older-than", "30d"),
                List.of("compare", SAMPLE + "#1", SAMPLE + "#2"), List.of("gate", SAMPLE + "#1", SAMPLE + "#2"),
                List.of("report", SAMPLE, "--out", "target/report.html"),
                List.of("report", SAMPLE, "--format", "csv", "--out", "-"),
                List.of("export", SAMPLE, "--format", "guidellm", "--out", "target/exported", "--force"),
                List.of("devices"), List.of("devices", "--json"), List.of("engines", "list"),
                List.of("engines", "inspect", "tiny-int4"), List.of("suite", "validate", "."),
                List.of("run", "--help")));
        for (String command : List.of("compare", "gate", "import", "export", "report", "devices", "selfcheck",
                "engines", "engines build", "engines verify", "results", "results share", "suite")) {
            all.add(Stream.concat(Stream.of(command.split(" ")), Stream.of("--help")).toList());
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("commands")
    void everyCommandThatCannotWriteItsResultExitsWithThree(List<String> command) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        FullDisk disk = new FullDisk();
        int exit = execute(disk, err, command);
        assertThat(disk.asked).as("the command printed something: %s", err).isTrue();
        assertThat(exit).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(3);
    }

    private int execute(OutputStream out, OutputStream err, List<String> command) {
        Terminal terminal =
                new Terminal(new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 100);
        return new Cli(new CommandLineWiring(EnvironmentVariables.ofProcess()), terminal).execute(
                Stream.concat(Stream.of("--workspace", folder.toString()), command.stream()).toArray(String[]::new));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDeviceIsNamedWithItsCause() throws Exception {
        Path err = folder.resolve("err.txt");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Main.class.getName(),
                "--version").redirectOutput(Path.of("/dev/full").toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(Files.readString(err)).isEqualTo(
                "error: The output could not be written (No space left on device). Write it to another place.\n");
    }
}
