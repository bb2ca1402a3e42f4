package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Kills the program that runs a suite at random instants. Afterwards its session opens, goes on, and ends complete.
///
/// `-Dinferometer.kills=50` kills more often.
@LongForm
@Timeout(1800)
class KilledSuiteTest {
    private static final int KILLS = Integer.getInteger("inferometer.kills", 2);
    private static final int TESTS = 3;
    private static final long LATEST_MILLIS = 2500;

    @TempDir
    Path folder;

    private Path workspace;
    private Path suite;

    /// What a command printed, and its exit code.
    private record Ended(int code, String said) {}

    @BeforeEach
    void suite() throws IOException {
        workspace = Files.createDirectories(folder.resolve("workspace"));
        suite = Files.createDirectories(folder.resolve("suite"));
        for (int i = 0; i < TESTS; i++) {
            Files.writeString(suite.resolve("test" + i + ".yaml"), "name: test" + i
                    + "\ntargets: [\"null:name=nothing\"]\nworkloads: [{name: w, requests: 20, arrivals: \"constant:rate=40\"}]\n"
                    + "runs: 1\nwarmup: 0\n");
        }
    }

    @Test
    void sessionOfAKilledProgramGoesOnToItsEnd() throws Exception {
        SplittableRandom random = new SplittableRandom(23);
        int begun = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            List<String> command = sessions().isEmpty() ? List.of("suite", "run", suite.toString())
                    : List.of("suite", "run", "--resume", "latest");
            kill(command, random.nextLong(LATEST_MILLIS), random.nextBoolean());
            if (!sessions().isEmpty()) {
                begun++;
                assertThat(run("suite", "status", "latest").code).isZero();
            }
            if (kill % 10 == 9) {
                finish();
            }
        }
        finish();
        assertThat(begun).as("kills came late enough").isPositive();
        assertThat(run("results", "prune", "--yes").said).doesNotContain("error:");
        assertThat(hidden(folder)).isEmpty();
    }

    private void finish() throws Exception {
        Ended ended = sessions().isEmpty() ? run("suite", "run", suite.toString())
                : run("suite", "run", "--resume", "latest");
        assertThat(ended.code).as(ended.said).isZero();
        assertThat(ended.said).contains(TESTS + " complete.");
        // The next round begins a session of its own.
        Path done = Files.createDirectories(folder.resolve("done"));
        for (Path session : sessions()) {
            Files.move(session, done.resolve(session.getFileName() + "-" + done.toFile().list().length));
        }
    }

    private List<Path> sessions() throws IOException {
        Path sessions = workspace.resolve("suites");
        if (!Files.isDirectory(sessions)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(sessions)) {
            return all.filter(session -> Files.exists(session.resolve("session.json"))).toList();
        }
    }

    private void kill(List<String> command, long afterMillis, boolean workersToo) throws Exception {
        Process process = program(command).start();
        process.waitFor(500 + afterMillis, TimeUnit.MILLISECONDS);
        List<ProcessHandle> workers = process.descendants().toList();
        process.toHandle().destroyForcibly();
        process.waitFor();
        for (ProcessHandle worker : workers) {
            if (workersToo) {
                worker.destroyForcibly();
            }
            worker.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    private Ended run(String... command) throws IOException, InterruptedException {
        int code = program(List.of(command)).start().waitFor();
        return new Ended(code, Files.readString(folder.resolve("said")));
    }

    private ProcessBuilder program(List<String> command) {
        return new ProcessBuilder(EchoedKeyTest.CommandLine.command(workspace, command)).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
    }

    /// Hidden entries at any depth, except locks and the folder of notes.
    static List<Path> hidden(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(path -> path.getFileName().toString().startsWith("."))
                    .filter(path -> !path.endsWith(".outputs") && !path.endsWith(".lock")).toList();
        }
    }
}
