package org.inferometer.report;

import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.record.Metric.Better;
import org.inferometer.record.Metric.Unit;

/// Formats the difference of a comparison as a ratio, how many times as good the candidate is: "1.07× [1.05, 1.10]", "0.42×" for one that is
/// worse.
///
/// @param change candidate / base, so that above 1 is more; else above 1 is better
public record GainText(Comparison comparison, boolean change) {
    /// Above 1 is better.
    public static GainText improvement(Comparison comparison) {
        return new GainText(comparison, false);
    }

    /// Above 1 is better; for memory above 1 is more.
    public static GainText overhead(Comparison comparison) {
        return new GainText(comparison, comparison.metric().unit() == Unit.BYTES);
    }

    /// The ends of an interval as text.
    public record Ends(String low, String high) {}

    /// The ratio: "2.4×"; both figures where one is 0, a dash if there is no difference.
    public String text() {
        return shown().map(each -> ratio().text()).orElse(FigureText.NOT_APPLICABLE);
    }

    /// The ratio in the direction of the outcome: "41× faster", "5.7× slower", "1.8× less".
    public static String directed(Comparison comparison) {
        RatioText ratio = RatioText.atLeastOne(comparison);
        return ratio.value().map(value -> ratio.text() + " " + comparison.outcomeText()).orElseGet(ratio::text);
    }

    /// The ratio with its interval: "1.07× [1.05, 1.10]".
    public String withInterval() {
        return shown().map(each -> ratio().withInterval()).orElse(FigureText.NOT_APPLICABLE);
    }

    /// The ends of the 95 % interval; empty if there is none.
    public Optional<Ends> ends() {
        return shown().flatMap(each -> ratio().interval())
                .map(range -> new Ends(RatioText.factor(range.low()), RatioText.factor(range.high())));
    }

    /// "a difference of 2.1 % would have been found in 4 of 5 experiments"; empty where one was found or nothing was tested.
    public Optional<String> detectable() {
        return comparison.outcome() != Outcome.NO_DETECTABLE_DIFFERENCE ? Optional.empty()
                : comparison.relativeSmallestDetectable().map(least -> "a difference of " + FigureText.detectable(least)
                        + " % would have been found in 4 of 5 experiments");
    }

    private RatioText ratio() {
        return new RatioText(comparison, !change && comparison.metric().better() == Better.LOWER);
    }

    private Optional<Double> shown() {
        return change ? comparison.change() : comparison.improvement();
    }
}
