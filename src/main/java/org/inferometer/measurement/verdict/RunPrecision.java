package org.inferometer.measurement.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PrecisionTarget;
import org.inferometer.measurement.CellFigures;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.comparison.RunPairs;
import org.inferometer.measurement.statistics.Moments;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest.CellSummary;
import org.inferometer.record.Metric;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.workload.WorkloadSpec;

/// How narrow the intervals are that an experiment was asked for with [PrecisionTarget].
///
/// Where a load has several cells, their differences to the baseline are what people read, and pairs need far fewer runs than figures: the
/// difference of each cell to the baseline counts. The figure itself counts where a load has one cell.
public final class RunPrecision {
    private final PrecisionTarget target;
    private final ExperimentSpec spec;

    /// @param name of a cell
    /// @param share half of the interval as a share; absent where there is none yet
    private record Width(String name, Optional<Double> share) {}

    private RunPrecision(PrecisionTarget target, ExperimentSpec spec) {
        this.target = target;
        this.spec = spec;
    }

    /// The precision that an experiment was asked for.
    public static Optional<RunPrecision> of(ExperimentSpec spec) {
        return Optional.ofNullable(spec.until()).map(target -> new RunPrecision(target, spec));
    }

    /// Whether every interval is narrow enough.
    public boolean isReached(List<CellSummary> cells) {
        List<Width> widths = widths(cells);
        return !widths.isEmpty() && widths.stream()
                .allMatch(width -> width.share().filter(share -> share <= target.share()).isPresent());
    }

    /// The condition of the verdict.
    public Condition condition(List<CellSummary> cells) {
        Metric metric = metric().orElseThrow();
        List<Width> widths = widths(cells);
        String missing =
                String.join(", ", widths.stream().filter(width -> width.share().isEmpty()).map(Width::name).toList());
        String widest =
                widths.stream().filter(width -> width.share().isPresent())
                        .max(Comparator.comparing(width -> width.share().orElseThrow())).map(width -> String
                                .format(Locale.ROOT, "±%.2f %% (%s)", 100 * width.share().orElseThrow(), width.name()))
                        .orElse("no interval");
        return VerdictRules.condition(Requirement.PRECISION, metric.label() + " within ±" + target.percent() + " %",
                isReached(cells), State.TOO_LITTLE, missing.isEmpty() ? widest : "no interval for " + missing,
                "Allow more runs, or make the runs longer.");
    }

    private Optional<Metric> metric() {
        return Metrics.find(target.metric());
    }

    private List<Width> widths(List<CellSummary> cells) {
        List<Cell> matrix = spec.cells();
        Map<WorkloadSpec, List<Integer>> byLoad = new LinkedHashMap<>();
        for (int index = 0; index < matrix.size(); index++) {
            byLoad.computeIfAbsent(matrix.get(index).workload(), load -> new ArrayList<>()).add(index);
        }
        Optional<String> system = spec.baselineSystem();
        List<Width> widths = new ArrayList<>();
        for (List<Integer> indices : byLoad.values()) {
            int baseline =
                    indices.stream().filter(index -> system.equals(Optional.of(matrix.get(index).subject().system())))
                            .findFirst().orElse(indices.getFirst());
            Optional<CellFigure> base = figure(cells, baseline);
            if (indices.size() == 1) {
                widths.add(new Width(spec.label(matrix.get(baseline)),
                        base.flatMap(figure -> figure.interval().map(half -> half / Math.abs(figure.mean())))));
                continue;
            }
            for (int index : indices) {
                if (index != baseline) {
                    widths.add(new Width(spec.label(matrix.get(index)) + " against the baseline",
                            base.flatMap(of -> figure(cells, index).flatMap(figure -> width(of, figure)))));
                }
            }
        }
        return widths;
    }

    private Optional<CellFigure> figure(List<CellSummary> cells, int index) {
        return cells.stream().filter(cell -> cell.cellIndex() == index).findFirst()
                .flatMap(cell -> metric().flatMap(metric -> CellFigures.find(cell.figures(), metric)));
    }

    private static Optional<Double> width(CellFigure base, CellFigure candidate) {
        return RunPairs.of(base, candidate).difference()
                .map(difference -> Math.expm1(difference.halfWidth(Moments.CONFIDENCE)));
    }
}
