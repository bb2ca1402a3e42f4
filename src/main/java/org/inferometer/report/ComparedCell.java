package org.inferometer.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.benchmark.ExperimentManifest;
import org.inferometer.benchmark.ExperimentManifest.CellSummary;
import org.inferometer.measurement.CellFigure;

/// A cell in a comparison, named by what tells it apart from the others.
///
/// @param label what differs between the cells of the comparison: "tiny-int4 · continuous"
/// @param experiment id of the experiment it belongs to
public record ComparedCell(String label, String experiment, CellSummary summary) {

    /// The cells of experiments in their order, each labelled by the parts that are not the same for all.
    public static List<ComparedCell> of(List<ExperimentManifest> experiments) {
        List<ComparedCell> unlabelled = new ArrayList<>();
        for (ExperimentManifest experiment : experiments) {
            experiment.cells().forEach(cell -> unlabelled.add(new ComparedCell("", experiment.id(), cell)));
        }
        List<Part> parts = parts();
        List<Part> telling = parts.stream().filter(part -> values(part, unlabelled).size() > 1).toList();
        List<Part> named = telling.isEmpty() ? parts.subList(0, 2) : telling;
        return unlabelled.stream()
                .map(cell -> new ComparedCell(String.join(" · ", named.stream().map(part -> part.value().apply(cell)).toList()),
                        cell.experiment(), cell.summary()))
                .toList();
    }

    /// What all the cells have in common: "workload short · backend host:threads=2"; empty when they share nothing.
    public static String common(List<ComparedCell> cells) {
        List<String> shared = new ArrayList<>();
        for (Part part : parts()) {
            Set<String> values = values(part, cells);
            if (values.size() == 1 && !part.word().equals("experiment")) {
                shared.add(part.word() + " " + values.iterator().next());
            }
        }
        return String.join(" · ", shared);
    }

    /// One of its figures, by the metric's id.
    public Optional<CellFigure> figure(String metricId) {
        return summary.figures().stream().filter(figure -> figure.metric().id().equals(metricId)).findFirst();
    }

    private record Part(String word, Function<ComparedCell, String> value) {}

    private static List<Part> parts() {
        return List.of(
                new Part("engine", cell -> cell.summary().cell().engine()),
                new Part("scheduler", cell -> cell.summary().cell().scheduler().toString()),
                new Part("workload", ComparedCell::workload),
                new Part("backend", cell -> cell.summary().cell().backend().toString()),
                new Part("experiment", ComparedCell::experiment));
    }

    private static String workload(ComparedCell cell) {
        var workload = cell.summary().cell().workload();
        return workload.name() + " (" + workload.requests() + " requests, " + workload.arrivals() + ")";
    }

    private static Set<String> values(Part part, List<ComparedCell> cells) {
        Set<String> values = new LinkedHashSet<>();
        cells.forEach(cell -> values.add(part.value().apply(cell)));
        return values;
    }
}
