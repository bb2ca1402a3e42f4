package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import org.inferometer.finding.Advice;
import org.inferometer.wording.Voice;

/// Whether a run or an experiment is valid, condition by condition.
///
/// @param definitions the version of the definitions by which it and its figures were derived; 0 before version 4
public record Verdict(@JsonProperty("grade") Grade grade, @JsonProperty("conditions") List<Condition> conditions,
        @JsonProperty("definitions") int definitions) {
    /// The version of the definitions of figures and conditions; figures of different versions are not comparable.
    public static final int DEFINITIONS = 6;

    /// By the definitions of this version.
    public Verdict(Grade grade, List<Condition> conditions) {
        this(grade, conditions, DEFINITIONS);
    }

    /// Whether it was derived by definitions of an earlier version.
    public boolean older() {
        return definitions < DEFINITIONS;
    }

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

    /// What a condition requires of a run or an experiment.
    public enum Requirement {
        @JsonProperty("answered")
        ANSWERED, @JsonProperty("no_failures")
        NO_FAILURES, @JsonProperty("counted_tokens")
        COUNTED_TOKENS, @JsonProperty("agreeing_token_counts")
        AGREEING_TOKEN_COUNTS, @JsonProperty("separate_events")
        SEPARATE_EVENTS, @JsonProperty("prompt_lengths")
        PROMPT_LENGTHS, @JsonProperty("output_lengths")
        OUTPUT_LENGTHS, @JsonProperty("all_requests")
        ALL_REQUESTS, @JsonProperty("punctual_sends")
        PUNCTUAL_SENDS, @JsonProperty("no_generator_stall")
        NO_GENERATOR_STALL, @JsonProperty("served_as_asked")
        SERVED_AS_ASKED, @JsonProperty("steady_throughput")
        STEADY_THROUGHPUT, @JsonProperty("steady_ttft")
        STEADY_TTFT, @JsonProperty("steady_e2e")
        STEADY_E2E, @JsonProperty("telemetry")
        TELEMETRY, @JsonProperty("generator_ceiling")
        GENERATOR_CEILING, @JsonProperty("gpu_alone")
        GPU_ALONE, @JsonProperty("quiet_machine")
        QUIET_MACHINE, @JsonProperty("no_throttling")
        NO_THROTTLING, @JsonProperty("duration")
        DURATION, @JsonProperty("enough_requests")
        ENOUGH_REQUESTS, @JsonProperty("requests_per_slot")
        REQUESTS_PER_SLOT, @JsonProperty("enough_time")
        ENOUGH_TIME, @JsonProperty("all_runs_ended")
        ALL_RUNS_ENDED, @JsonProperty("all_runs_valid")
        ALL_RUNS_VALID, @JsonProperty("large_runs")
        LARGE_RUNS, @JsonProperty("repeated_runs")
        REPEATED_RUNS, @JsonProperty("first_run")
        FIRST_RUN, @JsonProperty("precision")
        PRECISION,
        /// Of a record that does not say it.
        @JsonProperty("other")
        OTHER;

        /// Whether it asks something of this program and its machine, not of the target.
        public boolean isOfHarness() {
            return switch (this) {
                case PUNCTUAL_SENDS, NO_GENERATOR_STALL, GENERATOR_CEILING, TELEMETRY, GPU_ALONE, NO_THROTTLING,
                        ALL_REQUESTS, DURATION ->
                    true;
                default -> false;
            };
        }

        /// Whether it asks that a figure does not move during a run.
        public boolean isSteadiness() {
            return this == STEADY_THROUGHPUT || this == STEADY_TTFT || this == STEADY_E2E;
        }
    }

    /// @param requirement what it requires
    /// @param name the requirement as text: "send lateness p99 within 1 ms"
    /// @param observed the observed value as text
    /// @param remedy the remedy if it does not hold, else empty
    public record Condition(@JsonProperty("requirement") Requirement requirement, @JsonProperty("name") String name,
            @JsonProperty("state") State state, @JsonProperty("observed") String observed,
            @JsonProperty("remedy") String remedy) {
        public Condition {
            requirement = Objects.requireNonNullElse(requirement, Requirement.OTHER);
        }

        /// The remedy as this voice says it.
        public String remedy(Voice voice) {
            return needsSelfCheck() ? voice.words(Advice.Action.SELF_CHECK) : remedy;
        }

        /// Whether a self-check is its remedy.
        public boolean needsSelfCheck() {
            return requirement == Requirement.GENERATOR_CEILING && state == State.NOT_CHECKED;
        }
    }
}
