package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.experiment.ServiceObjective;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparisons;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.report.FigureText;
import org.inferometer.report.ReportTable;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// The answer people deploy by: of everything compared, what serves the most requests a second within the service-level objective, at
/// what cost, and how sure that is.
///
/// A load counts as served when the mean share of its requests that met the objective reaches the objective's share. Each candidate (all
/// but the load) stands with the served load of its highest goodput; candidates are compared over runs, corrected after Holm.
public final class DeploymentAnswer {
    private final ServiceObjective objective;
    private final List<Candidate> ranked;

    private DeploymentAnswer(ServiceObjective objective, List<Candidate> ranked) {
        this.objective = objective;
        this.ranked = ranked;
    }

    /// @param served the load of the highest goodput among those that met the objective
    /// @param nearest the load that came nearest to meeting it
    private record Candidate(String name, Optional<ComparedCell> served, ComparedCell nearest) {
        double goodput() {
            return served.map(cell -> figure(cell, Metrics.GOODPUT.id()).mean()).orElse(-1.0);
        }
    }

    /// The answer; empty where the experiments name no objective, or not all the same.
    ///
    /// @param cells of the experiments, labelled against each other
    public static Optional<DeploymentAnswer> of(List<ComparedCell> cells, List<ExperimentManifest> experiments) {
        List<ServiceObjective> objectives =
                experiments.stream().map(each -> each.spec().goal().objective()).distinct().toList();
        if (objectives.size() != 1 || objectives.getFirst().isEmpty()) {
            return Optional.empty();
        }
        ServiceObjective objective = objectives.getFirst();
        Map<String, List<ComparedCell>> byName = new LinkedHashMap<>();
        cells.stream().filter(cell -> cell.figure(Metrics.GOODPUT.id()).isPresent())
                .forEach(cell -> byName.computeIfAbsent(cell.name(), name -> new ArrayList<>()).add(cell));
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        List<Candidate> candidates = new ArrayList<>();
        byName.forEach((name, loads) -> candidates.add(candidate(name, loads, objective)));
        candidates.sort(Comparator.comparingDouble(Candidate::goodput)
                .thenComparing(candidate -> met(candidate.nearest())).reversed());
        return Optional.of(new DeploymentAnswer(objective, List.copyOf(candidates)));
    }

    private static Candidate candidate(String name, List<ComparedCell> loads, ServiceObjective objective) {
        Optional<ComparedCell> served = loads.stream().filter(cell -> objective.isServedBy(met(cell)))
                .max(Comparator.comparingDouble(cell -> figure(cell, Metrics.GOODPUT.id()).mean()));
        ComparedCell nearest = loads.stream().max(Comparator.comparingDouble(DeploymentAnswer::met)).orElseThrow();
        return new Candidate(name, served, nearest);
    }

    /// One sentence or two for people.
    public String sentence() {
        Candidate best = ranked.getFirst();
        String limits = "within " + objective + " for " + FigureText.percent(objective.share()) + " % of requests";
        if (best.served().isEmpty()) {
            Candidate nearest = ranked.stream().max(Comparator.comparingDouble(candidate -> met(candidate.nearest())))
                    .orElseThrow();
            return "No load that was tried was served " + limits + ": nearest came " + nearest.name() + " at "
                    + nearest.nearest().summary().cell().workload().name() + ", where "
                    + FigureText.figure(nearest.nearest().figure(Metrics.OBJECTIVE_MET.id()))
                    + " % of requests were. Ask for less load.";
        }
        ComparedCell cell = best.served().get();
        String cost = cell.figure(Metrics.COST_PER_MILLION.id())
                .map(figure -> ", for " + FigureText.figure(Optional.of(figure)) + " a million output tokens")
                .orElse("");
        return best.name() + " serves the most " + limits + ": " + FigureText.figure(cell.figure(Metrics.GOODPUT.id()))
                + " req/s at " + cell.summary().cell().workload().name() + cost + ". " + sureness(cell);
    }

    private String sureness(ComparedCell best) {
        List<ComparedCell> others = ranked.stream().skip(1).flatMap(candidate -> candidate.served().stream()).toList();
        if (ranked.size() == 1) {
            return "It is the only candidate.";
        }
        if (others.isEmpty()) {
            return "No other candidate served any load that was tried.";
        }
        List<Comparison> comparisons = Comparisons.against(figure(best, Metrics.GOODPUT.id()),
                others.stream().map(cell -> figure(cell, Metrics.GOODPUT.id())).toList());
        if (comparisons.stream().anyMatch(each -> each.outcome() == Comparison.Outcome.TOO_FEW_RUNS)) {
            return "How sure that is cannot be said of single runs: run each cell three times.";
        }
        List<String> equals = new ArrayList<>();
        for (int i = 0; i < others.size(); i++) {
            if (comparisons.get(i).outcome() != Comparison.Outcome.SLOWER) {
                equals.add(others.get(i).name());
            }
        }
        return equals.isEmpty()
                ? "That is surely more than every other (p at most 0.05"
                        + (others.size() > 1 ? ", corrected after Holm)." : ").")
                : "It cannot be told apart from " + String.join(", ", equals)
                        + ": choose by cost, or run more repetitions.";
    }

    /// One row a candidate, the best first.
    public ReportTable table() {
        List<Row> rows = new ArrayList<>();
        for (Candidate candidate : ranked) {
            ComparedCell shown = candidate.served().orElse(candidate.nearest());
            rows.add(Row.of(List.of(candidate.name(), candidate.served().isPresent() ? "served" : "not served",
                    shown.summary().cell().workload().name(), FigureText.figure(shown.figure(Metrics.GOODPUT.id())),
                    FigureText.figure(shown.figure(Metrics.OBJECTIVE_MET.id())),
                    FigureText.figure(shown.figure(Metrics.OUTPUT_THROUGHPUT.id())),
                    shown.figure(Metrics.COST_PER_MILLION.id()).map(figure -> FigureText.figure(Optional.of(figure)))
                            .orElse(FigureText.NOT_APPLICABLE))));
        }
        return new ReportTable("What to deploy",
                "limits " + objective + ", for " + FigureText.percent(objective.share()) + " % of requests",
                List.of(Column.text("Candidate"), Column.text("Limits"), Column.text("Best load"),
                        Column.number("Goodput", "req/s"), Column.number("SLO met", "%"),
                        Column.number("Output", "tok/s"), Column.number("Cost", "per 1M tokens")),
                rows,
                List.of("Each candidate at the load of its highest goodput among those that were served; where none was, at the load that came nearest."));
    }

    private static double met(ComparedCell cell) {
        return cell.figure(Metrics.OBJECTIVE_MET.id()).map(CellFigure::mean).orElse(0.0);
    }

    private static CellFigure figure(ComparedCell cell, String metricId) {
        return cell.figure(metricId).orElseThrow();
    }
}
