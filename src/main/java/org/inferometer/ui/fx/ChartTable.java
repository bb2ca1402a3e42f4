package org.inferometer.ui.fx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;

/// The data of a chart: as tab-separated text, and as one sentence for screen readers.
public final class ChartTable {
    private ChartTable() {}

    /// Header and rows; a missing value is an empty cell.
    public static String tabSeparated(ChartData chart) {
        List<List<String>> rows = switch (chart.marks()) {
            case Marks.Lines(List<ChartData.Line> lines, boolean ignored) -> lines(chart, lines);
            case Marks.Stack(double[] x, List<ChartData.Layer> layers) -> stack(chart, x, layers);
            case Marks.Histogram(double[] edges, List<ChartData.Bins> series) -> histogram(edges, series);
            case Marks.Bars(List<String> categories, List<ChartData.BarSeries> series) -> bars(categories, series);
            case Marks.Boxes(List<ChartData.Box> boxes) -> boxes(boxes);
        };
        return rows.stream().map(row -> row.stream().map(ChartTable::plain).collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n", "", "\n"));
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
        };
        return Messages.text("chart.sentence", chart.title(), String.join(", ", names), chart.footer());
    }

    private static List<List<String>> lines(ChartData chart, List<ChartData.Line> lines) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("series", chart.x().label(), chart.y().label()));
        for (ChartData.Line line : lines) {
            for (int i = 0; i < line.x().length; i++) {
                rows.add(List.of(line.name(), number(line.x()[i]), number(line.y()[i])));
            }
        }
        return rows;
    }

    private static List<List<String>> stack(ChartData chart, double[] x, List<ChartData.Layer> layers) {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of(chart.x().label()));
        layers.forEach(layer -> header.add(layer.name() + " (" + chart.y().label() + ")"));
        rows.add(header);
        for (int i = 0; i < x.length; i++) {
            List<String> row = new ArrayList<>(List.of(number(x[i])));
            for (ChartData.Layer layer : layers) {
                row.add(number(layer.y()[i]));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> histogram(double[] edges, List<ChartData.Bins> series) {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("from", "to"));
        series.forEach(bins -> header.add(bins.name()));
        rows.add(header);
        for (int i = 0; i + 1 < edges.length; i++) {
            List<String> row = new ArrayList<>(List.of(number(edges[i]), number(edges[i + 1])));
            for (ChartData.Bins bins : series) {
                row.add(number(bins.heights()[i]));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> bars(List<String> categories, List<ChartData.BarSeries> series) {
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("category"));
        series.forEach(bar -> header.addAll(List.of(bar.name(), bar.name() + " ±")));
        rows.add(header);
        for (int i = 0; i < categories.size(); i++) {
            List<String> row = new ArrayList<>(List.of(categories.get(i)));
            for (ChartData.BarSeries bar : series) {
                row.addAll(List.of(number(bar.values()[i]), number(bar.halfWidths()[i])));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> boxes(List<ChartData.Box> boxes) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("category", "p5", "p25", "p50", "p75", "p95", "max"));
        for (ChartData.Box box : boxes) {
            rows.add(List.of(box.category(), number(box.lowWhisker()), number(box.q1()), number(box.median()),
                    number(box.q3()), number(box.highWhisker()), number(box.max())));
        }
        return rows;
    }

    private static String number(double value) {
        return Double.isFinite(value) ? Double.toString(value) : "";
    }

    private static String plain(String cell) {
        return cell.replace('\t', ' ').replace('\n', ' ');
    }
}
