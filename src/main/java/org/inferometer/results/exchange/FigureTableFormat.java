package org.inferometer.results.exchange;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.results.ResultFormatException;
import tools.jackson.databind.node.StringNode;

/// The figures that `report --format csv` writes: a row per figure of a cell, with the value of every run.
final class FigureTableFormat {
    static final ForeignFormat FORMAT = new ForeignFormat("inferometer-csv", FigureTableFormat::fits,
            ForeignFormat.SEVERAL, FigureTableFormat::read);
    private static final List<String> SETTINGS = List.of("experiment", "backend", "precision");
    private static final List<String> LOAD = List.of("requests", "arrivals");

    private FigureTableFormat() {}

    private static boolean fits(ForeignFile file) {
        return !file.table().isEmpty()
                && file.table().getFirst().containsAll(List.of("experiment", "cell", "metric", "run_values"));
    }

    /// The values of one cell, by metric.
    private static final class OneCell {
        private final ForeignFields first;
        private final Map<Metric, List<OptionalDouble>> values = new LinkedHashMap<>();
        private final Map<Metric, Long> samples = new LinkedHashMap<>();
        private int leftOut;

        private OneCell(ForeignFields first) {
            this.first = first;
        }

        private int runs() {
            return values.values().stream().mapToInt(List::size).max().orElse(0);
        }
    }

    private static List<ForeignRun> read(ForeignFile file) throws ResultFormatException {
        Map<String, OneCell> cells = new LinkedHashMap<>();
        for (ForeignFields row : ForeignFields.each(file, "row")) {
            OneCell cell = cells.computeIfAbsent(row.text("experiment", "") + "\n" + row.text("cell", ""),
                    key -> new OneCell(row));
            Optional<Metric> metric = Metrics.find(row.text("metric", ""));
            List<OptionalDouble> values = Arrays.stream(row.text("run_values", "").split(" "))
                    .filter(value -> !value.isEmpty()).map(StringNode::valueOf).map(ForeignFields::number).toList();
            if (metric.isEmpty() || values.isEmpty() || values.stream().anyMatch(OptionalDouble::isEmpty)) {
                cell.leftOut++;
            } else if (cell.values.put(metric.get(), values) != null) {
                throw file.fault("cell " + row.text("cell", "") + " has two rows of " + metric.get().id() + ".");
            } else {
                cell.samples.put(metric.get(), (long) row.number("samples").orElse(0) / values.size());
            }
        }
        List<ForeignRun> runs = new ArrayList<>();
        cells.values().forEach(cell -> runs.addAll(runs(cell)));
        if (runs.isEmpty()) {
            throw file.fault("the table has no figure of this version.");
        }
        return runs;
    }

    private static List<ForeignRun> runs(OneCell cell) {
        ForeignFields row = cell.first;
        int runs = cell.runs();
        Map<Metric, List<OptionalDouble>> whole = new LinkedHashMap<>(cell.values);
        whole.values().removeIf(values -> values.size() != runs);
        int leftOut = cell.leftOut + cell.values.size() - whole.size();
        List<String> notes = new ArrayList<>(List.of("The table is a summary; its figures cannot be recomputed."));
        if (leftOut > 0) {
            notes.add(
                    leftOut + " figures were skipped: this version does not know them, or they lack a value of a run.");
        }
        List<ForeignRun> all = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            int run = i;
            List<Figure> figures = new ArrayList<>();
            whole.forEach((metric, values) -> values.get(run).ifPresent(
                    value -> figures.add(new Figure(metric, value, cell.samples.getOrDefault(metric, 0L), true))));
            all.add(new ForeignRun("Inferometer", row.text("engine", row.text("model", ForeignRun.UNNAMED)),
                    row.text("scheduler", "not named"), row.text("workload", "workload"), 0, 0, List.of(),
                    List.copyOf(figures), List.copyOf(notes),
                    new ForeignRun.Settings(row.settings(SETTINGS::contains), row.settings(LOAD::contains)), Set.of(),
                    null));
        }
        return all;
    }
}
