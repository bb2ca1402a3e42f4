package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.run.server.StandInServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Experiments whose servers are started and stopped by the program.
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class StartedServerRunTest {
    private static final Pattern STARTED = Pattern.compile("Started for (this|an earlier) run[^\"]*");

    @TempDir
    Path workspace;

    private static String target(String behaviour, String more) {
        return "serve:command=\"" + String.join(" ", StandInServer.command(behaviour)) + more;
    }

    private String run(String... arguments) throws Exception {
        List<String> command = EchoedKeyTest.CommandLine.command(workspace,
                List.of("run", "--workload", "short", "--requests", "8", "--warmup", "2"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /// The files of that name, in the order of the runs.
    private List<String> files(String name) throws IOException {
        try (Stream<Path> all = Files.walk(workspace.resolve("results"))) {
            List<String> texts = new ArrayList<>();
            for (Path file : all.filter(path -> path.endsWith(name)).sorted().toList()) {
                texts.add(Files.readString(file));
            }
            return texts;
        }
    }

    @Test
    void oneServerServesRunsInARowAndAnOptionIsSwept() throws Exception {
        String output =
                run("--target", target("fine", " {mode}\",mode=a"), "--sweep", "target.mode=x,y", "--runs", "2");

        assertThat(files("server.log")).as(output).hasSize(4);
        List<String> starts = files("events.jsonl").stream().map(events -> {
            Matcher started = STARTED.matcher(events);
            return started.find() ? started.group().replaceFirst(": .* [0-9]+ (\\w)(; \\D*)[0-9.]+ .*", " $1$2") : "";
        }).toList();
        assertThat(starts).filteredOn(start -> start.startsWith("Started for this run")).hasSizeBetween(2, 4);
        assertThat(files("events.jsonl"))
                .allSatisfy(events -> assertThat(events).contains("server:memory_bytes", "server:cpu_cores"));
        assertThat(files("run.json"))
                .allSatisfy(manifest -> assertThat(manifest).contains("\"status\" : \"COMPLETE\""));
        assertThat(files("experiment.json")).singleElement().asString().contains("\"reported_host_memory_peak\"");
    }

    @Test
    void runsOfOtherTargetsAreMeasuredWithoutTheServer() throws Exception {
        run("--target", "null", "--target", target("fine", "\""), "--runs", "2");
        List<Path> runs;
        try (Stream<Path> all = Files.walk(workspace.resolve("results"))) {
            runs = all.filter(path -> path.endsWith("events.jsonl")).sorted().toList();
        }

        assertThat(runs).as("serve, null, null, serve").hasSize(4);
        boolean serverRuns = false;
        for (Path run : runs) {
            boolean served = run.toString().contains("_serve_");
            if (served) {
                assertThat(Files.readString(run)).as(run + " of " + runs)
                        .contains(serverRuns ? "Started for an earlier run" : "Started for this run");
            }
            serverRuns = served;
        }
    }

    @Test
    void deathUnderLoadIsTheReasonOfTheFailure() throws Exception {
        String output = run("--target", target("dies-under-load", "\""), "--runs", "1");

        assertThat(output)
                .contains("The server ended while it was measured: torch.OutOfMemoryError: CUDA out of memory."
                        + " Tried to allocate 2.00 GiB. See server.log.");
        assertThat(files("server.log")).singleElement().asString().contains("INFO: 4 requests running\ntorch.OutOf");
        assertThat(files("run.json")).singleElement().asString()
                .contains("The server ended while it was measured: torch.OutOfMemoryError");
    }

    @Test
    void serverThatCannotStartIsAFailedRunWithItsLog() throws Exception {
        String output = run("--target", target("dies-loading", "\""), "--runs", "1");

        assertThat(output).contains("java ended with status 3 before it was ready: ValueError: the weights of layer 3"
                + " are missing. See server.log.");
        assertThat(files("server.log")).singleElement().asString().contains("Traceback (most recent call last):");
    }
}
