package org.inferometer.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;
import org.inferometer.record.Metric.Unit;

/// A difference as a clause: "TTFT P50 39× shorter [31, 52]", "1.60× the output throughput [1.52, 1.68]",
/// "ITL P50: no detectable difference (smallest detectable 8.0 %)".
public record DifferenceText(Comparison comparison) {
    private static final String NO_DIFFERENCE = ": no detectable difference";

    /// The clauses of several differences: those that were found, then the others in one: "ITL P50 and TTFT P50: no detectable difference
    /// (smallest detectable 43.9 %)". The largest of their smallest detectable differences.
    public static List<String> clauses(List<Comparison> comparisons) {
        List<Comparison> undetected =
                comparisons.stream().filter(each -> each.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE).toList();
        List<String> clauses = new ArrayList<>();
        comparisons.stream().filter(each -> !undetected.contains(each))
                .forEach(each -> new DifferenceText(each).clause().ifPresent(clauses::add));
        if (!undetected.isEmpty()) {
            Optional<Double> least = undetected.stream().flatMap(each -> each.relativeSmallestDetectable().stream())
                    .max(Comparator.naturalOrder());
            clauses.add(undetected.stream().map(each -> each.metric().label()).collect(Collectors.joining(" and "))
                    + NO_DIFFERENCE + detectable(least));
        }
        return clauses;
    }

    /// Empty where nothing varied.
    private static String detectable(Optional<Double> least) {
        return least.filter(share -> share > 0)
                .map(share -> " (smallest detectable " + FigureText.detectable(share) + " %)").orElse("");
    }

    /// The clause; empty if a side is 0.
    public Optional<String> clause() {
        String label = comparison.metric().label();
        if (comparison.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE) {
            return Optional.of(label + NO_DIFFERENCE + detectable(comparison.relativeSmallestDetectable()));
        }
        return RatioText.of(comparison).value().map(ratio -> {
            if (comparison.metric().unit() != Unit.NANOSECONDS) {
                return RatioText.of(comparison).with("the " + lowerFirst(label));
            }
            boolean shorter = ratio <= 1;
            return label + " " + new RatioText(comparison, shorter).with(shorter ? "shorter" : "longer");
        });
    }

    /// A label inside a sentence: acronyms stay.
    public static String lowerFirst(String label) {
        boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
        return acronym ? label : Character.toLowerCase(label.charAt(0)) + label.substring(1);
    }
}
