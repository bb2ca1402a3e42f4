package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Inputs that ask for much are answered within a second of the processor's time and a heap of 256 MiB.
///
/// `-Dinferometer.characters=1000000` is the length of an input; a quadratic reader needs minutes for it. The short form would notice one
/// that needs 20 s for 200,000 characters, so that a busy machine does not fail it.
@Execution(ExecutionMode.CONCURRENT)
@Tag("endurance")
class PathologicalInputsTest {
    private static final int CHARACTERS = Integer.getInteger("inferometer.characters", 200_000);
    private static final long MOST_MILLIS = 1_000;
    private static final int LIMIT_SECONDS = 240;
    private static final int LEAST_INPUTS = 120;

    @TempDir
    Path folder;

    @Test
    void everyInputIsAnsweredInASecond() throws Exception {
        Path out = folder.resolve("out.txt");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), PathologicalInputs.class.getName(), folder.toString(),
                String.valueOf(CHARACTERS)).redirectOutput(out.toFile())
                .redirectError(folder.resolve("err.txt").toFile()).start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        List<String> answers = Files.readAllLines(out);
        assertThat(ended).as("after %s", answers.isEmpty() ? "nothing" : answers.getLast()).isTrue();
        assertThat(process.exitValue()).as(Files.readString(folder.resolve("err.txt"))).isZero();
        assertThat(answers).hasSizeGreaterThanOrEqualTo(LEAST_INPUTS)
                .allSatisfy(answer -> assertThat(answer.split("\t")[2]).matches("read|refused: .+")).allSatisfy(
                        answer -> assertThat(Long.parseLong(answer.split("\t")[1])).as(answer).isLessThan(MOST_MILLIS));
    }
}
