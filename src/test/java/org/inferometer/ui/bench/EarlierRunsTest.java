package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.benchmark.ExperimentManifest;
import org.inferometer.benchmark.ExperimentManifest.CellSummary;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.benchmark.RunStatus;
import org.inferometer.measurement.CellFigure;
import org.inferometer.measurement.Metrics;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.workload.ArrivalProcess;
import org.junit.jupiter.api.Test;

class EarlierRunsTest {
    /// Four cells of one run each that measured for 3 s; the whole took 19 s, so that a run took 1.75 s beside.
    private static final ExperimentManifest QUICK = withWindows(
            Experiments.manifest("quick", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH), 3e9);

    private static ExperimentManifest withWindows(ExperimentManifest made, double nanos) {
        List<CellSummary> cells = new ArrayList<>();
        for (CellSummary cell : made.cells()) {
            cells.add(new CellSummary(cell.cellIndex(), cell.cell(), cell.model(), cell.precision(), cell.runs(),
                    List.of(new CellFigure(Metrics.WINDOW, nanos, null, List.of(nanos), 1, true))));
        }
        return new ExperimentManifest(made.formatVersion(), made.id(), made.spec(), made.plan(), made.runFolders(), made.machine(), made.startedWall(),
                made.endedWall(), made.status(), made.failure(), cells, made.verdict(), made.shareSafe());
    }

    @Test
    void theSameExperimentTakesAsLongAgainAndRepetitionsMultiply() {
        EarlierRuns earlier = new EarlierRuns(List.of(QUICK));
        assertThat(earlier.time(Experiments.QUICK)).contains(Duration.ofSeconds(19));
        assertThat(earlier.time(Experiments.QUICK.withRuns(3))).contains(Duration.ofSeconds(57));
    }

    @Test
    void moreRequestsTakeTheirShareOfTheWindowAlone() {
        ExperimentSpec twice = Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withRequests(48)));
        assertThat(new EarlierRuns(List.of(QUICK)).time(twice)).contains(Duration.ofSeconds(31));
    }

    @Test
    void theNewestCounts() {
        assertThat(new EarlierRuns(List.of(withWindows(QUICK, 1e9), QUICK)).time(Experiments.QUICK)).contains(Duration.ofSeconds(19));
        ExperimentSpec twice = Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withRequests(48)));
        assertThat(new EarlierRuns(List.of(withWindows(QUICK, 1e9), QUICK)).time(twice)).contains(Duration.ofSeconds(23));
    }

    @Test
    void whatNeverRanHereHasNoTime() {
        EarlierRuns earlier = new EarlierRuns(List.of(QUICK));
        assertThat(new EarlierRuns(List.of()).time(Experiments.QUICK)).isEmpty();
        assertThat(earlier.time(Experiments.SCHEDULERS)).isEmpty();
        assertThat(earlier.time(Experiments.QUICK.withWorkloads(List.of(Experiments.SHORT.withArrivals(new ArrivalProcess.ClosedLoop(2)))))).isEmpty();
        assertThat(earlier.time(Experiments.QUICK.searching())).isEmpty();
        assertThat(new EarlierRuns(List.of(Experiments.manifest("old", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH))).time(Experiments.QUICK))
                .isEmpty();
        assertThat(new EarlierRuns(List.of(Experiments.manifest("cut", Experiments.QUICK, RunStatus.CANCELLED, null, Instant.EPOCH))).time(Experiments.QUICK))
                .isEmpty();
    }
}
