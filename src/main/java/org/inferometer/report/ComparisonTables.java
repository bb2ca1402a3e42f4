package org.inferometer.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.inferometer.measurement.CellFigure;
import org.inferometer.measurement.Metric.Unit;
import org.inferometer.report.ReportTable.Column;
import org.inferometer.report.ReportTable.Row;

/// The tables of a comparison: one row a cell, one column a figure, throughput first, then latency.
public final class ComparisonTables {
    private static final String LATENCY_NOTE = "Latencies count from the intended instant of the request; lower is better.";
    private static final List<Shown> THROUGHPUT = List.of(
            new Shown("request_throughput", "Requests", Unit.PER_SECOND_REQUESTS),
            new Shown("output_throughput", "Output", Unit.PER_SECOND_TOKENS),
            new Shown("memory_peak_total", "Memory peak", Unit.BYTES),
            new Shown("device_utilisation", "CPU or GPU", Unit.FRACTION),
            new Shown("lane_utilisation", "Lanes busy", Unit.FRACTION));
    private static final List<Shown> LATENCY = List.of(
            new Shown("ttft_p50", "TTFT P50", Unit.NANOSECONDS),
            new Shown("ttft_p95", "TTFT P95", Unit.NANOSECONDS),
            new Shown("itl_p50", "ITL P50", Unit.NANOSECONDS),
            new Shown("itl_p95", "ITL P95", Unit.NANOSECONDS),
            new Shown("e2e_mean", "E2E mean", Unit.NANOSECONDS),
            new Shown("e2e_p95", "E2E P95", Unit.NANOSECONDS),
            new Shown("e2e_p99", "E2E P99", Unit.NANOSECONDS));
    private final List<ComparedCell> cells;

    /// @param cells at least one
    public ComparisonTables(List<ComparedCell> cells) {
        this.cells = List.copyOf(cells);
    }

    /// Throughput, memory and utilisation.
    public ReportTable throughput() {
        return table("Throughput and resources", THROUGHPUT, List.of());
    }

    /// Time to first token, gaps between tokens and end-to-end latency.
    public ReportTable latency() {
        return table("Latency", LATENCY, List.of(LATENCY_NOTE));
    }

    /// The ids of the metrics that the tables show.
    static List<String> shownMetrics() {
        return Stream.concat(THROUGHPUT.stream(), LATENCY.stream()).map(Shown::metricId).toList();
    }

    /// Both tables.
    public List<ReportTable> all() {
        return List.of(throughput(), latency());
    }

    private record Shown(String metricId, String label, Unit unit) {}

    private ReportTable table(String title, List<Shown> shown, List<String> notes) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("Cell"), Column.number("Runs", "")));
        shown.forEach(figure -> columns.add(Column.number(figure.label(), FigureText.unit(figure.unit()))));
        List<Optional<CellFigure>> figures = new ArrayList<>();
        List<List<String>> texts = new ArrayList<>();
        for (Shown each : shown) {
            List<Optional<CellFigure>> column = cells.stream().map(cell -> cell.figure(each.metricId())).toList();
            figures.addAll(column);
            texts.add(FigureText.column(column));
        }
        List<Row> rows = new ArrayList<>();
        for (int c = 0; c < cells.size(); c++) {
            List<String> row = new ArrayList<>(List.of(cells.get(c).label(), Integer.toString(cells.get(c).summary().runs())));
            for (List<String> column : texts) {
                row.add(column.get(c));
            }
            rows.add(Row.of(row));
        }
        List<String> footnotes = new ArrayList<>(notes);
        footnotes.addAll(footnotes(figures.stream().flatMap(Optional::stream).toList()));
        return new ReportTable(title, ComparedCell.common(cells), columns, rows, footnotes);
    }

    private List<String> footnotes(List<CellFigure> figures) {
        List<String> notes = new ArrayList<>();
        if (figures.stream().anyMatch(figure -> figure.interval().isPresent())) {
            notes.add("± is half of the 95 % t-interval over runs.");
        }
        if (cells.stream().anyMatch(cell -> cell.summary().runs() == 1)) {
            notes.add("One run has no interval: run it again to learn how much it varies.");
        }
        TreeSet<Long> requests = new TreeSet<>();
        figures.stream().filter(figure -> figure.metric().id().startsWith("e2e")).forEach(figure -> requests.add(figure.n()));
        if (!requests.isEmpty()) {
            String n = requests.first().equals(requests.last()) ? requests.first().toString() : requests.first() + " to " + requests.last();
            notes.add("End-to-end latency rests on " + n + " requests a cell.");
        }
        if (figures.stream().anyMatch(figure -> !figure.enough())) {
            notes.add("(n) behind a percentile is its number of samples, where they are fewer than it needs, 10/(1 − p).");
        }
        return notes;
    }
}
