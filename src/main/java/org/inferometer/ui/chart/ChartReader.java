package org.inferometer.ui.chart;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /// The values of a chart at one place.
    ///
    /// @param x where the line stands, in the units of the axis
    /// @param y where the ring stands, NaN for none
    /// @param head the place: "12.5 s"
    record Readout(double x, double y, String head, List<Row> rows) {
        /// @param value with unit and interval; "–" for none
        /// @param y the value itself, NaN for none
        record Row(String name, String value, double y) {
            Row(String name, String value) {
                this(name, value, Double.NaN);
            }
        }

        /// A line each: the head, then name and value of each row.
        String lines() {
            return Stream.concat(Stream.of(head), rows.stream().map(row -> row.name() + ": " + row.value()))
                    .collect(Collectors.joining("\n"));
        }
    }
}
