package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/// Whether a run or an experiment is valid, condition by condition.
public record Verdict(@JsonProperty("grade") Grade grade, @JsonProperty("conditions") List<Condition> conditions) {
    /// VALID: all checked conditions hold. INVALID: one does not. PREVIEW: too few runs for a verdict.
    public enum Grade {
        @JsonProperty("VALID")
        VALID, @JsonProperty("INVALID")
        INVALID, @JsonProperty("PREVIEW")
        PREVIEW
    }

    /// Whether a condition holds.
    public enum State {
        @JsonProperty("MET")
        MET, @JsonProperty("BROKEN")
        BROKEN, @JsonProperty("TOO_LITTLE")
        TOO_LITTLE,
        /// It does not hold, but the grade does not change.
        @JsonProperty("WARNING")
        WARNING, @JsonProperty("NOT_CHECKED")
        NOT_CHECKED
    }

    /// @param name the requirement: "send lateness p99 within 1 ms"
    /// @param observed the observed value as text
    /// @param remedy the remedy if it does not hold, else empty
    public record Condition(@JsonProperty("name") String name, @JsonProperty("state") State state,
            @JsonProperty("observed") String observed, @JsonProperty("remedy") String remedy) {}
}
