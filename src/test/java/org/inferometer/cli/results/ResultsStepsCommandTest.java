package org.inferometer.cli.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.inferometer.cli.CliFixture;
import org.inferometer.cli.Samples;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Phase;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.results.ResultFiles;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ResultsStepsCommandTest {
    private final CliFixture cli;

    ResultsStepsCommandTest(@TempDir Path folder) throws IOException {
        cli = new CliFixture(folder);
        ExperimentManifest manifest = Samples.manifest(Samples.oneCell(1), RunStatus.COMPLETE, "", Samples.VALID);
        RunPlan plan = manifest.plan().getFirst();
        RunManifest run = new RunManifest(RunManifest.FORMAT_VERSION, plan, Samples.MACHINE,
                new RunManifest.SystemUnderTest("in-process engine", "host", "tiny", "fp8", true,
                        new RunManifest.Pools(1, 16, List.of(64), 4096, List.of(), false)),
                "9f", Instant.EPOCH, new RunManifest.RunOutcome(RunStatus.COMPLETE, "", 0, Samples.VALID));
        RequestOutcome request =
                new RequestOutcome(new RequestId(0), false, 8, 2, 1_000_000_000, 1_000_000_000, 1_000_000_000,
                        1_000_000_000, 1_030_000_000, RequestStatus.OK, "", new long[]{1_020_000_000, 1_030_000_000});
        List<StepReport> steps = List.of(step(0, 500_000_000, 8, 0, 1, new Slice(new RequestId(9), 0, 8)),
                step(1, 1_000_000_000, 8, 0, 3, new Slice(new RequestId(0), 0, 8)),
                step(2, 1_020_000_000, 0, 2, 0, new Slice(new RequestId(0), 8, 1), new Slice(new RequestId(3), 9, 1)));
        List<RunEvent> events = List.of(new RunEvent.PhaseStarted(999_000_000, Phase.MEASURE, 3, 0),
                new RunEvent.Preempted(1_010_000_000, new RequestId(3), 7),
                new RunEvent.Preempted(1_010_000_000, new RequestId(4), 7));
        cli.save("one", manifest);
        try (ResultFiles files = new ResultFiles();
                RecordSink sink = files.openRun(cli.results().resolve("one").resolve("run-0"), run)) {
            sink.request(request);
            for (StepReport step : steps) {
                sink.step(step);
            }
            for (RunEvent event : events) {
                sink.event(event);
            }
        }
    }

    private static StepReport step(long number, long start, int prefill, int decode, int padding, Slice... slices) {
        return new StepReport(number, new LaneId(0), start, start + 9_500_000, 9_000_000, 10_000,
                StepSlices.of(List.of(slices)), prefill, decode, padding, 0, slices.length, 4, 5, "because");
    }

    @Test
    void stepsAndEventsAreInOrder() {
        assertThat(cli.run("results", "steps", "one")).isEqualTo(new CliFixture.Outcome(0, """
                run-0: tiny-fp8 · naive · basic
                STEP  LANE  START ms  TIME ms  PRE  DEC  PAD  ROWS  KV  WAIT  REASON: REQUESTS
                   1     0      0.00     9.50    8    0    3     1   5     4  because: 0
                   -           10.00                                          * preempted 3 4 (7 tokens lost)
                   2     0     20.00     9.50    0    2    0     2   5     4  because: 0 3
                PRE prefill tokens, DEC decode tokens, PAD padding tokens, ROWS requests, KV blocks in use, WAIT waiting
                requests, * event.
                """, ""));
    }

    @Test
    void intervalAndLimitCutTheTable() {
        assertThat(cli.run("results", "steps", "one", "--from", "-1", "--limit", "1").out().lines()).contains(
                "   0     0   -500.00     9.50    8    0    1     1   5     4  because: 9",
                "2 more steps. Raise --limit, or choose an interval with --from and --to.");
        assertThat(cli.run("results", "steps", "one", "--from", "0.015", "--to", "9").out().lines()).hasSize(5);
        assertThat(cli.run("results", "steps", "one", "--from", "9").out())
                .endsWith("No steps were recorded in this interval.\n");
    }

    @Test
    void jsonContainsSlices() {
        JsonNode document = new JsonMapper().readTree(cli.run("results", "steps", "one", "--json").out());
        assertThat(document.path("lines").get(3).path("slices").stringValue()).isEqualTo("0:8+1 3:9+1");
        assertThat(document.path("lines").get(1).path("kind").stringValue()).isEqualTo("preempted");
    }

    @Test
    void invalidOptionsAreReported() {
        assertThat(cli.run("results", "steps", "one", "--run", "7").err())
                .isEqualTo("error: Unknown run 7. Valid: 0.\n");
        assertThat(cli.run("results", "steps", "one", "--from", "soon").err())
                .isEqualTo("error: --from: \"soon\" is not a number of seconds.\n");
        assertThat(cli.run("results", "steps", "one", "--limit", "0").err())
                .isEqualTo("error: --limit: \"0\" is not a whole number from 1 to 10000000.\n");
    }

    @Test
    void requestsAreFilteredAndSorted() {
        assertThat(cli.run("results", "requests", "latest", "--filter", "ttft >= 20ms", "--sort", "e2e"))
                .isEqualTo(new CliFixture.Outcome(0, """
                        RUN  REQUEST  SENT  LATE  QUEUE  TTFT  TPOT   GAP   E2E  PROMPT  OUTPUT  STATUS
                          0        0   0.0   0.0    0.0  20.0  10.0  10.0  30.0       8       2  ok
                        """, ""));
        assertThat(cli.run("results", "requests", "latest", "--filter", "ttft > 20ms"))
                .isEqualTo(new CliFixture.Outcome(0, "No request meets the conditions.\n", ""));
        JsonNode found = new JsonMapper().readTree(cli.run("results", "requests", "latest", "--json").out());
        assertThat(found.at("/requests/0/ttftMillis").asDouble()).isEqualTo(20);
        assertThat(cli.run("results", "requests", "latest", "--filter", "slow").err())
                .isEqualTo("error: \"slow\" is not a condition. For example: ttft > 2s and status != ok\n");
        assertThat(cli.run("results", "requests", "latest", "--sort", "tft").exit()).isEqualTo(2);
    }
}
