package org.inferometer.report;

import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;

/// Formats figures for tables: one unit per kind of quantity, n behind a percentile with too few samples, a text for missing figures.
public final class FigureText {
    /// A figure that does not exist.
    public static final String NOT_RECORDED = "not recorded";
    /// What another tool's file or a server does not say.
    public static final String NOT_KNOWN = "not known";
    /// A comparison that does not exist, or a figure that does not exist in a table of many columns.
    public static final String NOT_APPLICABLE = "–";
    /// The footnote on the column of smallest detectable differences.
    public static final String DETECTABLE =
            "Detectable: a true difference of this size is found in 4 of 5 experiments.";

    private FigureText() {}

    /// The unit of a table column: "ms", "MiB", "tok/s".
    public static String unit(Unit unit) {
        return AxisUnit.ofTables(unit).label();
    }

    /// A raw value in the unit of [#unit].
    public static double inTableUnit(Unit unit, double raw) {
        return AxisUnit.ofTables(unit).of(raw);
    }

    /// A raw value in its table unit, without the unit: "21.40", "12 345".
    public static String value(Unit unit, double raw) {
        return number(inTableUnit(unit, raw), tableDecimals(unit, raw));
    }

    /// The name of a metric with the unit of a table: "TTFT P50, ms".
    public static String label(Metric metric) {
        String unit = unit(metric.unit());
        return metric.label() + (unit.isEmpty() ? "" : ", " + unit);
    }

    /// Samples of the run that has fewest, over some figures: "n = 48".
    public static String fewestSamples(List<CellFigure> figures) {
        return "n = " + figures.stream().mapToLong(CellFigure::fewest).min().orElse(0);
    }

    /// "3 runs", "1 to 3 runs".
    public static String runs(IntSummaryStatistics counts) {
        return (counts.getMin() == counts.getMax() ? "" : counts.getMin() + " to ") + counts.getMax()
                + (counts.getMax() == 1 ? " run" : " runs");
    }

    /// Why some figures are marked: "n = 48 in a run, too few", "27 independent requests, too few".
    public static String tooFew(List<CellFigure> figures) {
        return (figures.stream().allMatch(CellFigure::enough)
                ? figures.stream().filter(CellFigure::isMarked).mapToLong(FigureText::independent).min().orElse(0)
                        + " independent requests"
                : fewestSamples(figures) + " in a run") + ", too few";
    }

    private static long independent(CellFigure figure) {
        return Optional.ofNullable(figure.pooled()).map(pooled -> (long) pooled.independent()).orElse(figure.n());
    }

    /// The n behind a marked percentile, of independent requests with a sign: " (48)", " (≈27)"; empty for others.
    private static String mark(CellFigure figure) {
        return !figure.enough() ? " (" + figure.fewest() + ")" : figure.isMarked() ? " (≈" + independent(figure) + ")"
                : "";
    }

    /// The mean with its interval, or with n if samples are too few: "21.40 ± 0.53", "21.40 [0.00, 63.20]", "1268 (60)".
    public static String figure(Optional<CellFigure> figure) {
        return figure.map(found -> figure(found, AxisUnit.ofTables(found.metric().unit()),
                tableDecimals(found.metric().unit(), found.mean()))).orElse(NOT_RECORDED);
    }

    /// The figure with its unit: "21.40 ± 0.53 ms", "75.00 ms (n = 2)".
    public static String withUnit(CellFigure figure) {
        return unmarked(figure, AxisUnit.ofTables(figure.metric().unit()),
                tableDecimals(figure.metric().unit(), figure.mean())) + " " + unit(figure.metric().unit())
                + fewSamples(figure);
    }

    /// The mean with its unit: "28.68 ms", "442.3 ms (n = 30)".
    public static String meanWithUnit(CellFigure figure) {
        Unit unit = figure.metric().unit();
        return value(unit, figure.mean()) + " " + unit(unit) + fewSamples(figure);
    }

    private static String fewSamples(CellFigure figure) {
        return figure.isMarked() ? " (" + (figure.enough() ? tooFew(List.of(figure)) : "n = " + figure.fewest()) + ")"
                : "";
    }

    /// The figures of one column in a unit, all with as many decimals as the largest has.
    public static List<String> column(List<Optional<CellFigure>> figures, AxisUnit unit) {
        Optional<CellFigure> largest = figures.stream().flatMap(Optional::stream)
                .max(Comparator.comparingDouble(figure -> Math.abs(figure.mean())));
        int decimals = largest.map(figure -> decimals(figure.metric().unit(), unit.of(figure.mean()))).orElse(0);
        return figures.stream().map(figure -> figure.map(found -> figure(found, unit, decimals)).orElse(NOT_RECORDED))
                .toList();
    }

    /// Two means without intervals, with as many decimals as the larger has.
    public static List<String> means(CellFigure one, CellFigure other) {
        double larger = Math.max(Math.abs(one.mean()), Math.abs(other.mean()));
        int decimals = tableDecimals(one.metric().unit(), larger);
        return Stream.of(one, other)
                .map(figure -> number(inTableUnit(figure.metric().unit(), figure.mean()), decimals) + mark(figure))
                .toList();
    }

    private static String figure(CellFigure figure, AxisUnit unit, int decimals) {
        return unmarked(figure, unit, decimals) + mark(figure);
    }

    private static String unmarked(CellFigure figure, AxisUnit unit, int decimals) {
        CellFigure.Ends bucket = figure.bucket();
        return number(unit.of(figure.mean()), decimals)
                + figure.ends().map(ends -> interval(figure, ends, unit, decimals)).orElse("")
                + (bucket == null ? "" : " in " + number(unit.of(bucket.low()), decimals) + "–"
                        + number(unit.of(bucket.high()), decimals));
    }

    /// " ± 0.53"; the ends where figures end before: " [0.0, 51.4]".
    private static String interval(CellFigure figure, CellFigure.Ends ends, AxisUnit unit, int decimals) {
        return figure.isUneven()
                ? " [" + number(unit.of(ends.low()), decimals) + ", " + number(unit.of(ends.high()), decimals) + "]"
                : " ± " + number(unit.of(figure.interval().orElseThrow()), decimals);
    }

    /// A share as per cent with its sign and without unit: "+7.4", "−0.3", "0.0".
    public static String signed(double fraction) {
        double percent = fraction * 100;
        String digits = number(Math.abs(percent), Math.abs(percent) >= 999.5 ? 0 : 1);
        boolean zero = digits.chars().allMatch(c -> c == '0' || c == '.');
        return (zero ? "" : percent < 0 ? "−" : "+") + digits;
    }

    /// A share as per cent without sign for plus and without unit: "7.4", "−0.3".
    public static String percent(double fraction) {
        return number(fraction * 100, 1);
    }

    /// A difference of two shares in percentage points: "+6.9 points".
    public static String points(double difference) {
        return (difference < 0 ? "−" : "+") + percent(Math.abs(difference)) + " points";
    }

    /// A smallest detectable difference as per cent; above 100 only that, as more is not known that well: "2.1", "> 100".
    public static String detectable(double share) {
        return share > 1 ? "> 100" : percent(share);
    }

    /// [#detectable] of a value; a dash if there is none.
    public static String detectable(Optional<Double> share) {
        return share.map(value -> detectable(value.doubleValue())).orElse(NOT_APPLICABLE);
    }

    /// A ratio without sign: "2.4", "39".
    public static String ratio(double ratio) {
        return number(ratio, ratio < 9.95 ? 1 : 0);
    }

    private static int tableDecimals(Unit unit, double raw) {
        return decimals(unit, inTableUnit(unit, raw));
    }

    /// @param shown the value as it is shown
    private static int decimals(Unit unit, double shown) {
        double size = Math.abs(shown);
        return switch (unit) {
            case NANOSECONDS -> size < 0.1 ? 4 : size < 100 ? 2 : size < 1000 ? 1 : 0;
            case PER_SECOND_REQUESTS, PER_SECOND_TOKENS -> size < 10 ? 2 : size < 1000 ? 1 : 0;
            case FRACTION, BYTES, WATTS -> 1;
            case COUNT -> size == Math.rint(size) ? 0 : 1;
            case JOULES_PER_TOKEN -> 4;
            case PRICE_PER_MILLION_TOKENS -> 3;
            case RATIO -> 2;
        };
    }

    /// Fixed decimals; from 10 000 on, a space before every three digits.
    private static String number(double value, int decimals) {
        String plain = String.format(Locale.ROOT, "%." + decimals + "f", value);
        int point = plain.indexOf('.') < 0 ? plain.length() : plain.indexOf('.');
        int first = plain.startsWith("-") ? 1 : 0;
        if (point - first < 5) {
            return plain.replace('-', '−');
        }
        StringBuilder grouped = new StringBuilder(plain);
        for (int at = point - 3; at > first; at -= 3) {
            grouped.insert(at, ' ');
        }
        return grouped.toString().replace('-', '−');
    }
}
