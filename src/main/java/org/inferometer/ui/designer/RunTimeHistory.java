package org.inferometer.ui.designer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.RunStatus;

/// What earlier experiments here took, from which follows how long the next one may take. Pure.
///
/// @param manifests newest first
public record RunTimeHistory(List<ExperimentManifest> manifests) {
    /// How long an experiment may take; both ends are equal where its runs are known beforehand.
    record Span(Duration least, Duration most) {}

    /// The time of an experiment, when each of its cells ran here before under the same load: the window that was measured, in proportion to
    /// the requests, and what else a run took of its experiment. Empty where a cell is new.
    ///
    /// The runs of a search depend on what it finds, so its time is a range. A load that never ran here takes what the loads beside it took.
    Optional<Span> time(ExperimentSpec spec) {
        if (spec.search()) {
            return timeOfSearch(spec);
        }
        double nanos = 0;
        for (Cell cell : spec.cells()) {
            Optional<Double> each = known(cell);
            if (each.isEmpty()) {
                return Optional.empty();
            }
            nanos += each.get() * spec.runs();
        }
        return span(nanos, nanos);
    }

    private Optional<Span> timeOfSearch(ExperimentSpec spec) {
        Map<Object, List<Cell>> candidates = new LinkedHashMap<>();
        spec.cells().forEach(cell -> candidates.computeIfAbsent(cell.subject(), key -> new ArrayList<>()).add(cell));
        double least = 0;
        double most = 0;
        for (List<Cell> loads : candidates.values()) {
            List<Optional<Double>> times = loads.stream().map(this::known).toList();
            if (times.getFirst().isEmpty() || times.getLast().isEmpty()) {
                return Optional.empty();
            }
            SearchRuns runs = SearchRuns.of(loads.size(), spec.runs());
            least += runs.least(filled(times, Math::min));
            most += runs.greatest(filled(times, Math::max));
        }
        return span(least, most);
    }

    /// Times of all loads; one that is not known takes the lesser or the greater of the nearest known on either side.
    private static double[] filled(List<Optional<Double>> times, DoubleBinaryOperator ofBoth) {
        double[] filled = new double[times.size()];
        for (int i = 0; i < filled.length; i++) {
            int below = i;
            while (times.get(below).isEmpty()) {
                below--;
            }
            int above = i;
            while (times.get(above).isEmpty()) {
                above++;
            }
            filled[i] = ofBoth.applyAsDouble(times.get(below).orElseThrow(), times.get(above).orElseThrow());
        }
        return filled;
    }

    private static Optional<Span> span(double least, double most) {
        return most > 0 ? Optional.of(new Span(Duration.ofNanos(Math.round(least)), Duration.ofNanos(Math.round(most))))
                : Optional.empty();
    }

    private Optional<Double> known(Cell cell) {
        return manifests.stream().map(manifest -> nanosOfRun(manifest, cell)).flatMap(Optional::stream).findFirst();
    }

    private static Optional<Double> nanosOfRun(ExperimentManifest manifest, Cell wanted) {
        if (manifest.status() != RunStatus.COMPLETE || manifest.times().duration().isEmpty()) {
            return Optional.empty();
        }
        return manifest.cells().stream()
                .filter(cell -> alike(cell.cell(), wanted) && cell.cell().workload().requests() > 0).findFirst()
                .flatMap(cell -> window(cell).flatMap(window -> besideWindow(manifest).map(
                        rest -> window * wanted.workload().requests() / cell.cell().workload().requests() + rest)));
    }

    private static boolean alike(Cell known, Cell wanted) {
        return known.subject().equals(wanted.subject())
                && known.workload().withName("").withRequests(0).equals(wanted.workload().withName("").withRequests(0));
    }

    /// What a run took beside its window: starting, loading, warming up. Empty where some cell has no window.
    private static Optional<Double> besideWindow(ExperimentManifest manifest) {
        int runs = manifest.cells().stream().mapToInt(CellSummary::runs).sum();
        if (runs == 0 || manifest.times().duration().isEmpty()
                || manifest.cells().stream().anyMatch(cell -> window(cell).isEmpty())) {
            return Optional.empty();
        }
        double windows = manifest.cells().stream().mapToDouble(cell -> window(cell).orElseThrow() * cell.runs()).sum();
        double whole = manifest.times().duration().orElseThrow().toNanos();
        return Optional.of(Math.max(0, whole - windows) / runs);
    }

    private static Optional<Double> window(CellSummary cell) {
        return cell.figures().stream().filter(figure -> figure.metric().id().equals(Metrics.WINDOW.id())).findFirst()
                .map(CellFigure::mean);
    }
}
