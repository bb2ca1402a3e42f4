package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.ui.fx.Messages;
import org.inferometer.units.SpreadsheetText;

/// The data of a chart: as tab-separated text, and as one sentence for screen readers.
public final class ChartTable {
    private ChartTable() {}

    /// Header and rows as text.
    public static String tabSeparated(ChartData chart) {
        return rows(chart).map(row -> row.stream().map(ChartTable::plain).collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /// The header, then the rows; rows of samples are made one by one. A missing value is an empty cell.
    static Stream<List<String>> rows(ChartData chart) {
        return switch (chart.marks()) {
            case Marks.Lines(List<ChartData.Line> lines, boolean ignored) -> lines(chart, lines);
            case Marks.Stack(double[] x, List<ChartData.Layer> layers) ->
                layers(IndexedColumn.of(chart.x().label(), x), x.length, layers, chart.y().label());
            case Marks.Histogram(double[] edges, List<ChartData.Bins> series) -> histogram(edges, series);
            case Marks.Bars(List<String> categories, List<ChartData.BarSeries> series) -> bars(categories, series);
            case Marks.Boxes(List<ChartData.Box> boxes) -> boxes(boxes);
            case Marks.Points(List<ChartData.PointSeries> series) -> points(chart, series).stream();
            case Marks.Ratios(List<ChartData.Ratio> ratios) -> ratios(ratios).stream();
            case Marks.OwnerBars(List<String> categories, List<ChartData.Layer> layers) ->
                layers(new IndexedColumn("category", categories::get), categories.size(), layers, chart.x().label());
            case Marks.HeatMap(List<String> columns, List<String> names, double[][] values, var ignored) ->
                heatMap(columns, names, values);
        };
    }

    /// The number of rows below the header.
    static long count(ChartData chart) {
        if (chart.marks() instanceof Marks.Lines(var lines, boolean ignored)) {
            return lines.stream().mapToLong(line -> line.x().length).sum();
        }
        return chart.marks() instanceof Marks.Stack(double[] x, var ignored) ? x.length : rows(chart).count() - 1;
    }

    /// "Throughput, tok/s: output, prompt."
    public static String sentence(ChartData chart) {
        List<String> names = switch (chart.marks()) {
            case Marks.Lines(List<ChartData.Line> lines, boolean ignored) ->
                lines.stream().map(ChartData.Line::name).toList();
            case Marks.Stack(double[] ignored, List<ChartData.Layer> layers) ->
                layers.stream().map(ChartData.Layer::name).toList();
            case Marks.Histogram(double[] ignored, List<ChartData.Bins> series) ->
                series.stream().map(ChartData.Bins::name).toList();
            case Marks.Bars(List<String> categories, List<ChartData.BarSeries> ignored) -> categories;
            case Marks.Boxes(List<ChartData.Box> boxes) -> boxes.stream().map(ChartData.Box::category).toList();
            case Marks.Points(List<ChartData.PointSeries> series) ->
                series.stream().map(ChartData.PointSeries::name).toList();
            case Marks.Ratios(List<ChartData.Ratio> ratios) -> ratios.stream()
                    .map(row -> Messages.text("chart.ratio", row.name(), row.outcome(), row.text()).strip()).toList();
            case Marks.OwnerBars(List<String> categories, List<ChartData.Layer> ignored) -> categories;
            case Marks.HeatMap(List<String> columns, List<String> rows, double[][] ignored, var texts) ->
                List.of(Messages.text("chart.heat-map", String.join(", ", rows), String.join(", ", columns)));
        };
        String footer = Stream.concat(chart.guides().stream().map(ChartData.Guide::text), Stream.of(chart.footer()))
                .filter(text -> !text.isEmpty()).collect(Collectors.joining(" · "));
        return Messages.text("chart.sentence", chart.title(), String.join(", ", names), footer);
    }

    private static Stream<List<String>> lines(ChartData chart, List<ChartData.Line> lines) {
        boolean bands = lines.stream().anyMatch(ChartData.Line::marked);
        List<String> header = new ArrayList<>(List.of("series", chart.x().label(), chart.y().label()));
        header.addAll(bands ? List.of("low", "high") : List.of());
        return Stream.concat(Stream.of(header),
                lines.stream().flatMap(line -> IntStream.range(0, line.x().length).mapToObj(i -> {
                    List<String> row = new ArrayList<>(List.of(line.name(), number(line.x()[i]), number(line.y()[i])));
                    if (bands) {
                        row.addAll(ends(line.marked() ? line.band().get(i) : ChartData.Span.NONE));
                    }
                    return row;
                })));
    }

    private static List<String> ends(ChartData.Span span) {
        return List.of(number(span.low()), number(span.high()));
    }

    /// A row per point, followed by a row per run of it.
    private static List<List<String>> points(ChartData chart, List<ChartData.PointSeries> series) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("series", "point", "run", chart.x().label(), "low", "high", chart.y().label(), "low", "high"));
        for (ChartData.PointSeries each : series) {
            for (ChartData.Point point : each.points()) {
                List<String> row = new ArrayList<>(List.of(each.name(), point.label(), "", number(point.x())));
                row.addAll(ends(point.xSpan()));
                row.add(number(point.y()));
                row.addAll(ends(point.ySpan()));
                rows.add(row);
                for (int run = 0; run < point.runX().length; run++) {
                    rows.add(List.of(each.name(), point.label(), Integer.toString(run + 1), number(point.runX()[run]),
                            "", "", number(point.runY()[run]), "", ""));
                }
            }
        }
        return rows;
    }

    private static List<List<String>> ratios(List<ChartData.Ratio> ratios) {
        int runs = ratios.stream().mapToInt(row -> row.runs().length).max().orElse(0);
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("metric", "outcome", "ratio", "low", "high", "text"));
        rows.add(header);
        for (int run = 1; run <= runs; run++) {
            header.add("run " + run);
        }
        for (ChartData.Ratio ratio : ratios) {
            List<String> row = new ArrayList<>(List.of(ratio.name(), ratio.outcome(), number(ratio.value())));
            row.addAll(ends(ratio.span()));
            row.add(ratio.text());
            for (int run = 0; run < runs; run++) {
                row.add(run < ratio.runs().length ? number(ratio.runs()[run]) : "");
            }
            rows.add(row);
        }
        return rows;
    }

    /// A column of a table with a row for each index.
    private record IndexedColumn(String head, IntFunction<String> cell) {
        static IndexedColumn of(String head, double[] values) {
            return new IndexedColumn(head, i -> number(values[i]));
        }
    }

    private static Stream<List<String>> table(int rows, List<IndexedColumn> columns) {
        return Stream.concat(Stream.of(columns.stream().map(IndexedColumn::head).toList()), IntStream.range(0, rows)
                .mapToObj(row -> columns.stream().map(column -> column.cell().apply(row)).toList()));
    }

    /// A first column of names or places, and columns of figures beside it.
    private static Stream<List<String>> table(int rows, IndexedColumn first, Stream<IndexedColumn> figures) {
        return table(rows, Stream.concat(Stream.of(first), figures).toList());
    }

    private static Stream<List<String>> histogram(double[] edges, List<ChartData.Bins> series) {
        return table(edges.length - 1, IndexedColumn.of("from", edges),
                Stream.concat(Stream.of(new IndexedColumn("to", i -> number(edges[i + 1]))),
                        series.stream().map(bins -> IndexedColumn.of(bins.name(), bins.heights()))));
    }

    private static Stream<List<String>> layers(IndexedColumn first, int rows, List<ChartData.Layer> layers,
            String axis) {
        return table(rows, first,
                layers.stream().map(layer -> IndexedColumn.of(layer.name() + " (" + axis + ")", layer.y())));
    }

    private static Stream<List<String>> bars(List<String> categories, List<ChartData.BarSeries> series) {
        return table(categories.size(), new IndexedColumn("category", categories::get),
                series.stream()
                        .flatMap(bar -> Stream.of(IndexedColumn.of(bar.name(), bar.values()),
                                new IndexedColumn(bar.name() + " from", i -> number(bar.spans().get(i).low())),
                                new IndexedColumn(bar.name() + " to", i -> number(bar.spans().get(i).high())))));
    }

    private static Stream<List<String>> heatMap(List<String> columns, List<String> names, double[][] values) {
        return table(names.size(), new IndexedColumn("", names::get), IntStream.range(0, columns.size())
                .mapToObj(column -> new IndexedColumn(columns.get(column), row -> number(values[row][column]))));
    }

    private static Stream<List<String>> boxes(List<ChartData.Box> boxes) {
        return Stream.concat(Stream.of(List.of("category", "p5", "p25", "p50", "p75", "p95", "max")),
                boxes.stream().map(box -> List.of(box.category(), number(box.lowWhisker()), number(box.q1()),
                        number(box.median()), number(box.q3()), number(box.highWhisker()), number(box.max()))));
    }

    private static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "";
    }

    private static String plain(String cell) {
        return SpreadsheetText.harmless(cell.replace('\t', ' ').replace('\n', ' ').replace('\r', ' '));
    }
}
