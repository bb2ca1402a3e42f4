package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.inferometer.results.SampleRecords;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Kills commands that write outside the workspace. `results prune` without a folder removes what they left there.
///
/// `-Dinferometer.kills=50` kills more often.
@Tag("endurance")
@Timeout(1800)
@Execution(ExecutionMode.CONCURRENT)
class KilledCommandsTest {
    private static final int KILLS = Integer.getInteger("inferometer.kills", 3);
    private static final String SAMPLE = "sample";

    @TempDir
    Path folder;

    private Path workspace;
    private Path elsewhere;

    @BeforeEach
    void sample() throws IOException {
        workspace = folder.resolve("workspace");
        elsewhere = folder.resolve("else where");
        SampleRecords.writeExperiment(workspace.resolve("results").resolve(SAMPLE), 1);
    }

    @Test
    void pruneRemovesWhatKilledCommandsLeft() throws Exception {
        SplittableRandom random = new SplittableRandom(17);
        for (int kill = 0; kill < KILLS; kill++) {
            String out = elsewhere.resolve(String.valueOf(kill)).toString();
            List<List<String>> commands = List.of(List.of("export", SAMPLE, "--format", "vllm", "--out", out + "/data"),
                    List.of("report", SAMPLE, "--out", out + "/report.html", "--charts", out + "/pictures"),
                    List.of("results", "share", SAMPLE, "--out", out + "/shared"));
            killOnceNoted(commands.get(kill % commands.size()), random.nextLong(150));
        }
        assertThat(notes()).as("notes of killed commands").isNotEmpty();
        assertThat(run("results", "prune", "--yes")).doesNotContain("error:");
        assertThat(KilledSuiteTest.hidden(folder)).isEmpty();
    }

    private void killOnceNoted(List<String> command, long afterMillis) throws Exception {
        List<String> before = notes();
        Process process = program(command).start();
        while (process.isAlive() && notes().equals(before)) {
            process.waitFor(5, TimeUnit.MILLISECONDS);
        }
        process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
    }

    private List<String> notes() {
        String[] names = workspace.resolve(".outputs").toFile().list();
        return names == null ? List.of() : Stream.of(names).sorted().toList();
    }

    private String run(String... command) throws IOException, InterruptedException {
        Process process = program(List.of(command)).start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(folder.resolve("said"));
    }

    private ProcessBuilder program(List<String> command) {
        return new ProcessBuilder(EchoedKeyTest.CommandLine.command(workspace, command)).redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile());
    }
}
