package org.inferometer.selfcheck;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;
import org.inferometer.measurement.statistics.Distribution;
import org.inferometer.measurement.statistics.PairedEquivalence;
import org.jspecify.annotations.Nullable;

/// One measured figure of the window against its goal.
///
/// @param goal id of the goal: "G9"
/// @param id stable name in files
/// @param n number of samples
/// @param median absent, as the other values, where nothing was measured
/// @param statistic what the target bounds
/// @param target largest good value; absent for a figure without a goal
/// @param note the conditions, or the reason why it was not measured
public record WindowFigure(@JsonProperty("goal") String goal, @JsonProperty("id") String id,
        @JsonProperty("name") String name, @JsonProperty("unit") String unit, @JsonProperty("n") int n,
        @JsonProperty("median") @Nullable Double median, @JsonProperty("p95") @Nullable Double p95,
        @JsonProperty("p99") @Nullable Double p99, @JsonProperty("max") @Nullable Double max,
        @JsonProperty("statistic") WindowSamples.Statistic statistic, @JsonProperty("target") @Nullable Double target,
        @JsonProperty("verdict") GoalVerdict verdict, @JsonProperty("note") String note) {
    /// Whether a goal is met.
    public enum GoalVerdict {
        @JsonProperty("MET")
        MET, @JsonProperty("MISSED")
        MISSED,
        /// Measured, but too noisy for a verdict.
        @JsonProperty("INCONCLUSIVE")
        INCONCLUSIVE,
        /// Measured, without a goal of its own.
        @JsonProperty("FIGURE")
        FIGURE, @JsonProperty("NOT_MEASURED")
        NOT_MEASURED
    }

    /// The percentiles of samples and the verdict.
    public static WindowFigure of(WindowSamples of) {
        if (of.samples().length == 0) {
            return new WindowFigure(of.goal(), of.id(), of.name(), of.unit(), 0, null, null, null, null, of.statistic(),
                    of.target(), GoalVerdict.NOT_MEASURED, of.note());
        }
        Distribution samples = Distribution.of(of.samples());
        double value = samples.percentile(switch (of.statistic()) {
            case MEDIAN -> 50;
            case P95 -> 95;
            case P99 -> 99;
            case MAX -> 100;
        });
        Double target = of.target();
        GoalVerdict verdict =
                target == null ? GoalVerdict.FIGURE : value <= target ? GoalVerdict.MET : GoalVerdict.MISSED;
        return new WindowFigure(of.goal(), of.id(), of.name(), of.unit(), samples.n(), samples.percentile(50),
                samples.percentile(95), samples.percentile(99), samples.percentile(100), of.statistic(), target,
                verdict, of.note());
    }

    /// A mean difference in percent against a margin: met if its 90 % interval lies within, missed if the interval lies beyond.
    static WindowFigure of(String goal, String id, String name, PairedEquivalence difference, String note) {
        GoalVerdict verdict = switch (difference.outcome()) {
            case EQUIVALENT -> GoalVerdict.MET;
            case DIFFERENT -> GoalVerdict.MISSED;
            case UNDECIDED -> GoalVerdict.INCONCLUSIVE;
        };
        double mean = 100 * difference.mean();
        double half = 100 * difference.halfWidth();
        return new WindowFigure(goal, id, name, "%", difference.pairs(), mean, null, null, Math.abs(mean) + half,
                WindowSamples.Statistic.MAX, 100 * difference.margin(), verdict, String.format(Locale.ROOT,
                        "Mean with a 90 %% interval [%.2f, %.2f] %% (TOST). %s", mean - half, mean + half, note));
    }
}
