package org.inferometer.measurement.comparison;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;
import org.inferometer.units.NearMisses;

/// A metric with an amount that a person wrote: `e2e_p95=20ms`, `output_throughput=3%`.
///
/// @param number as written
/// @param unit as written: "ms", "%", or empty
/// @param amount both, as written
record MetricAmount(Metric metric, double number, String unit, String amount) {
    private static final Pattern FORM = Pattern.compile("([a-z0-9_]+)=((\\d{1,12}(?:\\.\\d{1,9})?)(%|[A-Za-z/]*))");

    private record Scale(String unit, double raw) {}

    /// Reads an amount of one of some metrics.
    ///
    /// @param forms what it is and how to write it: "a margin. Use METRIC=3%."
    /// @throws IllegalArgumentException with a message for users
    static MetricAmount parse(String text, String forms, List<Metric> suggested) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + forms);
        }
        Metric metric = Metrics.find(form.group(1)).orElseThrow(() -> new IllegalArgumentException(
                NearMisses.sentence("metric", form.group(1), suggested.stream().map(Metric::id).toList())));
        return new MetricAmount(metric, Double.parseDouble(form.group(3)), form.group(4), form.group(2));
    }

    boolean isPercent() {
        return unit.equals("%");
    }

    /// The amount in the metric's raw unit.
    ///
    /// @param percent whether per cent would be allowed too
    /// @throws IllegalArgumentException with a message for users, if the metric has no such unit
    double raw(boolean percent) {
        List<Scale> scales = scales(metric.unit());
        return scales.stream().filter(scale -> scale.unit().equals(unit)).findFirst().map(scale -> number * scale.raw())
                .orElseThrow(() -> new IllegalArgumentException("\"" + metric.id() + "=" + amount + "\": "
                        + metric.label() + " has no unit \"" + unit + "\". Use " + (percent ? "%, " : "")
                        + scales.stream().map(scale -> scale.unit().isEmpty() ? "no unit" : scale.unit())
                                .collect(Collectors.joining(", "))
                        + "."));
    }

    /// The units of a metric with their size in its raw unit.
    private static List<Scale> scales(Unit unit) {
        return switch (unit) {
            case NANOSECONDS ->
                List.of(new Scale("ns", 1), new Scale("us", 1e3), new Scale("ms", 1e6), new Scale("s", 1e9));
            case BYTES -> List.of(new Scale("B", 1), new Scale("KiB", 1 << 10), new Scale("MiB", 1 << 20),
                    new Scale("GiB", 1 << 30));
            case PER_SECOND_REQUESTS -> List.of(new Scale("req/s", 1), new Scale("", 1));
            case PER_SECOND_TOKENS -> List.of(new Scale("tok/s", 1), new Scale("", 1));
            case JOULES_PER_TOKEN -> List.of(new Scale("J/token", 1), new Scale("", 1));
            case WATTS -> List.of(new Scale("W", 1), new Scale("", 1));
            case FRACTION, COUNT, PRICE_PER_MILLION_TOKENS, RATIO -> List.of(new Scale("", 1));
        };
    }
}
