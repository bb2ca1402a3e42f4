package org.inferometer.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.inferometer.cli.FakeClock;
import org.inferometer.cli.ProgressLine;
import org.inferometer.cli.Samples;
import org.inferometer.cli.Terminal;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.AlignedColumns;
import org.inferometer.run.WorkerFrame;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class RunProgressTest {
    private static final String ERASE = "\r\u001b[K";

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final FakeClock clock = new FakeClock();
    private final ExperimentSpec spec = Samples.oneCell(2);
    private final List<RunPlan> plan = Samples.plan(spec);

    private RunProgress progress(boolean live) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Terminal terminal = new Terminal(new ByteArrayInputStream(new byte[0]), stream, stream, live, false, 110);
        RunProgress progress = new RunProgress(new ProgressLine(terminal, clock), clock, false);
        progress.started(Samples.manifest(spec, RunStatus.RUNNING, "", Samples.VALID));
        progress.runStarted(plan.getFirst());
        return progress;
    }

    private String written() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static WorkerFrame live(long nanos, Phase phase, int done, int total, long tokens) {
        return new WorkerFrame.Live(nanos, phase, done, total, total > 0 ? (double) done / total : 0.5, tokens, 0, 1, 0,
                new long[5], 0, 0, new long[0], new long[0]);
    }

    @Test
    void terminalLineShowsPhaseCountsSpeedAndTimes() {
        RunProgress progress = progress(true);
        clock.advanceMillis(1000);
        progress.frame(plan.getFirst(), new WorkerFrame.PhaseStarted(Phase.MEASURE, 1_000_000_000L));
        clock.advanceMillis(1000);
        progress.frame(plan.getFirst(), live(2_000_000_000L, Phase.MEASURE, 9, 20, 123));
        assertThat(written()).isEqualTo("experiment 2026-11-21_141503_one: 2 runs\n" + ERASE
                + "[1/2] tiny-fp8 · naive · basic starting" + ERASE + "[1/2] tiny-fp8 · naive · basic measure" + ERASE
                + "[1/2] tiny-fp8 · naive · basic measure [###----] 9/20 123 tok/s 00:02 ETA 00:06");
    }

    @Test
    void linesNameOnlyWhatDiffers() {
        ExperimentSpec limited = spec.withLimits(List.of(1L << 30), spec.limits());
        RunProgress progress = progress(false);
        progress.started(Samples.manifest(limited, RunStatus.RUNNING, "", Samples.VALID));
        progress.runStarted(Samples.plan(limited).getFirst());
        assertThat(written()).endsWith("run 1 of 2: tiny-fp8 · naive · basic, repetition 1\n");
    }

    @Test
    void etaFollowsTheRequestsOfAllRuns() {
        RunProgress progress = progress(true);
        progress.frame(plan.getFirst(), new WorkerFrame.PhaseStarted(Phase.WARM_UP, 0));
        clock.advanceMillis(1000);
        progress.frame(plan.getFirst(), live(1_000_000_000L, Phase.WARM_UP, 1, 2, 7));
        // One of 2 × (2 + 20) requests took 1 s.
        assertThat(written()).endsWith("warm-up [###----] 1/2 7.00 tok/s 00:01 ETA 00:43");
    }

    @Test
    void progressLinesFitTheTerminalTenPerSecondAtMost() {
        RunProgress progress = progress(true);
        for (int i = 0; i < 20; i++) {
            clock.advanceMillis(50);
            progress.frame(plan.getFirst(), live(clock.nanos(), Phase.MEASURE, i, 20, 1_000_000));
        }
        List<String> drawn = Arrays.stream(written().split("\r\u001b\\[K", -1)).skip(1).toList();
        assertThat(drawn).hasSize(1 + 10)
                .allSatisfy(line -> assertThat(AlignedColumns.length(line)).isLessThanOrEqualTo(ProgressLine.COLUMNS));
    }

    @Test
    void endedRunLeavesALine() {
        RunProgress progress = progress(false);
        progress.frame(plan.getFirst(), new WorkerFrame.PhaseStarted(Phase.MEASURE, 0));
        progress.frame(plan.getFirst(), live(2_000_000_000L, Phase.MEASURE, 19, 20, 824));
        clock.advanceMillis(7000);
        progress.runEnded(plan.getFirst(),
                record(RunStatus.INTERRUPTED, "the process vanished; 19 of 20 requests kept"));
        assertThat(written()).isEqualTo("""
                experiment 2026-11-21_141503_one: 2 runs
                run 1 of 2: tiny-fp8 · naive · basic, repetition 1
                  measure: 20 requests
                  interrupted: 1 request ok, 3.00 tok/s, 00:07
                  note: the process vanished; 19 of 20 requests kept
                """);
    }

    private RunRecord record(RunStatus status, String note) {
        RunManifest manifest = new RunManifest(1, plan.getFirst(), Samples.MACHINE,
                new RunManifest.SystemUnderTest("in-process engine", "host", "tiny", "fp8", true,
                        new RunManifest.Pools(1, 16, List.of(8), 1024, List.of(), false)),
                "hash", FakeClock.START, new RunManifest.RunOutcome(status, "", 0, null));
        return new RunRecord("run-0", manifest,
                new RunObservations(List.of(answered()), List.of(), List.of(), new RunObservations.Setup(1, 8, 2, 8)),
                List.of(note));
    }

    /// Six tokens in a window of 2 s.
    private static RequestOutcome answered() {
        long[] tokens =
                {1_000_000_000L, 1_200_000_000L, 1_400_000_000L, 1_600_000_000L, 1_800_000_000L, 2_000_000_000L};
        return new RequestOutcome(new RequestId(0), false, 4, 6, 0, 0, 0, 500_000_000L, 2_000_000_000L,
                RequestStatus.OK, "", tokens);
    }
}
