package org.inferometer.report;

import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.record.Metric.Unit;

/// A difference as a clause: "TTFT P50 39× shorter [31, 52]", "1.60× the output throughput [1.52, 1.68]",
/// "ITL P50: no detectable difference (smallest detectable 8.0 %)".
public record DifferenceText(Comparison comparison) {
    /// The clause; empty if a side is 0.
    public Optional<String> clause() {
        String label = comparison.metric().label();
        if (comparison.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE) {
            return Optional.of(label + ": no detectable difference" + comparison.relativeSmallestDetectable()
                    .map(least -> " (smallest detectable " + FigureText.detectable(least) + " %)").orElse(""));
        }
        return RatioText.of(comparison).value().map(ratio -> {
            if (comparison.metric().unit() != Unit.NANOSECONDS) {
                return times(RatioText.of(comparison), "the " + lowerFirst(label));
            }
            boolean shorter = ratio <= 1;
            return label + " " + times(new RatioText(comparison, shorter), shorter ? "shorter" : "longer");
        });
    }

    /// "1.60× the output throughput [1.52, 1.68]".
    private static String times(RatioText ratio, String of) {
        return ratio.text() + " " + of + ratio.withInterval().substring(ratio.text().length());
    }

    /// A label inside a sentence: acronyms stay.
    public static String lowerFirst(String label) {
        boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
        return acronym ? label : Character.toLowerCase(label.charAt(0)) + label.substring(1);
    }
}
