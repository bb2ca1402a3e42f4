package org.inferometer.report;

import java.util.Optional;
import org.inferometer.measurement.Comparison;
import org.inferometer.measurement.Comparison.Outcome;
import org.inferometer.measurement.Comparison.ShareRange;
import org.inferometer.record.Metric.Unit;

/// Formats the difference of a comparison: in per cent, and as the ratio candidate / base where a rate or an overhead is twice the base or more:
/// "+7.4 [5.0, 9.8]", "2.4× [2.1, 2.8]". A worse figure keeps its sign: −170 %.
///
/// @param change whether plus is more; else plus is better
public record GainText(Comparison comparison, boolean change) {
    private static final double LEAST_RATIO_CHANGE = 1;

    /// Plus is better.
    public static GainText improvement(Comparison comparison) {
        return new GainText(comparison, false);
    }

    /// Plus is better; for memory plus is more.
    public static GainText overhead(Comparison comparison) {
        return new GainText(comparison, comparison.metric().unit() == Unit.BYTES);
    }

    /// The ends of an interval as text.
    public record Ends(String low, String high) {}

    /// The difference without the unit of per cent: "+7.4", "2.4×"; a dash if there is none.
    public String text() {
        return isRatio() ? ratio(1 + comparison.change().orElseThrow()) + "×"
                : shown().map(FigureText::signed).orElse(FigureText.NOT_APPLICABLE);
    }

    /// The difference with its unit: "+7.4 %", "2.4×"; empty if there is none.
    public Optional<String> withUnit() {
        return comparison.change().map(each -> text() + (isRatio() ? "" : " %"));
    }

    /// The difference with its interval: "+7.4 [5.0, 9.8]".
    public String withInterval() {
        return text() + ends().map(ends -> " [" + ends.low() + ", " + ends.high() + "]").orElse("");
    }

    /// The ends of the 95 % interval; empty if there is none.
    public Optional<Ends> ends() {
        if (isRatio()) {
            return comparison.changeInterval().map(range -> new Ends(ratio(1 + range.low()), ratio(1 + range.high())));
        }
        Optional<ShareRange> range = change ? comparison.changeInterval() : comparison.improvementInterval();
        return range.map(each -> new Ends(FigureText.percent(each.low()), FigureText.percent(each.high())));
    }

    /// "a difference of 2.1 % would have been found in 4 of 5 experiments"; empty where one was found or nothing was tested.
    public Optional<String> detectable() {
        return comparison.outcome() != Outcome.NO_DETECTABLE_DIFFERENCE ? Optional.empty()
                : comparison.relativeSmallestDetectable().map(least -> "a difference of " + FigureText.detectable(least)
                        + " % would have been found in 4 of 5 experiments");
    }

    private boolean isRatio() {
        return shown().filter(each -> each >= LEAST_RATIO_CHANGE).isPresent();
    }

    private Optional<Double> shown() {
        return change ? comparison.change() : comparison.improvement();
    }

    private static String ratio(double ratio) {
        return FigureText.ratio(ratio);
    }
}
