package org.inferometer.report.charts;

import java.util.function.UnaryOperator;
import org.inferometer.report.charts.ChartData.BarSeries;
import org.inferometer.report.charts.ChartData.Bins;
import org.inferometer.report.charts.ChartData.Box;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;

/// Changes the words of a chart and nothing else.
public final class ChartNames {
    private ChartNames() {}

    public static ChartData renamed(ChartData chart, UnaryOperator<String> change) {
        Marks marks = switch (chart.marks()) {
            case Marks.Lines(var lines, boolean steps) -> new Marks.Lines(lines.stream()
                    .map(line -> new Line(change.apply(line.name()), line.look(), line.x(), line.y())).toList(), steps);
            case Marks.Stack stack -> stack;
            case Marks.Histogram(double[] edges, var series) -> new Marks.Histogram(edges,
                    series.stream().map(
                            bins -> new Bins(change.apply(bins.name()), bins.look(), bins.heights(), bins.outline()))
                            .toList());
            case Marks.Bars(var categories, var series) -> new Marks.Bars(categories.stream().map(change).toList(),
                    series.stream().map(
                            bar -> new BarSeries(change.apply(bar.name()), bar.look(), bar.values(), bar.halfWidths()))
                            .toList());
            case Marks.Boxes(var boxes) ->
                new Marks.Boxes(boxes.stream().map(box -> new Box(change.apply(box.category()), box.look(),
                        box.lowWhisker(), box.q1(), box.median(), box.q3(), box.highWhisker(), box.max())).toList());
        };
        return new ChartData(chart.id(), change.apply(chart.title()), change.apply(chart.footer()), chart.x(),
                chart.y(), marks);
    }
}
