package org.inferometer.report;

import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.measurement.Comparison.ShareRange;
import org.inferometer.record.Metric.Unit;

/// A difference as a clause: "TTFT P50 39× shorter [31, 52]", "1.6× the output throughput [1.5, 1.7]",
/// "ITL P50: no detectable difference (8 % detectable)".
public record DifferenceText(Comparison comparison) {
    /// The clause; empty if the base is 0.
    public Optional<String> clause() {
        if (comparison.outcome() == Outcome.NOT_RANKED) {
            return Optional.of(label() + ": not ranked");
        }
        return comparison.change().map(change -> {
            double ratio = 1 + change;
            Optional<ShareRange> interval =
                    comparison.changeInterval().map(range -> new ShareRange(1 + range.low(), 1 + range.high()));
            if (comparison.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE) {
                return label() + ": no detectable difference" + comparison.relativeSmallestDetectable()
                        .map(least -> " (" + FigureText.percent(least) + " % detectable)").orElse("");
            }
            boolean time = comparison.metric().unit() == Unit.NANOSECONDS;
            if (time && ratio > 0) {
                boolean shorter = ratio <= 1;
                return label() + " " + RatioText.factor(shorter ? 1 / ratio : ratio) + "× "
                        + (shorter ? "shorter" : "longer")
                        + interval.filter(range -> range.low() > 0)
                                .map(range -> shorter ? new ShareRange(1 / range.high(), 1 / range.low()) : range)
                                .map(DifferenceText::text).orElse("");
            }
            return RatioText.factor(ratio) + "× the " + lowerFirst(label())
                    + interval.map(DifferenceText::text).orElse("");
        });
    }

    private String label() {
        return comparison.metric().label();
    }

    private static String text(ShareRange range) {
        return " [" + RatioText.factor(range.low()) + ", " + RatioText.factor(range.high()) + "]";
    }

    /// A label inside a sentence: acronyms stay.
    public static String lowerFirst(String label) {
        boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
        return acronym ? label : Character.toLowerCase(label.charAt(0)) + label.substring(1);
    }
}
