package org.inferometer.measurement.comparison;

import org.inferometer.measurement.Metrics;
import org.inferometer.record.CellFigure;
import org.inferometer.record.Metric;
import org.inferometer.record.Metric.Unit;

/// The least or the most that a figure may be before a gate fails, whatever the base is: at least `output_throughput=100`, at most
/// `e2e_p95=500ms`.
///
/// @param amount in the metric's raw unit
/// @param least whether it is the least, else the most
/// @param amountText the amount as it was written: "500ms"
public record Limit(Metric metric, double amount, boolean least, String amountText) {
    /// Reads a limit.
    ///
    /// @throws IllegalArgumentException with a message for users
    public static Limit parse(String text, boolean least) {
        MetricAmount read =
                MetricAmount.parse(text, "a limit. Use METRIC=100, METRIC=500ms or METRIC=99%.", Metrics.all());
        boolean share = read.metric().unit() == Unit.FRACTION;
        double amount = share && read.isPercent() ? read.number() / 100 : read.raw(share);
        return new Limit(read.metric(), amount, least, read.amount());
    }

    /// Judges a candidate.
    public LimitCheck check(CellFigure candidate) {
        return LimitCheck.of(this, candidate);
    }

    /// "e2e_p95=500ms"
    public String written() {
        return metric.id() + "=" + amountText;
    }

    /// "at least 100".
    public String text() {
        return (least ? "at least " : "at most ") + amountText;
    }
}
