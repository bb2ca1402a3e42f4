package org.inferometer.record;

import java.util.List;

/// Whether a run or an experiment may be relied on, condition by condition.
public record Verdict(Grade grade, List<Condition> conditions) {
    /// VALID: every checked condition holds. INVALID: one does not. PREVIEW: too little was run for a verdict.
    public enum Grade {
        VALID, INVALID, PREVIEW
    }

    /// Whether a condition holds.
    public enum State {
        MET, BROKEN, TOO_LITTLE,
        /// It does not hold, and people should know; the grade does not fall for it.
        WARNING, NOT_CHECKED
    }

    /// @param name what is required: "send lateness p99 within 1 ms"
    /// @param observed what was seen, in words
    /// @param remedy what to do where it does not hold, else empty
    public record Condition(String name, State state, String observed, String remedy) {}
}
