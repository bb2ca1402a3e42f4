package org.inferometer.report.charts;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.inferometer.measurement.statistics.CensoredDistribution;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.report.AxisUnit;
import org.inferometer.report.FigureText;
import org.inferometer.report.charts.ChartData.Axis;
import org.inferometer.report.charts.ChartData.Line;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.SeriesStyle;
import org.inferometer.report.charts.ChartData.Shaded;

/// Cumulative distributions of a latency: one curve a cell, through every sample, or of more than [#MOST_RANKS] through that many
/// (docs/decisions/0038).
///
/// @param curves in the order of their cells; cells without samples are named under the chart
/// @param guides limits, at which a line crosses the chart
/// @param records of the runs behind the curves, to find a request
record LatencyCurves(LatencySamples samples, List<Curve> curves, ObjectiveGuides guides,
        Collection<ExperimentRecord> records) {
    /// The most points of a curve.
    static final int MOST_RANKS = 1 << 16;
    /// Points on each side that are never left out.
    static final int TAIL = 1 << 12;
    private static final int MOST_NAMED = 3;

    /// @param name of its cell
    /// @param nanos `[samples]` ascending; empty where the cell has none
    record Curve(String name, SeriesStyle style, double[] nanos, List<RunRecord> runs) {}

    /// A curve with what its users who gave up had waited: where some did, it ends below 100 % (Kaplan and Meier).
    private record Drawn(Curve curve, CensoredDistribution distribution) {
        String name() {
            return curve.name;
        }

        double[] nanos() {
            return curve.nanos;
        }
    }

    /// The chart; empty if no cell has samples.
    ///
    /// @param omittedCells note at the end of the footer
    Optional<ChartData> chart(String id, String omittedCells) {
        List<Drawn> drawn = curves.stream().filter(curve -> curve.nanos.length > 0)
                .map(curve -> new Drawn(curve, CensoredDistribution.of(curve.nanos, samples.atLeast(curve.runs))))
                .toList();
        if (drawn.isEmpty()) {
            return Optional.empty();
        }
        List<double[]> all = drawn.stream().map(Drawn::nanos).toList();
        AxisUnit unit = AxisUnit.ofLatency(all.stream().mapToDouble(nanos -> nanos[nanos.length - 1]).max().orElse(0));
        LogAxisFloor floor = LogAxisFloor.of(all);
        List<Line> lines = drawn.stream().map(curve -> line(curve, floor, unit)).toList();
        long n = drawn.stream().mapToLong(each -> each.distribution().n()).sum();
        long gaveUp = n - all.stream().mapToLong(nanos -> nanos.length).sum();
        return Optional.of(new ChartData(
                id, samples.label() + ", cumulative distribution",
                "n = " + n + " " + samples.counted() + " of all runs"
                        + (gaveUp == 0 ? "" : ", " + gaveUp + " given up: at least what they waited (Kaplan and Meier)")
                        + LogAxisFloor.note(all) + without() + within(drawn) + thinned(drawn) + omittedCells,
                Axis.log(samples.label() + ", " + unit.label()),
                new Axis("share of " + samples.counted() + ", %", false, 0, 100), new Marks.Lines(lines, true),
                guides.of(samples.name().toLowerCase(Locale.ROOT), unit, true, Shaded.NONE),
                new LatencySamples.Lookup(samples, unit, records, drawn.stream()
                        .collect(Collectors.toMap(Drawn::name, each -> each.curve().runs(), (first, same) -> first)))));
    }

    /// " · within the limit: FP8 93.1 %, INT4 98.0 %" of two curves; empty without a limit, and where more would fill the line.
    private String within(List<Drawn> drawn) {
        OptionalDouble limit = guides.limit(samples.name().toLowerCase(Locale.ROOT));
        return limit.isEmpty() || drawn.size() > 2 ? "" : drawn.stream().map(
                each -> each.name() + " " + FigureText.percent(each.distribution().upTo(limit.getAsDouble())) + " %")
                .collect(Collectors.joining(", ", " · within the limit: ", ""));
    }

    private static Line line(Drawn drawn, LogAxisFloor floor, AxisUnit unit) {
        double[] nanos = drawn.nanos();
        double[] shares = drawn.distribution().upToEach();
        int[] ranks = ranks(nanos.length);
        double[] x = new double[ranks.length + 1];
        double[] y = new double[ranks.length + 1];
        x[0] = unit.of(floor.clip(nanos[0]));
        for (int i = 0; i < ranks.length; i++) {
            x[i + 1] = unit.of(floor.clip(nanos[ranks[i]]));
            y[i + 1] = 100 * shares[ranks[i]];
        }
        return new Line(drawn.name(), drawn.curve().style(), x, y);
    }

    /// The ranks that are drawn, ascending from 0: all, or of many the outermost [#TAIL] on both sides and evenly spaced ones between.
    /// Every point is exact; a share between two points is at most `n / MOST_RANKS` samples away.
    static int[] ranks(int n) {
        if (n <= MOST_RANKS) {
            return IntStream.range(0, n).toArray();
        }
        int between = MOST_RANKS - 2 * TAIL;
        double step = (n - 2.0 * TAIL) / between;
        return IntStream.range(0, MOST_RANKS)
                .map(i -> i < TAIL ? i : i >= TAIL + between ? n - MOST_RANKS + i : TAIL + (int) ((i - TAIL) * step))
                .toArray();
    }

    /// " · of every 53 samples one is drawn, the outermost 4,096 all"; empty where all are drawn.
    private static String thinned(List<Drawn> drawn) {
        int most = drawn.stream().mapToInt(each -> each.nanos().length).max().orElse(0);
        return most <= MOST_RANKS ? "" : String.format(Locale.ROOT,
                " · one of %.0f samples is drawn, the outermost %d all", Math.ceil((double) most / MOST_RANKS), TAIL);
    }

    private String without() {
        List<String> names =
                new ArrayList<>(curves.stream().filter(curve -> curve.nanos.length == 0).map(Curve::name).toList());
        if (names.size() > MOST_NAMED) {
            int more = names.size() - MOST_NAMED;
            names.subList(MOST_NAMED, names.size()).clear();
            names.add("and " + more + " more");
        }
        return names.isEmpty() ? "" : " · not recorded for " + String.join(", ", names);
    }

    /// The lower end of a logarithmic axis, where values of 0 are drawn.
    ///
    /// @param nanos the smallest value above 0 of all that is drawn; one nanosecond if there is none
    record LogAxisFloor(double nanos) {
        /// @param samples each ascending
        static LogAxisFloor of(Collection<double[]> samples) {
            return new LogAxisFloor(samples.stream()
                    .flatMapToDouble(each -> Arrays.stream(each).filter(value -> value > 0).limit(1)).min().orElse(1));
        }

        double clip(double value) {
            return Math.max(value, nanos);
        }

        /// The note under the chart that counts the values of 0; empty if there are none.
        static String note(Collection<double[]> samples) {
            long zeros = samples.stream().flatMapToDouble(each -> Arrays.stream(each).takeWhile(value -> value <= 0))
                    .count();
            return zeros == 0 ? "" : zeros == 1 ? " · 1 value of 0 is drawn at the lower end"
                    : " · " + zeros + " values of 0 are drawn at the lower end";
        }
    }
}
