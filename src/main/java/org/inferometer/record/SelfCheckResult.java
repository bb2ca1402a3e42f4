package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One figure of the self-check.
///
/// @param id stable name in files: "timer_grain"
/// @param measured absent where it could not be measured
/// @param bound which side of the limit is good
/// @param limit the limit of the value, in the same unit; absent without one
/// @param sentence the consequence for measurements, or the reason why it was not measured
public record SelfCheckResult(@JsonProperty("id") String id, @JsonProperty("name") String name,
        @JsonProperty("measured") @Nullable Double measured, @JsonProperty("unit") String unit,
        @JsonProperty("bound") Bound bound, @JsonProperty("limit") @Nullable Double limit,
        @JsonProperty("state") State state, @JsonProperty("sentence") String sentence) {

    /// Which side of a limit is good.
    public enum Bound {
        @JsonProperty("AT_MOST")
        AT_MOST, @JsonProperty("AT_LEAST")
        AT_LEAST, @JsonProperty("NONE")
        NONE
    }

    /// The outcome of a check.
    public enum State {
        /// Within its limit, or a figure without one.
        @JsonProperty("PASSED")
        PASSED,
        /// Beyond its limit.
        @JsonProperty("FAILED")
        FAILED,
        /// Could not be measured here.
        @JsonProperty("NOT_CHECKED")
        NOT_CHECKED
    }

    /// The value; empty if it was not measured.
    public Optional<Double> value() {
        return Optional.ofNullable(measured);
    }

    /// A value that is good up to a limit.
    public static SelfCheckResult atMost(String id, String name, double value, String unit, double limit,
            String sentence) {
        return new SelfCheckResult(id, name, value, unit, Bound.AT_MOST, limit,
                value <= limit ? State.PASSED : State.FAILED, sentence);
    }

    /// A value that is good from a limit on.
    public static SelfCheckResult atLeast(String id, String name, double value, String unit, double limit,
            String sentence) {
        return new SelfCheckResult(id, name, value, unit, Bound.AT_LEAST, limit,
                value >= limit ? State.PASSED : State.FAILED, sentence);
    }

    /// A value without a limit.
    public static SelfCheckResult figure(String id, String name, double value, String unit, String sentence) {
        return new SelfCheckResult(id, name, value, unit, Bound.NONE, null, State.PASSED, sentence);
    }

    /// A value that could not be measured.
    public static SelfCheckResult notChecked(String id, String name, String unit, String why) {
        return new SelfCheckResult(id, name, null, unit, Bound.NONE, null, State.NOT_CHECKED, why);
    }
}
