package org.inferometer.measurement.comparison;

import java.util.Optional;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Better;

/// How much worse a figure may be before a gate fails: `output_throughput=3%` of the base, or `e2e_p95=20ms`.
///
/// @param amount share of the base's mean, or in the metric's raw unit; not negative
/// @param relative whether the amount is a share
/// @param amountText the amount as it was written: "3%"
public record Margin(Metric metric, double amount, boolean relative, String amountText) {
    /// Reads a margin.
    ///
    /// @throws IllegalArgumentException with a message for users
    public static Margin parse(String text) {
        MetricAmount read = MetricAmount.parse(text, "a margin. Use METRIC=3% or METRIC=20ms.",
                Metrics.all().stream().filter(Comparisons::comparable).toList());
        Metric metric = read.metric();
        if (!Comparisons.comparable(metric)) {
            throw new IllegalArgumentException(metric.label() + " has no better direction and cannot regress.");
        }
        if (!read.isPercent()) {
            return new Margin(metric, read.raw(true), false, read.amount());
        }
        if (read.number() >= 100 && metric.better() == Better.HIGHER) {
            throw new IllegalArgumentException(
                    "\"" + text + "\": " + metric.label() + " cannot fall by 100 % or more. Give less than 100%.");
        }
        return new Margin(metric, read.number() / 100, true, read.amount());
    }

    /// "output_throughput=3%"
    public String written() {
        return metric.id() + "=" + amountText;
    }

    /// Judges a candidate against its base.
    public MarginCheck check(CellFigure base, CellFigure candidate) {
        return check(base, candidate, Optional.empty());
    }

    /// Judges a candidate against its base.
    ///
    /// @param variation the known variation between their experiments; empty within one experiment
    public MarginCheck check(CellFigure base, CellFigure candidate, Optional<ExperimentVariation> variation) {
        return MarginCheck.of(this, base, candidate, variation);
    }

    /// Positive in the direction in which the figure gets worse.
    double worse() {
        return metric.better() == Better.HIGHER ? -1 : 1;
    }
}
