package org.inferometer.measurement;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;
import org.inferometer.units.NearMisses;

/// How much worse a figure may be before a gate fails: `output_throughput=3%` of the base, or `e2e_p95=20ms`.
///
/// @param amount share of the base's mean, or in the metric's raw unit; not negative
/// @param relative whether the amount is a share
/// @param written the text it was parsed from
public record Margin(Metric metric, double amount, boolean relative, String written) {
    private static final Pattern FORM = Pattern.compile("([a-z0-9_]+)=(\\d{1,12}(?:\\.\\d{1,9})?)(%|[A-Za-z/]*)");

    /// Reads a margin.
    ///
    /// @throws IllegalArgumentException with a message for users
    public static Margin parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not a margin. Use METRIC=3% or METRIC=20ms.");
        }
        String id = form.group(1);
        Metric metric = Metrics.find(id).orElseThrow(() -> new IllegalArgumentException(NearMisses.sentence("metric",
                id, Metrics.all().stream().filter(Comparisons::comparable).map(Metric::id).toList())));
        if (!Comparisons.comparable(metric)) {
            throw new IllegalArgumentException(metric.label() + " has no better direction and cannot regress.");
        }
        double number = Double.parseDouble(form.group(2));
        String unit = form.group(3);
        if (unit.equals("%") && number >= 100 && metric.better() == Better.HIGHER) {
            throw new IllegalArgumentException(
                    "\"" + text + "\": " + metric.label() + " cannot fall by 100 % or more. Give less than 100%.");
        }
        if (unit.equals("%")) {
            return new Margin(metric, number / 100, true, text.strip());
        }
        List<Scale> scales = scales(metric.unit());
        double raw =
                scales.stream().filter(scale -> scale.unit().equals(unit)).findFirst().map(Scale::raw)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "\"" + text + "\": " + metric.label() + " has no unit \"" + unit + "\". Use %, "
                                        + scales.stream()
                                                .map(scale -> scale.unit().isEmpty() ? "no unit" : scale.unit())
                                                .collect(Collectors.joining(", "))
                                        + "."));
        return new Margin(metric, number * raw, false, text.strip());
    }

    /// Judges a candidate against its base.
    public MarginCheck check(CellFigure base, CellFigure candidate) {
        return MarginCheck.of(this, base, candidate);
    }

    /// Positive in the direction in which the figure gets worse.
    double worse() {
        return metric.better() == Better.HIGHER ? -1 : 1;
    }

    private record Scale(String unit, double raw) {}

    /// The units of a margin with their size in the metric's raw unit.
    private static List<Scale> scales(Unit unit) {
        return switch (unit) {
            case NANOSECONDS ->
                List.of(new Scale("ns", 1), new Scale("us", 1e3), new Scale("ms", 1e6), new Scale("s", 1e9));
            case BYTES -> List.of(new Scale("B", 1), new Scale("KiB", 1 << 10), new Scale("MiB", 1 << 20),
                    new Scale("GiB", 1 << 30));
            case PER_SECOND_REQUESTS -> List.of(new Scale("req/s", 1), new Scale("", 1));
            case PER_SECOND_TOKENS -> List.of(new Scale("tok/s", 1), new Scale("", 1));
            case JOULES_PER_TOKEN -> List.of(new Scale("J/token", 1), new Scale("", 1));
            case FRACTION, COUNT, PRICE_PER_MILLION_TOKENS, RATIO -> List.of(new Scale("", 1));
        };
    }
}
