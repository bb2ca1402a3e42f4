package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.inferometer.run.server.StandInServer;
import org.inferometer.units.ShellWord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The commands of the workflows in `docs/ci-gate.md`, as a shell runs them there.
@Execution(ExecutionMode.CONCURRENT)
@DisabledOnOs(OS.WINDOWS)
@Timeout(180)
class CiGateExamplesTest {
    private static final Pattern COMMAND = Pattern.compile("(?m)^ *(?:run:|-) (inferometer .*)$");
    private static final String LOAD = """
            name: gate
            targets: ["null"]
            workloads:
              - preset: short
                requests: 8
            """;

    @TempDir
    Path folder;

    private static String section(String heading) throws IOException {
        String page = Files.readString(Path.of("docs/ci-gate.md"));
        int start = page.indexOf("### " + heading);
        assertThat(start).isNotNegative();
        int end = page.indexOf("\n```\n", start);
        return page.substring(start, end);
    }

    private static void script(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    /// Its exit code and output.
    private String shell(Path where, String line) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("sh", "-c", line).directory(where.toFile()).redirectErrorStream(true);
        builder.environment().merge("PATH", folder.resolve("bin").toString(), (path, own) -> own + ":" + path);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() + "\n" + output;
    }

    private static List<String> commands(String service) throws IOException {
        return COMMAND.matcher(section(service)).results().map(found -> found.group(1)).toList();
    }

    @Test
    void workflowsMeasureBothSidesAndJudgeThem() throws Exception {
        List<String> commands = commands("GitHub Actions");
        assertThat(commands("GitLab")).isEqualTo(commands).hasSize(3);
        List<String> program =
                EchoedKeyTest.CommandLine.command(Files.createDirectories(folder.resolve("workspace")), List.of());
        script(folder.resolve("bin/inferometer"), "exec " + ShellWord.line(program) + " \"$@\"");
        String server = "exec " + ShellWord.line(StandInServer.command("fine")).replaceAll("'?\\{port}'?", "\"\\$1\"");
        script(folder.resolve("base/serve.sh"), server);
        script(folder.resolve("change/serve.sh"), server);
        Path change = folder.resolve("change");
        Files.writeString(change.resolve("gate.yaml"), LOAD);

        List<String> answers = new ArrayList<>();
        for (String command : commands) {
            // Two sides that are the same, measured for a moment: noise and validity are not the test's subject.
            answers.add(shell(change, command.replace("--runs 5", "--runs 2")
                    .replaceAll("(--margin \\S+?=)\\d+%", "$199%").replace("--junit", "--allow-missing --junit")));
        }

        assertThat(answers).allSatisfy(answer -> assertThat(answer).startsWith("0\n"));
        assertThat(answers.getLast()).contains("Output throughput", "TTFT P95").doesNotContain("REGRESSION");
        assertThat(change.resolve("gate.xml")).content().contains("<testsuite", "output_throughput", "ttft_p95");
    }
}
