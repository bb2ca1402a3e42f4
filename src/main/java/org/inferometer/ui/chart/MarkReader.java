package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.Point;
import org.inferometer.report.charts.ChartData.PointSeries;
import org.inferometer.report.charts.ChartData.Ratio;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.fx.Messages;

/// Reads single marks: points, rows, categories and cells. The nearest is that with the smallest distance in pixels along the axes that
/// tell marks apart.
record MarkReader(List<Readout> marks, boolean across, boolean down, int rowStride) implements ChartReader {
    static MarkReader of(Marks.Points points, ChartData chart) {
        ValueText x = ValueText.of(chart.x().label());
        ValueText y = ValueText.of(chart.y().label());
        List<Readout> marks = new ArrayList<>();
        for (PointSeries series : points.series()) {
            for (Point point : series.points()) {
                List<Readout.Row> rows =
                        new ArrayList<>(List.of(new Readout.Row(x.name(), x.of(point.x(), point.xSpan())),
                                new Readout.Row(y.name(), y.of(point.y(), point.ySpan()))));
                if (point.runX().length > 0) {
                    rows.add(runs(point.runX().length));
                }
                String head =
                        point.label().isEmpty() ? series.name() : point.label().contains(series.name()) ? point.label()
                                : series.name() + " · " + point.label();
                marks.add(new Readout(point.x(), point.y(), head, rows));
            }
        }
        marks.sort(Comparator.comparingDouble(Readout::x));
        return new MarkReader(marks, true, true, 0);
    }

    private static Readout.Row runs(int n) {
        return new Readout.Row(Messages.text("chart.read.runs"), Integer.toString(n));
    }

    static MarkReader of(Marks.Ratios ratios) {
        return new MarkReader(IntStream.range(0, ratios.rows().size()).mapToObj(i -> {
            Ratio row = ratios.rows().get(i);
            List<Readout.Row> rows = new ArrayList<>();
            rows.add(new Readout.Row(row.outcome(), row.text().isEmpty() ? ValueText.NONE : row.text()));
            if (row.runs().length > 0) {
                rows.add(runs(row.runs().length));
            }
            return new Readout(row.value(), i, row.name(), rows);
        }).toList(), false, true, 1);
    }

    static MarkReader of(Marks.Bars bars, ChartData chart) {
        ValueText y = ValueText.of(chart.y().label());
        return new MarkReader(
                IntStream.range(0, bars.categories().size())
                        .mapToObj(i -> new Readout(i, Double.NaN, bars.categories().get(i),
                                bars.series().stream()
                                        .map(series -> new Readout.Row(series.name(),
                                                y.of(series.values()[i], series.spans().get(i))))
                                        .toList()))
                        .toList(),
                true, false, 0);
    }

    static MarkReader of(Marks.Boxes boxes, ChartData chart) {
        ValueText y = ValueText.of(chart.y().label());
        return new MarkReader(IntStream.range(0, boxes.boxes().size()).mapToObj(i -> {
            Box box = boxes.boxes().get(i);
            return new Readout(i, Double.NaN, box.category(),
                    List.of(row("P5", box.lowWhisker(), y), row("P25", box.q1(), y), row("P50", box.median(), y),
                            row("P75", box.q3(), y), row("P95", box.highWhisker(), y),
                            row(Messages.text("chart.read.max"), box.max(), y)));
        }).toList(), true, false, 0);
    }

    private static Readout.Row row(String name, double value, ValueText text) {
        return new Readout.Row(name, text.of(value), value);
    }

    static MarkReader of(Marks.OwnerBars bars, ChartData chart) {
        ValueText x = ValueText.of(chart.x().label());
        return new MarkReader(IntStream.range(0, bars.categories().size()).mapToObj(i -> {
            List<Readout.Row> rows = new ArrayList<>();
            bars.layers().forEach(layer -> rows.add(new Readout.Row(layer.name(), x.of(layer.y()[i]))));
            double total = bars.layers().stream().mapToDouble(layer -> layer.y()[i]).filter(Double::isFinite).sum();
            rows.add(new Readout.Row(Messages.text("chart.read.total"), x.of(total)));
            return new Readout(total, i, bars.categories().get(i), rows);
        }).toList(), false, true, 1);
    }

    static MarkReader of(Marks.HeatMap map, ChartData chart) {
        ValueText value = ValueText.of(chart.title());
        List<Readout> marks = new ArrayList<>();
        for (int row = 0; row < map.rows().size(); row++) {
            for (int column = 0; column < map.columns().size(); column++) {
                marks.add(new Readout(column, row, map.rows().get(row) + " · " + map.columns().get(column),
                        List.of(new Readout.Row(value.name(), value.of(map.values()[row][column])))));
            }
        }
        return new MarkReader(marks, true, true, map.columns().size());
    }

    @Override
    public Optional<Readout> at(PlotArea area, double pixelX, double pixelY) {
        return marks.stream().filter(mark -> !across || area.x().shows(mark.x()))
                .min(Comparator.comparingDouble(mark -> distance(area, mark, pixelX, pixelY)));
    }

    private double distance(PlotArea area, Readout mark, double pixelX, double pixelY) {
        double dx = across ? area.x().pixel(mark.x()) - pixelX : 0;
        double dy = down ? area.y().pixel(mark.y()) - pixelY : 0;
        return Double.isFinite(dx + dy) ? Math.hypot(dx, dy) : Double.MAX_VALUE;
    }

    @Override
    public Optional<Readout> again(PlotArea area, Readout earlier) {
        return marks.stream().filter(mark -> mark.head().equals(earlier.head()))
                .min(Comparator.comparingDouble(mark -> Math.abs(mark.x() - earlier.x())));
    }

    @Override
    public Optional<Readout> step(Readout from, int steps) {
        int at = marks.indexOf(from);
        return marks.isEmpty() ? Optional.empty()
                : Optional.of(marks.get(Math.clamp((long) Math.max(at, 0) + steps, 0, marks.size() - 1)));
    }

    @Override
    public Optional<Readout> end(boolean last) {
        return marks.isEmpty() ? Optional.empty() : Optional.of(last ? marks.getLast() : marks.getFirst());
    }
}
