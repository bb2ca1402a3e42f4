package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.units.EnvironmentVariables;
import org.inferometer.units.FolderTree;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Every reading command answers a damaged record with a result or with sentences, never with a stack trace.
///
/// `-Dinferometer.records=200` damages so many.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
@Timeout(3600)
class DamagedRecordCommandsTest {
    private static final int RECORDS = Integer.getInteger("inferometer.records", 3);
    private static final Path SAMPLE = Path.of("src/test/records/schedulers-tiny");

    @TempDir
    Path folder;

    private record Outcome(int exit, String out, String err) {}

    @Test
    void everyCommandAnswersDamagedRecords() throws IOException {
        Path out = Files.createDirectory(folder.resolve("out"));
        for (int i = 0; i < RECORDS; i++) {
            Path record = folder.resolve("results").resolve("damaged");
            String damage = damagedCopy(record, new Seed(11).part(i).generator());
            for (List<String> command : commands(record.toString(), out)) {
                Outcome outcome = run(command);
                assertThat(outcome.exit()).as("%s of %d: %s: %s", command, i, damage, outcome)
                        .isIn(command.getFirst().equals("gate") ? List.of(0, 1, 2, 3) : List.of(0, 2, 3));
                assertThat(outcome.out() + outcome.err()).as("%s of %d: %s", command, i, damage).doesNotContain("\tat ",
                        "Internal error", "java.lang", "java.io", "java.nio", "jackson");
                assertThat(outcome.err().lines()).as("%s of %d: %s", command, i, damage)
                        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(510));
            }
            FolderTree.delete(record);
        }
    }

    private static List<List<String>> commands(String record, Path out) {
        return List.of(List.of("results", "list"), List.of("results", "show", record),
                List.of("results", "show", record, "--json"), List.of("results", "show", record, "--profile"),
                List.of("results", "steps", record, "--limit", "5"), List.of("simulate", record),
                List.of("report", record, "--out", out.resolve("r.html").toString()),
                List.of("report", record, "--out", out.resolve("r.md").toString()),
                List.of("report", record, "--format", "csv", "--out", "-"),
                List.of("compare", record + "#1", record + "#2"), List.of("gate", record + "#1", record + "#2"),
                List.of("export", record, "--format", "vllm", "--out", out.toString(), "--force"),
                List.of("results", "share", record, "--out", out.resolve("shared").toString()),
                List.of("results", "prune", "--older-than", "1d"));
    }

    /// Copies the sample and damages one or two of its files.
    ///
    /// @return their names
    private static String damagedCopy(Path record, RandomGenerator random) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(SAMPLE)) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            Path copy = record.resolve(SAMPLE.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
        StringBuilder names = new StringBuilder();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            // Half of the damage hits the experiment's own file.
            Path chosen =
                    random.nextBoolean() ? SAMPLE.resolve("experiment.json") : files.get(random.nextInt(files.size()));
            Path copy = record.resolve(SAMPLE.relativize(chosen).toString());
            Files.write(copy, Mutations.of(Files.readAllBytes(copy), random));
            names.append(SAMPLE.relativize(chosen)).append(' ');
        }
        return names.toString();
    }

    private Outcome run(List<String> command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal =
                new Terminal(new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 100);
        int exit = new Cli(new CommandLineWiring(EnvironmentVariables.ofProcess()), terminal).execute(
                Stream.concat(Stream.of("--workspace", folder.toString()), command.stream()).toArray(String[]::new));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
