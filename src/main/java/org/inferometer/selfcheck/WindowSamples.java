package org.inferometer.selfcheck;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// The samples of one figure of the window, as the process that measures them reports them.
///
/// @param goal id of the goal: "G9"
/// @param id stable name in files: "open_charts"
/// @param statistic what the target bounds
/// @param target largest good value; absent for a figure without a goal
/// @param samples empty where it could not be measured
/// @param note the conditions, or the reason why it was not measured
public record WindowSamples(@JsonProperty("goal") String goal, @JsonProperty("id") String id,
        @JsonProperty("name") String name, @JsonProperty("unit") String unit,
        @JsonProperty("statistic") Statistic statistic, @JsonProperty("target") @Nullable Double target,
        @JsonProperty("samples") double[] samples, @JsonProperty("note") String note) {
    /// What is compared with a target.
    public enum Statistic {
        @JsonProperty("MEDIAN")
        MEDIAN, @JsonProperty("P95")
        P95, @JsonProperty("P99")
        P99, @JsonProperty("MAX")
        MAX
    }

    /// A figure that could not be measured.
    public static WindowSamples notMeasured(String goal, String id, String name, String reason) {
        return new WindowSamples(goal, id, name, "", Statistic.MEDIAN, null, new double[0], reason);
    }

    /// These samples and those of another process.
    WindowSamples and(WindowSamples other) {
        return new WindowSamples(goal, id, name, unit, statistic, target,
                DoubleStream.concat(Arrays.stream(samples), Arrays.stream(other.samples)).toArray(),
                note.isEmpty() ? other.note : note);
    }
}
