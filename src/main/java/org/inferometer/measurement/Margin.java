package org.inferometer.measurement;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;
import org.inferometer.units.NearMisses;

/// How much worse a figure may get before a gate closes: `output_throughput=3%` of the base, or `e2e_p95=20ms`.
///
/// @param amount share of the base's mean, or in the metric's raw unit; not negative
/// @param relative whether it is a share
/// @param written as people wrote it
public record Margin(Metric metric, double amount, boolean relative, String written) {
    private static final Pattern FORM = Pattern.compile("([a-z0-9_]+)=(\\d{1,12}(?:\\.\\d{1,9})?)(%|[A-Za-z/]*)");

    /// Reads a margin.
    ///
    /// @throws IllegalArgumentException with one sentence for people
    public static Margin parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is no margin; write METRIC=3% or METRIC=20ms.");
        }
        String id = form.group(1);
        Metric metric = Metrics.find(id).orElseThrow(() -> new IllegalArgumentException(NearMisses.sentence("metric",
                id, Metrics.all().stream().filter(Comparisons::comparable).map(Metric::id).toList())));
        if (!Comparisons.comparable(metric)) {
            throw new IllegalArgumentException(metric.label() + " has no better direction, so that it cannot regress.");
        }
        double number = Double.parseDouble(form.group(2));
        String unit = form.group(3);
        if (unit.equals("%")) {
            return new Margin(metric, number / 100, true, text.strip());
        }
        double scale = scale(metric.unit(), unit).orElseThrow(() -> new IllegalArgumentException("\"" + text + "\": "
                + metric.label() + " is not in \"" + unit + "\"; write %, or " + spellings(metric.unit()) + "."));
        return new Margin(metric, number * scale, false, text.strip());
    }

    /// Judges a candidate against its base.
    public MarginCheck check(CellFigure base, CellFigure candidate) {
        return MarginCheck.of(this, base, candidate);
    }

    /// Positive in the direction in which the figure gets worse.
    double worse() {
        return metric.better() == Better.HIGHER ? -1 : 1;
    }

    private static Optional<Double> scale(Unit unit, String written) {
        return Optional.ofNullable(switch (unit) {
            case NANOSECONDS -> switch (written) {
                case "ns" -> 1.0;
                case "us" -> 1e3;
                case "ms" -> 1e6;
                case "s" -> 1e9;
                default -> null;
            };
            case BYTES -> switch (written) {
                case "B" -> 1.0;
                case "KiB" -> 1024.0;
                case "MiB" -> 1048576.0;
                case "GiB" -> 1073741824.0;
                default -> null;
            };
            case PER_SECOND_REQUESTS -> written.isEmpty() || written.equals("req/s") ? 1.0 : null;
            case PER_SECOND_TOKENS -> written.isEmpty() || written.equals("tok/s") ? 1.0 : null;
            case JOULES_PER_TOKEN -> written.isEmpty() || written.equals("J/token") ? 1.0 : null;
            case FRACTION, COUNT, PRICE_PER_MILLION_TOKENS, RATIO -> written.isEmpty() ? 1.0 : null;
        });
    }

    private static String spellings(Unit unit) {
        return switch (unit) {
            case NANOSECONDS -> "ns, us, ms or s";
            case BYTES -> "B, KiB, MiB or GiB";
            case PER_SECOND_REQUESTS -> "req/s";
            case PER_SECOND_TOKENS -> "tok/s";
            case JOULES_PER_TOKEN -> "J/token";
            case FRACTION -> "no unit, 0.01 for one hundredth";
            case COUNT, PRICE_PER_MILLION_TOKENS, RATIO -> "no unit";
        };
    }
}
