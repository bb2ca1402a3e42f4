package org.inferometer.report.charts;

import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.units.QuantityText;

/// A chart as data, independent of the renderer.
///
/// @param id stable name, for files: "throughput"
/// @param title metric and unit
/// @param footer source, n and window, in one line under the chart
/// @param guides lines across the plot, such as the limit of an SLO
/// @param requests finds the request behind a value
public record ChartData(String id, String title, String footer, Axis x, Axis y, Marks marks, List<Guide> guides,
        RequestLookup requests) {
    /// A chart whose values are not those of requests.
    public ChartData(String id, String title, String footer, Axis x, Axis y, Marks marks, List<Guide> guides) {
        this(id, title, footer, x, y, marks, guides, RequestLookup.NONE);
    }

    /// A chart without guides.
    public ChartData(String id, String title, String footer, Axis x, Axis y, Marks marks) {
        this(id, title, footer, x, y, marks, List.of());
    }

    /// The same chart of a part of the marks.
    public ChartData withMarks(Axis shownX, Marks shown) {
        return new ChartData(id, title, footer, shownX, y, shown, guides, requests);
    }

    /// The same chart with its source behind the footer.
    public ChartData from(String source) {
        return new ChartData(id, title,
                footer.isEmpty() || source.isEmpty() ? footer + source : footer + " · " + source, x, y, marks, guides,
                requests);
    }

    /// The same chart with every name and sentence changed, without its requests.
    public ChartData withText(UnaryOperator<String> change) {
        Marks changed = switch (marks) {
            case Marks.Lines(var lines, boolean steps) -> new Marks.Lines(lines.stream()
                    .map(line -> new Line(change.apply(line.name()), line.style(), line.x(), line.y(), line.band()))
                    .toList(), steps);
            case Marks.Points(var series) ->
                new Marks.Points(
                        series.stream()
                                .map(each -> new PointSeries(change.apply(each.name()), each.style(), each.joined(),
                                        each.points().stream().map(point -> point.labelled(change)).toList()))
                                .toList());
            case Marks.Ratios(var rows) -> new Marks.Ratios(rows.stream().map(row -> row.renamed(change)).toList());
            case Marks.OwnerBars(var categories, var layers) ->
                new Marks.OwnerBars(categories.stream().map(change).toList(), layers);
            case Marks.HeatMap(var columns, var rows, double[][] values, var texts) -> new Marks.HeatMap(
                    columns.stream().map(change).toList(), rows.stream().map(change).toList(), values, texts);
            case Marks.Stack stack -> stack;
            case Marks.Histogram(double[] edges, var series) -> new Marks.Histogram(edges,
                    series.stream().map(
                            bins -> new Bins(change.apply(bins.name()), bins.style(), bins.heights(), bins.outline()))
                            .toList());
            case Marks.Bars(var categories, var series) -> new Marks.Bars(categories.stream().map(change).toList(),
                    series.stream()
                            .map(bar -> new BarSeries(change.apply(bar.name()), bar.style(), bar.values(), bar.spans()))
                            .toList());
            case Marks.Boxes(var boxes) ->
                new Marks.Boxes(boxes.stream().map(box -> new Box(change.apply(box.category()), box.style(),
                        box.lowWhisker(), box.q1(), box.median(), box.q3(), box.highWhisker(), box.max())).toList());
        };
        return new ChartData(id, change.apply(title), change.apply(footer), x, y, changed,
                guides.stream().map(guide -> guide.renamed(change)).toList());
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
    /// @param dash the precision: solid BF16, long dash FP8, dash and dot INT8, dotted INT4
    /// @param marker slot of the markers, 0 to 7
    /// @param strength of the colour, above 0 to 1: less is paler, for a lighter load
    public record SeriesStyle(int colour, Dash dash, int marker, double strength) {
        private static final double FAINT = 0.35;

        /// A line with the marker of its colour.
        public SeriesStyle(int colour, Dash dash) {
            this(colour, dash, colour, 1);
        }

        /// Solid line of a palette slot.
        public static SeriesStyle solid(int colour) {
            return new SeriesStyle(colour, Dash.SOLID);
        }

        /// The same style for what stands behind the others: pale, thin, without markers.
        public SeriesStyle faint() {
            return new SeriesStyle(colour, dash, marker, FAINT);
        }

        /// Whether it is drawn thin and without markers.
        public boolean isFaint() {
            return strength <= FAINT;
        }
    }

    /// Line patterns.
    public enum Dash {
        SOLID, LONG, DASH_DOT, DOTTED
    }

    /// The marks of a chart.
    public sealed interface Marks {
        /// Lines; a NaN in `y` is a gap.
        record Lines(List<Line> lines, boolean steps) implements Marks {}

        /// Areas stacked from the first upwards, all over the same `x`; a line may mark the total.
        record Stack(double[] x, List<Layer> layers) implements Marks {}

        /// Counts or shares of bins: `edges` has one more entry than each series' `heights`.
        record Histogram(double[] edges, List<Bins> series) implements Marks {}

        /// Grouped bars with optional intervals ([Span#NONE] where there is none).
        record Bars(List<String> categories, List<BarSeries> series) implements Marks {}

        /// Box plots: one box a category.
        record Boxes(List<Box> boxes) implements Marks {}

        /// Points in the plane of two metrics, with intervals, and the runs behind them as dots.
        record Points(List<PointSeries> series) implements Marks {}

        /// Ratios to a baseline: a row each, on the logarithmic x axis around 1. The y axis has no meaning.
        record Ratios(List<Ratio> rows) implements Marks {}

        /// Horizontal bars stacked by memory owner, on the x axis: one bar a category, so each layer has a value a category.
        record OwnerBars(List<String> categories, List<Layer> layers) implements Marks {}

        /// A value for each pair of a column and a row.
        ///
        /// @param values `[row][column]`, NaN where there is none
        /// @param texts `[row][column]` as written into the cell
        record HeatMap(List<String> columns, List<String> rows, double[][] values,
                List<List<String>> texts) implements Marks {}
    }

    /// A line across the plot at a value of an axis: a limit, a capacity.
    ///
    /// @param vertical at a value of the x axis, else of the y axis
    /// @param shaded the side of it that is shaded: "within the limit"
    public record Guide(boolean vertical, double value, String text, Shaded shaded) {
        private Guide renamed(UnaryOperator<String> change) {
            return new Guide(vertical, value, change.apply(text), shaded);
        }
    }

    /// The shaded side of a guide.
    public enum Shaded {
        NONE, BELOW, ABOVE
    }

    /// The ends of an interval; NaN where it has none.
    public record Span(double low, double high) {
        /// No interval.
        public static final Span NONE = new Span(Double.NaN, Double.NaN);

        /// Its ends as an array.
        public double[] ends() {
            return new double[]{low, high};
        }

        /// Whether it has ends.
        public boolean isPresent() {
            return low <= high;
        }
    }

    /// @param joined whether a line joins the points in their order
    public record PointSeries(String name, SeriesStyle style, boolean joined, List<Point> points) {}

    /// @param label written beside it, such as its load; may be empty
    /// @param runX `[runs]` the runs behind it
    /// @param runY `[runs]`
    public record Point(String label, double x, double y, Span xSpan, Span ySpan, double[] runX, double[] runY) {
        private Point labelled(UnaryOperator<String> change) {
            return new Point(change.apply(label), x, y, xSpan, ySpan, runX, runY);
        }
    }

    /// One ratio to a baseline.
    ///
    /// @param name its metric
    /// @param outcome "better", "no detectable difference"
    /// @param value NaN if there is none; then it has a text alone
    /// @param runs `[pairs]` the ratio of each pair of runs
    /// @param text "1.31× [1.27, 1.35]"
    public record Ratio(String name, Tone tone, String outcome, double value, Span span, double[] runs, String text) {
        private Ratio renamed(UnaryOperator<String> change) {
            return new Ratio(change.apply(name), tone, outcome, value, span, runs, text);
        }
    }

    /// Whether a difference is good.
    public enum Tone {
        BETTER, WORSE, NEUTRAL
    }

    /// @param x ascending
    /// @param band interval of each point, empty for none
    public record Line(String name, SeriesStyle style, double[] x, double[] y, List<Span> band) {
        /// A line without a band.
        public Line(String name, SeriesStyle style, double[] x, double[] y) {
            this(name, style, x, y, List.of());
        }

        /// Whether each of its points was measured, and so is marked: it has a band.
        public boolean marked() {
            return !band.isEmpty();
        }
    }

    /// @param memorySlot the [org.inferometer.record.MemoryOwner#ordinal()] whose colour it has
    public record Layer(String name, int memorySlot, double[] y) {}

    /// @param outline drawn as an outline instead of filled
    public record Bins(String name, SeriesStyle style, double[] heights, boolean outline) {}

    /// One group's bars.
    public record BarSeries(String name, SeriesStyle style, double[] values, List<Span> spans) {}

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

    /// Finds the request behind a value of a chart.
    ///
    /// It reads the records when called, so a chart of millions of requests holds no index. Thread-safe.
    public interface RequestLookup {
        /// Of a chart whose values are not those of requests.
        RequestLookup NONE = (series, value) -> Optional.empty();

        /// The request with the value nearest to a given one; the first of equal ones.
        ///
        /// @param series name of its line, or of the category of its box
        /// @param value in the unit of the axis
        Optional<ChartRequest> nearest(String series, double value);

        /// A request behind a value of a chart.
        ///
        /// @param run index among the runs of the experiment
        /// @param request its id in the run
        /// @param latency name of the latency: "TTFT"
        /// @param value in the unit
        public record ChartRequest(ExperimentRecord experiment, int run, int request, String latency, double value,
                AxisUnit unit) {
            /// "request 381, TTFT 212 ms, run 2".
            public String describe() {
                return "request " + request + ", " + latency + " " + QuantityText.significant(value) + " "
                        + unit.label() + ", run " + (experiment.runs().get(run).manifest().plan().index().run() + 1);
            }
        }
    }
}
