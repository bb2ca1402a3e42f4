package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Metric;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// Which candidate has the highest goodput within the SLO, at which cost, and how certain that is.
///
/// A load meets the SLO if the mean share of its requests within the limits reaches the SLO's share. Each candidate is represented by the
/// load of its highest goodput within the SLO. Candidates are compared over runs, Holm-corrected.
public final class DeploymentAnswer {
    private final ServiceObjective objective;
    private final List<Candidate> ranked;

    private DeploymentAnswer(ServiceObjective objective, List<Candidate> ranked) {
        this.objective = objective;
        this.ranked = ranked;
    }

    /// @param best the load of the highest goodput among those that meet the SLO
    /// @param closest the load with most requests within the limits
    private record Candidate(String name, Optional<ComparedCell> best, ComparedCell closest) {
        double goodput() {
            return best.map(cell -> figure(cell, Metrics.GOODPUT).mean()).orElse(-1.0);
        }
    }

    /// The answer; empty if the experiments have no SLO or different ones.
    ///
    /// @param cells of the experiments
    public static Optional<DeploymentAnswer> of(List<ComparedCell> cells, List<ExperimentManifest> experiments) {
        List<ServiceObjective> objectives =
                experiments.stream().map(each -> each.spec().goal().objective()).distinct().toList();
        if (objectives.size() != 1 || objectives.getFirst().isEmpty()) {
            return Optional.empty();
        }
        ServiceObjective objective = objectives.getFirst();
        Map<String, List<ComparedCell>> byName = ComparedCell.grouped(cells.stream()
                .filter(cell -> cell.figure(Metrics.GOODPUT).isPresent() && !cell.hasInvalidRuns()).toList(),
                ComparedCell::name);
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        List<Candidate> candidates = new ArrayList<>();
        byName.forEach((name, loads) -> candidates.add(candidate(name, loads, objective)));
        candidates.sort(Comparator.comparingDouble(Candidate::goodput)
                .thenComparing(candidate -> met(candidate.closest())).reversed());
        return Optional.of(new DeploymentAnswer(objective, List.copyOf(candidates)));
    }

    private static Candidate candidate(String name, List<ComparedCell> loads, ServiceObjective objective) {
        Optional<ComparedCell> best = loads.stream().filter(cell -> objective.isServedBy(met(cell)))
                .max(Comparator.comparingDouble(cell -> figure(cell, Metrics.GOODPUT).mean()));
        return new Candidate(name, best,
                loads.stream().max(Comparator.comparingDouble(DeploymentAnswer::met)).orElseThrow());
    }

    /// The answer in one to three sentences.
    public String sentence() {
        Candidate first = ranked.getFirst();
        if (first.best().isEmpty()) {
            ComparedCell closest = ranked.stream().map(Candidate::closest)
                    .max(Comparator.comparingDouble(DeploymentAnswer::met)).orElseThrow();
            return "No tested load meets the SLO (" + slo() + "). Closest: " + closest.name() + " at "
                    + workload(closest) + ", " + FigureText.figure(closest.figure(Metrics.OBJECTIVE_MET))
                    + " % of requests. Lower the load.";
        }
        ComparedCell best = first.best().get();
        String cost = best.figure(Metrics.COST_PER_MILLION)
                .map(figure -> ", " + FigureText.figure(Optional.of(figure)) + " per million output tokens").orElse("");
        return "Highest goodput within the SLO (" + slo() + "): " + best.name() + ", "
                + FigureText.figure(best.figure(Metrics.GOODPUT)) + " req/s at " + workload(best) + cost + ". "
                + certainty(best);
    }

    private String slo() {
        return objective + ", " + FigureText.percent(objective.share()) + " % of requests";
    }

    private String certainty(ComparedCell best) {
        List<ComparedCell> others = ranked.stream().skip(1).flatMap(candidate -> candidate.best().stream()).toList();
        if (ranked.size() == 1) {
            return "There is no other candidate.";
        }
        if (others.isEmpty()) {
            return "No other candidate meets the SLO.";
        }
        List<Comparison> comparisons = Comparisons.against(figure(best, Metrics.GOODPUT),
                others.stream().map(cell -> figure(cell, Metrics.GOODPUT)).toList());
        if (comparisons.stream().anyMatch(each -> each.outcome() == Comparison.Outcome.TOO_FEW_RUNS)) {
            return "Not tested against the others: measure 3 runs per cell.";
        }
        List<String> equal =
                IntStream.range(0, others.size()).filter(i -> comparisons.get(i).outcome() != Comparison.Outcome.SLOWER)
                        .mapToObj(i -> others.get(i).name()).toList();
        return equal.isEmpty()
                ? "Higher than every other candidate (p ≤ 0.05" + (others.size() > 1 ? ", Holm-corrected)." : ").")
                : "No detectable difference to " + String.join(", ", equal) + ": choose by cost or add runs.";
    }

    /// One row a candidate, the best first.
    public ReportTable table() {
        List<Row> rows = new ArrayList<>();
        for (Candidate candidate : ranked) {
            ComparedCell shown = candidate.best().orElse(candidate.closest());
            rows.add(Row.of(List.of(candidate.name(), candidate.best().isPresent() ? "met" : "not met", workload(shown),
                    FigureText.figure(shown.figure(Metrics.GOODPUT)),
                    FigureText.figure(shown.figure(Metrics.OBJECTIVE_MET)),
                    FigureText.figure(shown.figure(Metrics.OUTPUT_THROUGHPUT)), shown.figure(Metrics.COST_PER_MILLION)
                            .map(figure -> FigureText.figure(Optional.of(figure))).orElse(FigureText.NOT_APPLICABLE))));
        }
        return new ReportTable("Deployment", "SLO: " + slo(),
                List.of(Column.text("Candidate"), Column.text("SLO"), Column.text("Best load"),
                        Column.number("Goodput", "req/s"), Column.number("Within SLO", "%"),
                        Column.number("Output", "tok/s"), Column.number("Cost", "per 1M tokens")),
                rows, List.of("Each candidate at its highest goodput within the SLO, else at its closest load."));
    }

    private static String workload(ComparedCell cell) {
        return cell.summary().cell().workload().name();
    }

    private static double met(ComparedCell cell) {
        return cell.figure(Metrics.OBJECTIVE_MET).map(CellFigure::mean).orElse(0.0);
    }

    private static CellFigure figure(ComparedCell cell, Metric metric) {
        return cell.figure(metric).orElseThrow();
    }
}
