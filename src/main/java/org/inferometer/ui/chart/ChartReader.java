package org.inferometer.ui.chart;

import java.util.Optional;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;

/// Reads the exact values of a chart at a place: one at the pointer, or the next from the keyboard.
sealed interface ChartReader permits CurveReader, MarkReader {
    /// The values nearest to a pixel; empty without data.
    Optional<Readout> at(PlotArea area, double pixelX, double pixelY);

    /// The values at the place of earlier ones.
    Optional<Readout> again(PlotArea area, Readout earlier);

    /// The values some samples or marks further, not beyond the ends.
    Optional<Readout> step(Readout from, int steps);

    /// The first or the last.
    Optional<Readout> end(boolean last);

    /// Marks from one row to the next, 0 if there are no rows.
    int rowStride();

    /// A reader of all series of a chart.
    static ChartReader of(ChartData chart) {
        return switch (chart.marks()) {
            case Marks.Lines lines -> CurveReader.of(chart, lines);
            case Marks.Stack stack -> CurveReader.of(chart, stack);
            case Marks.Histogram histogram -> CurveReader.of(chart, histogram);
            case Marks.Bars bars -> MarkReader.of(bars, chart);
            case Marks.Boxes boxes -> MarkReader.of(boxes, chart);
            case Marks.Points points -> MarkReader.of(points, chart);
            case Marks.Ratios ratios -> MarkReader.of(ratios);
            case Marks.OwnerBars bars -> MarkReader.of(bars, chart);
            case Marks.HeatMap map -> MarkReader.of(map, chart);
        };
    }
}
