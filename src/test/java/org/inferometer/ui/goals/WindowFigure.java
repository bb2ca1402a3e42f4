package org.inferometer.ui.goals;

import java.util.Locale;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The samples of one figure of the window against its goal.
///
/// @param goal id of the goal: "G9"
/// @param id stable name: "open_charts"
/// @param statistic what the target bounds
/// @param target largest good value; absent for a figure without a goal
/// @param samples empty where it could not be measured
/// @param note the conditions, or the reason why it was not measured
public record WindowFigure(String goal, String id, String name, String unit, Statistic statistic,
        @Nullable Double target, double[] samples, String note) {
    /// What is compared with a target.
    public enum Statistic {
        MEDIAN(50), P95(95), P99(99), MAX(100);

        private final double percentile;

        Statistic(double percentile) {
            this.percentile = percentile;
        }
    }

    /// A figure that could not be measured.
    static WindowFigure notMeasured(String goal, String id, String name, String reason) {
        return new WindowFigure(goal, id, name, "", Statistic.MEDIAN, null, new double[0], reason);
    }

    /// NaN without samples.
    double value(Statistic which) {
        return samples.length == 0 ? Double.NaN : Distribution.of(samples).percentile(which.percentile);
    }

    /// "G9  open: charts: median 1.50 s, P95 1.60 s, max 1.60 s of 3; goal median 1.50 s: met. 1,000,000 requests."
    public String line() {
        if (samples.length == 0) {
            return goal + "  " + name + ": not measured. " + note;
        }
        String values = String.format(Locale.ROOT, "%s  %s: median %s, P95 %s, max %s of %d", goal, name,
                text(value(Statistic.MEDIAN)), text(value(Statistic.P95)), text(value(Statistic.MAX)), samples.length);
        return target == null ? values + ". " + note : values + "; goal " + statistic.name().toLowerCase(Locale.ROOT)
                + " " + text(target) + ": " + (value(statistic) <= target ? "met" : "MISSED") + ". " + note;
    }

    private String text(double value) {
        return QuantityText.significant(value) + (unit.isEmpty() ? "" : " " + unit);
    }
}
