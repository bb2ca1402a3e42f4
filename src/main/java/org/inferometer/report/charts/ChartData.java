package org.inferometer.report.charts;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.inferometer.measurement.Distribution;

/// A chart as data, independent of the renderer.
///
/// @param id stable name, for files: "throughput"
/// @param title metric and unit
/// @param footer source, n and window, in one line under the chart
public record ChartData(String id, String title, String footer, Axis x, Axis y, Marks marks) {
    /// The same chart with every name and sentence changed.
    public ChartData withText(UnaryOperator<String> change) {
        Marks changed = switch (marks) {
            case Marks.Lines(var lines, boolean steps) -> new Marks.Lines(lines.stream()
                    .map(line -> new Line(change.apply(line.name()), line.style(), line.x(), line.y())).toList(),
                    steps);
            case Marks.Stack stack -> stack;
            case Marks.Histogram(double[] edges, var series) -> new Marks.Histogram(edges,
                    series.stream().map(
                            bins -> new Bins(change.apply(bins.name()), bins.style(), bins.heights(), bins.outline()))
                            .toList());
            case Marks.Bars(var categories, var series) -> new Marks.Bars(categories.stream().map(change).toList(),
                    series.stream().map(
                            bar -> new BarSeries(change.apply(bar.name()), bar.style(), bar.values(), bar.halfWidths()))
                            .toList());
            case Marks.Boxes(var boxes) ->
                new Marks.Boxes(boxes.stream().map(box -> new Box(change.apply(box.category()), box.style(),
                        box.lowWhisker(), box.q1(), box.median(), box.q3(), box.highWhisker(), box.max())).toList());
        };
        return new ChartData(id, change.apply(title), change.apply(footer), x, y, changed);
    }

    /// @param label quantity and unit
    /// @param lower lower end, NaN to fit the data
    /// @param upper upper end, NaN to fit the data
    public record Axis(String label, boolean logarithmic, double lower, double upper) {
        /// A linear axis fitted to the data.
        public static Axis fitted(String label) {
            return new Axis(label, false, Double.NaN, Double.NaN);
        }

        /// A linear axis from zero.
        public static Axis fromZero(String label) {
            return new Axis(label, false, 0, Double.NaN);
        }

        /// A logarithmic axis fitted to the data.
        public static Axis log(String label) {
            return new Axis(label, true, Double.NaN, Double.NaN);
        }
    }

    /// How a series is drawn: the same thing has the same style in every chart.
    ///
    /// @param colour slot of the series palette, 0 to 7, or a memory owner's colour by its own set
    /// @param dash the precision: solid BF16, long dash FP8, dotted INT4
    public record SeriesStyle(int colour, Dash dash) {
        /// Solid line of a palette slot.
        public static SeriesStyle solid(int colour) {
            return new SeriesStyle(colour, Dash.SOLID);
        }
    }

    /// Line patterns.
    public enum Dash {
        SOLID, LONG, DOTTED
    }

    /// The marks of a chart.
    public sealed interface Marks {
        /// Lines; a NaN in `y` is a gap.
        record Lines(List<Line> lines, boolean steps) implements Marks {}

        /// Areas stacked from the first upwards, all over the same `x`; a line may mark the total.
        record Stack(double[] x, List<Layer> layers) implements Marks {}

        /// Counts or shares of bins: `edges` has one more entry than each series' `heights`.
        record Histogram(double[] edges, List<Bins> series) implements Marks {}

        /// Grouped bars with optional error bars (`halfWidths` NaN where there is none).
        record Bars(List<String> categories, List<BarSeries> series) implements Marks {}

        /// Box plots: one box a category.
        record Boxes(List<Box> boxes) implements Marks {}
    }

    /// @param x ascending
    public record Line(String name, SeriesStyle style, double[] x, double[] y) {}

    /// @param memorySlot the [org.inferometer.record.MemoryOwner#ordinal()] whose colour it has
    public record Layer(String name, int memorySlot, double[] y) {}

    /// @param outline drawn as an outline instead of filled
    public record Bins(String name, SeriesStyle style, double[] heights, boolean outline) {}

    /// One group's bars.
    public record BarSeries(String name, SeriesStyle style, double[] values, double[] halfWidths) {}

    /// @param lowWhisker P5
    /// @param highWhisker P95
    public record Box(String category, SeriesStyle style, double lowWhisker, double q1, double median, double q3,
            double highWhisker, double max) {
        /// The box of some samples.
        ///
        /// @param place from a value to its place on the axis
        static Box of(String category, SeriesStyle style, Distribution samples, DoubleUnaryOperator place) {
            double[] at = IntStream.of(5, 25, 50, 75, 95, 100).mapToDouble(samples::percentile).map(place).toArray();
            return new Box(category, style, at[0], at[1], at[2], at[3], at[4], at[5]);
        }
    }
}
