package org.inferometer.ui.bench;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.inferometer.benchmark.Cell;
import org.inferometer.benchmark.ExperimentManifest;
import org.inferometer.benchmark.ExperimentManifest.CellSummary;
import org.inferometer.benchmark.ExperimentSpec;
import org.inferometer.benchmark.RunStatus;
import org.inferometer.measurement.CellFigure;
import org.inferometer.measurement.Metrics;

/// What earlier experiments here took, from which follows how long the next one may take. Pure.
///
/// @param manifests newest first
record EarlierRuns(List<ExperimentManifest> manifests) {
    /// The time of an experiment, when each of its cells ran here before under the same load: the window that was measured, in proportion to
    /// the requests, and what else a run took of its experiment. Empty where a cell is new, and for a search, whose runs nobody knows.
    Optional<Duration> time(ExperimentSpec spec) {
        double nanos = 0;
        for (Cell cell : spec.search() ? List.<Cell>of() : spec.cells()) {
            Optional<Double> each = manifests.stream().map(manifest -> nanosOfRun(manifest, cell)).flatMap(Optional::stream).findFirst();
            if (each.isEmpty()) {
                return Optional.empty();
            }
            nanos += each.get() * spec.runs();
        }
        return nanos > 0 ? Optional.of(Duration.ofNanos(Math.round(nanos))) : Optional.empty();
    }

    private static Optional<Double> nanosOfRun(ExperimentManifest manifest, Cell wanted) {
        if (manifest.status() != RunStatus.COMPLETE || manifest.endedWall() == null) {
            return Optional.empty();
        }
        return manifest.cells().stream().filter(cell -> alike(cell.cell(), wanted) && cell.cell().workload().requests() > 0).findFirst()
                .flatMap(cell -> window(cell).flatMap(window -> besideWindow(manifest).map(
                        rest -> window * wanted.workload().requests() / cell.cell().workload().requests() + rest)));
    }

    private static boolean alike(Cell known, Cell wanted) {
        return known.engine().equals(wanted.engine()) && known.scheduler().equals(wanted.scheduler()) && known.backend().equals(wanted.backend())
                && Objects.equals(known.target(), wanted.target())
                && known.workload().withName("").withRequests(0).equals(wanted.workload().withName("").withRequests(0));
    }

    /// What a run took beside its window: starting, loading, warming up. Empty where some cell has no window.
    private static Optional<Double> besideWindow(ExperimentManifest manifest) {
        int runs = manifest.cells().stream().mapToInt(CellSummary::runs).sum();
        if (runs == 0 || manifest.endedWall() == null || manifest.cells().stream().anyMatch(cell -> window(cell).isEmpty())) {
            return Optional.empty();
        }
        double windows = manifest.cells().stream().mapToDouble(cell -> window(cell).orElseThrow() * cell.runs()).sum();
        double whole = Duration.between(manifest.startedWall(), manifest.endedWall()).toNanos();
        return Optional.of(Math.max(0, whole - windows) / runs);
    }

    private static Optional<Double> window(CellSummary cell) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(Metrics.WINDOW.id())).findFirst().map(CellFigure::mean);
    }
}
