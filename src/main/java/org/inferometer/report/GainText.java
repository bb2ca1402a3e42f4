package org.inferometer.report;

import java.util.Optional;
import org.inferometer.measurement.comparison.Comparison;
import org.inferometer.measurement.comparison.Comparison.Outcome;

/// Formats the difference of a comparison as a ratio with its direction: "2.4× faster [2.1, 2.8]", "5.7× slower", "1.8× less".
///
/// A ratio without a word is candidate / base: nothing differs detectably. What is not ranked is "1.8× higher" or "lower".
public record GainText(Comparison comparison) {
    private static final String EQUAL = RatioText.factor(1) + "×";

    /// The ends of an interval as text.
    public record Ends(String low, String high) {}

    /// The ratio: "2.4× faster"; both figures where one is 0, a dash if there is no difference.
    public String text() {
        return comparison.outcome() == Outcome.SET_BY_LOAD ? comparison.outcomeText() : inDirection(ratio().text());
    }

    /// The ratio with its interval: "1.07× faster [1.05, 1.10]"; "set by the load" where neither side is faster.
    public String withInterval() {
        return text() + (comparison.testResult().isEmpty() ? "" : ratio().intervalText());
    }

    /// The ends of the 95 % interval; empty if there is none.
    public Optional<Ends> ends() {
        return comparison.change().flatMap(change -> ratio().interval())
                .map(range -> new Ends(RatioText.factor(range.low()), RatioText.factor(range.high())));
    }

    /// "a difference of 2.1 % would have been found in 4 of 5 experiments"; empty where one was found or nothing was tested.
    public Optional<String> detectable() {
        return comparison.outcome() != Outcome.NO_DETECTABLE_DIFFERENCE ? Optional.empty()
                : comparison.relativeSmallestDetectable().map(least -> "a difference of " + FigureText.detectable(least)
                        + " % would have been found in 4 of 5 experiments");
    }

    private RatioText ratio() {
        return comparison.outcome() == Outcome.NO_DETECTABLE_DIFFERENCE ? RatioText.of(comparison)
                : RatioText.atLeastOne(comparison);
    }

    private String inDirection(String shown) {
        if (comparison.change().isEmpty() && comparison.base().mean() == comparison.candidate().mean()) {
            return FigureText.NOT_APPLICABLE;
        }
        String word = comparison.directionText();
        return ratio().value().isEmpty() || word.isEmpty() || shown.equals(EQUAL) ? shown : shown + " " + word;
    }
}
