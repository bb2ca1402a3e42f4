package org.inferometer.ui.designer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.inferometer.experiment.ExperimentFields;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.LoadSweep;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.RunStatus;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.junit.jupiter.api.Test;

class RunTimeHistoryTest {
    /// Four cells of one run each that measured for 3 s; the whole took 19 s, so that a run took 1.75 s beside.
    private static final ExperimentManifest QUICK =
            withWindows(Experiments.manifest("quick", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH), 3e9);

    private static final ExperimentSpec SWEEP =
            new ExperimentSpec("sweep", List.of("tiny-int4"), Experiments.QUICK.schedulers().subList(0, 1),
                    LoadSweep.parse("concurrency=1,2,4,8").over(List.of(Experiments.SHORT)),
                    Experiments.QUICK.backends().getFirst(), 1, 4, 1, 100, 0, Experiments.QUICK.limits());

    private static ExperimentManifest withWindows(ExperimentManifest made, double nanos) {
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary cell : made.cells()) {
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), cell.runs(),
                    List.of(new CellFigure(Metrics.WINDOW, nanos, null, List.of(nanos), 1, 1, true))));
        }
        return new ExperimentManifest(made.formatVersion(), made.id(), made.spec(), made.plan(), made.machine(),
                new ExperimentManifest.ExperimentTimes(made.times().started(), made.times().ended(), null),
                new ExperimentManifest.ExperimentOutcome(made.status(), made.failure(), cells, made.verdict()),
                made.anonymized());
    }

    private static RunTimeHistory.RequestSpan exactly(long seconds) {
        return new RunTimeHistory.RequestSpan(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds));
    }

    @Test
    void theSameExperimentTakesAsLongAgainAndRepetitionsMultiply() {
        RunTimeHistory earlier = new RunTimeHistory(List.of(QUICK));
        assertThat(earlier.time(Experiments.QUICK)).contains(exactly(19));
        assertThat(earlier.time(Experiments.QUICK.withRuns(3))).contains(exactly(57));
    }

    @Test
    void addedRunsTakeFromTheFirstLookToTheMost() {
        ExperimentSpec until =
                ExperimentFields.UNTIL.with(Experiments.QUICK, List.of(PrecisionTarget.parse("output_throughput=2%")));
        assertThat(new RunTimeHistory(List.of(QUICK)).time(until))
                .contains(new RunTimeHistory.RequestSpan(Duration.ofSeconds(57), Duration.ofSeconds(570)));
    }

    @Test
    void moreRequestsTakeTheirShareOfTheWindowAlone() {
        ExperimentSpec twice = Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withRequests(48)));
        assertThat(new RunTimeHistory(List.of(QUICK)).time(twice)).contains(exactly(31));
    }

    @Test
    void theNewestCounts() {
        assertThat(new RunTimeHistory(List.of(withWindows(QUICK, 1e9), QUICK)).time(Experiments.QUICK))
                .contains(exactly(19));
        ExperimentSpec twice = Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withRequests(48)));
        assertThat(new RunTimeHistory(List.of(withWindows(QUICK, 1e9), QUICK)).time(twice)).contains(exactly(23));
    }

    @Test
    void whatNeverRanHereHasNoTime() {
        RunTimeHistory earlier = new RunTimeHistory(List.of(QUICK));
        assertThat(new RunTimeHistory(List.of()).time(Experiments.QUICK)).isEmpty();
        assertThat(earlier.time(Experiments.SCHEDULERS)).isEmpty();
        assertThat(earlier.time(Experiments.QUICK
                .withWorkloads(List.of(Experiments.SHORT.withArrivals(new ArrivalProcess.ClosedLoop(2)))))).isEmpty();
        assertThat(new RunTimeHistory(
                List.of(Experiments.manifest("old", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH)))
                .time(Experiments.QUICK)).isEmpty();
        assertThat(new RunTimeHistory(
                List.of(Experiments.manifest("cut", Experiments.QUICK, RunStatus.CANCELLED, null, Instant.EPOCH)))
                .time(Experiments.QUICK)).isEmpty();
    }

    @Test
    void changedLoadsTakeTheirShareOfTheTokensRoughly() {
        RunTimeHistory earlier = new RunTimeHistory(List.of(QUICK));
        ExperimentSpec closed = Experiments.QUICK
                .withWorkloads(List.of(Experiments.SHORT.withArrivals(new ArrivalProcess.ClosedLoop(2))));
        assertThat(earlier.roughTime(closed)).contains(exactly(19));
        ExperimentSpec longer =
                Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withLengths(fixed(128), fixed(128))));
        assertThat(earlier.roughTime(longer)).contains(exactly(31));
        assertThat(earlier.unknown(longer)).isEmpty();
    }

    @Test
    void timedLoadsTakeTheirTime() {
        ExperimentSpec timed = Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withRequests(0)
                .withRefinements(Experiments.SHORT.refinements().withDuration(20_000_000_000L))));
        assertThat(new RunTimeHistory(List.of(QUICK)).roughTime(timed)).contains(exactly(87));
        assertThat(new RunTimeHistory(List.of()).roughTime(timed)).contains(exactly(80));
    }

    @Test
    void aPacedLoadTakesUntilItsLastRequestArrives() {
        ExperimentSpec slow = Experiments.QUICK.withWorkloads(
                List.of(Experiments.SHORT.withRequests(24).withArrivals(new ArrivalProcess.Constant(2))));
        assertThat(new RunTimeHistory(List.of(QUICK)).roughTime(slow)).contains(exactly(55));
    }

    @Test
    void onlyEnginesThatNeverRanAreUnknown() {
        ExperimentSpec other = Experiments.QUICK.withEngines(List.of("tiny-fp8", "other"));
        assertThat(new RunTimeHistory(List.of(QUICK)).unknown(other)).extracting(cell -> cell.subject().model())
                .containsOnly(Optional.of("other"));
        assertThat(new RunTimeHistory(List.of(QUICK)).roughTime(other)).isEmpty();
    }

    private static LengthDistribution fixed(int tokens) {
        return new LengthDistribution.FixedLength(tokens);
    }

    /// A sweep over four loads whose runs took 8, 6, 4 and 2 s, all of them measured.
    private static ExperimentManifest sweep(int loads) {
        ExperimentSpec spec = SWEEP.withWorkloads(SWEEP.workloads().subList(0, loads));
        ExperimentManifest made = Experiments.manifest("sweep", spec, RunStatus.COMPLETE, null, Instant.EPOCH);
        List<CellSummary> cells = new ArrayList<>();
        double all = 0;
        for (CellSummary cell : made.cells()) {
            double nanos = (8 - 2 * cell.cellIndex()) * 1e9;
            all += nanos;
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), 1,
                    List.of(new CellFigure(Metrics.WINDOW, nanos, null, List.of(nanos), 1, 1, true))));
        }
        return new ExperimentManifest(made.formatVersion(), made.id(), made.spec(), made.plan(), made.machine(),
                new ExperimentManifest.ExperimentTimes(Instant.EPOCH, Instant.EPOCH.plusNanos(Math.round(all)), null),
                new ExperimentManifest.ExperimentOutcome(made.status(), made.failure(), cells, made.verdict()),
                made.anonymized());
    }

    @Test
    void aSearchTakesARangeOverTheBordersThatItMayFind() {
        RunTimeHistory earlier = new RunTimeHistory(List.of(sweep(4)));
        assertThat(earlier.time(SWEEP)).contains(exactly(20));
        // Halving asks two loads of four, at best those of 2 and 4 s. At worst all four run, as they may have to tell.
        assertThat(earlier.time(SWEEP.searching()))
                .contains(new RunTimeHistory.RequestSpan(Duration.ofSeconds(6), Duration.ofSeconds(20)));
        assertThat(earlier.time(SWEEP.searching().withRuns(3)))
                .contains(new RunTimeHistory.RequestSpan(Duration.ofSeconds(14), Duration.ofSeconds(60)));
    }

    @Test
    void aSearchWhoseHighestLoadNeverRanHereHasNoTime() {
        assertThat(new RunTimeHistory(List.of(sweep(3))).time(SWEEP.searching())).isEmpty();
    }

    @Test
    void aLoadBetweenKnownOnesTakesWhatThoseTook() {
        List<ExperimentManifest> ends = List.of(only(sweep(4), 0), only(sweep(4), 3));
        assertThat(new RunTimeHistory(ends).time(SWEEP.searching()))
                .contains(new RunTimeHistory.RequestSpan(Duration.ofSeconds(4), Duration.ofSeconds(26)));
    }

    private static ExperimentManifest only(ExperimentManifest made, int cell) {
        CellSummary kept = made.cells().get(cell);
        double nanos = kept.figures().getFirst().mean();
        return new ExperimentManifest(made.formatVersion(), made.id(), made.spec(), made.plan(), made.machine(),
                new ExperimentManifest.ExperimentTimes(Instant.EPOCH, Instant.EPOCH.plusNanos(Math.round(nanos)), null),
                new ExperimentManifest.ExperimentOutcome(made.status(), made.failure(), List.of(kept), made.verdict()),
                made.anonymized());
    }
}
