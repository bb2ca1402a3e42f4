package org.inferometer.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.inferometer.record.CellFigure;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.CellSummary;

/// A cell in a comparison, named by what tells it apart from the others.
///
/// @param label what differs between the cells of the comparison: "tiny-int4 · continuous"
/// @param name what tells it apart from the others under the same load: "continuous"
/// @param experiment id of the experiment it belongs to
public record ComparedCell(String label, String name, String experiment, CellSummary summary) {

    private static final String LOAD = "workload";
    private static final String NOT_KNOWN = "–";

    /// The cells of experiments in their order, each labelled by the parts that are not the same for all.
    public static List<ComparedCell> of(List<ExperimentManifest> experiments) {
        List<ComparedCell> unlabelled = new ArrayList<>();
        for (ExperimentManifest experiment : experiments) {
            experiment.cells().forEach(cell -> unlabelled.add(new ComparedCell("", "", experiment.id(), cell)));
        }
        List<Part> parts = parts();
        List<Part> telling = parts.stream().filter(part -> values(part, unlabelled).size() > 1).toList();
        List<Part> named = telling.isEmpty() ? parts.subList(0, 2) : telling;
        List<Part> withoutLoad = named.stream().filter(part -> !part.word().equals(LOAD)).toList();
        List<Part> naming = withoutLoad.isEmpty() ? parts.subList(0, 2) : withoutLoad;
        return unlabelled.stream().map(
                cell -> new ComparedCell(joined(named, cell), joined(naming, cell), cell.experiment(), cell.summary()))
                .toList();
    }

    /// The cells by the load that they faced, in the order of the cells; loads are in words: "short (60 requests, poisson:rate=4)".
    public static Map<String, List<ComparedCell>> byLoad(List<ComparedCell> cells) {
        Map<String, List<ComparedCell>> loads = new LinkedHashMap<>();
        cells.forEach(cell -> loads.computeIfAbsent(workload(cell), load -> new ArrayList<>()).add(cell));
        return loads;
    }

    private static String joined(List<Part> parts, ComparedCell cell) {
        return String.join(" · ", parts.stream().map(part -> part.value().apply(cell)).toList());
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
        return List.of(new Part("engine", cell -> cell.summary().cell().subject().model().orElse(NOT_KNOWN)),
                new Part("scheduler", cell -> cell.summary().cell().subject().system()),
                new Part(LOAD, ComparedCell::workload),
                new Part("backend", cell -> cell.summary().cell().subject().platform()),
                new Part("experiment", ComparedCell::experiment));
    }

    private static String workload(ComparedCell cell) {
        var workload = cell.summary().cell().workload();
        return workload.name() + " (" + workload.sizeInWords() + ", " + workload.arrivals() + ")";
    }

    private static Set<String> values(Part part, List<ComparedCell> cells) {
        Set<String> values = new LinkedHashSet<>();
        cells.forEach(cell -> values.add(part.value().apply(cell)));
        return values;
    }
}
