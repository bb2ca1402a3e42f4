package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.inferometer.cli.Terminal;
import org.inferometer.cli.program.Cli;
import org.inferometer.units.EnvironmentVariables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
    @TempDir
    Path folder;

    private record Outcome(int exit, String out, String err) {}

    private Outcome run(String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal =
                new Terminal(new ByteArrayInputStream(new byte[0]), new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8), false, false, 100);
        int exit = new Cli(new CommandLineWiring(EnvironmentVariables.ofProcess()), terminal).execute(
                Stream.concat(Stream.of("--workspace", folder.toString()), Stream.of(command)).toArray(String[]::new));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void everyCellIsShownBesideWhatWasMeasured() {
        Outcome outcome = run("simulate", "src/test/records/schedulers-tiny");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out().lines().filter(line -> line.startsWith("FIGURE "))).hasSize(6);
        assertThat(outcome.out()).contains("tiny-int4 · disaggregated · mixed-24 (1 run; steps of up to ",
                "Error of throughput and medians: median ", "Simulated figures are predictions.");
    }

    @Test
    void jsonHasTheFiguresOfEachCell() {
        JsonNode document =
                new JsonMapper().readTree(run("simulate", "src/test/records/schedulers-tiny", "--json").out());
        assertThat(document.path("cells")).hasSize(6).allSatisfy(cell -> {
            assertThat(cell.path("same_requests").booleanValue()).isTrue();
            JsonNode figure = cell.path("figures").get(0);
            assertThat(figure.path("metric").stringValue()).isEqualTo("output_throughput");
            assertThat(figure.path("predicted").doubleValue()).isBetween(figure.path("low").doubleValue(),
                    figure.path("high").doubleValue());
        });
    }

    @Test
    void anotherLoadIsPredictedOncePerScheduler() {
        Outcome outcome = run("simulate", "src/test/records/quick", "--rate", "12", "--scheduler", "simple");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out().lines().filter(line -> line.startsWith("tiny-"))).containsExactly(
                "tiny-fp8 · simple · load · poisson:rate=12.0 (3 runs)",
                "tiny-int4 · simple · load · poisson:rate=12.0 (3 runs)");
    }

    @Test
    void wrongChangesAreRefusedInASentence() {
        assertThat(run("simulate", "src/test/records/quick", "--rate", "0").err())
                .isEqualTo("error: --rate 0.0: give a number from 0.001 to 1000000.\n");
        assertThat(run("simulate", "src/test/records/quick", "--scheduler", "simpel").err())
                .contains("Did you mean simple?");
        assertThat(run("simulate", "src/test/records/quick", "--rate", "4", "--concurrency", "4").exit()).isEqualTo(2);
    }

    @Test
    void resultsWithoutStepsAreRefusedInASentence() {
        Outcome outcome = run("simulate", "sample-results/llama-bench");
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).endsWith(
                " has no complete run of an engine of this program with recorded steps. Choose another result.\n");
    }
}
