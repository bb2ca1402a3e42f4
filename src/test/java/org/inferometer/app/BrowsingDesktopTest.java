package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.inferometer.results.SampleRecords;
import org.inferometer.units.LongForm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A window in which many results are opened and closed holds no more objects, files, sockets or threads than at the beginning.
@LongForm
@Execution(ExecutionMode.CONCURRENT)
@Timeout(1800)
@EnabledOnOs(OS.LINUX)
class BrowsingDesktopTest {
    /// `-Dinferometer.rounds=20` opens 160 results.
    private static final int ROUNDS = 8 * Integer.getInteger("inferometer.rounds", 1);
    private static final int BETWEEN = ROUNDS - ROUNDS / 4;

    @TempDir
    Path workspace;

    @Test
    void closedResultsLeaveNothingBehind() throws Exception {
        for (String name : List.of("one", "two")) {
            SampleRecords.writeExperiment(workspace.resolve("results").resolve(name), 1);
        }
        Process window = new ProcessBuilder(DesktopProcess.command(workspace, DesktopProcess.Task.BROWSE, ROUNDS))
                .redirectError(workspace.resolve("errors.txt").toFile()).start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(window.getInputStream(), StandardCharsets.UTF_8))) {
            ProcessFootprint first = atPause(window, lines);
            ProcessFootprint last = atPause(window, lines);
            assertThat(last.descriptors()).isEqualTo(first.descriptors());
            assertThat(last.sockets()).isEqualTo(first.sockets());
            assertThat(last.threads()).isEqualTo(first.threads());
            // Several objects with each round, as those of a record.
            Map<String, Long> grown = ProcessFootprint.growth(first.instances(), last.instances(), 4L * BETWEEN - 1);
            grown.keySet().removeIf(name -> !name.startsWith("org.inferometer."));
            assertThat(grown).isEmpty();
            assertThat(window.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(window.exitValue()).isZero();
        } finally {
            window.destroyForcibly();
        }
    }

    private ProcessFootprint atPause(Process window, BufferedReader lines) throws IOException, InterruptedException {
        String line = lines.readLine();
        while (line != null && !line.equals(DesktopProcess.PAUSED)) {
            line = lines.readLine();
        }
        assertThat(line).as(Files.readString(workspace.resolve("errors.txt"))).isNotNull();
        ProcessFootprint held = ProcessFootprint.of(window.pid());
        window.getOutputStream().write('\n');
        window.getOutputStream().flush();
        return held;
    }
}
