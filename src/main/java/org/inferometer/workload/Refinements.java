package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// The optional parts of a load, besides lengths and arrivals.
///
/// @param durationNanos sending stops this long after the start of the measured phase; 0 for no limit of time
/// @param prefixGroups number of different shared prefixes; each request has one of them, drawn
/// @param sessions conversations of several turns; absent if requests are independent
/// @param deadlines timeouts and cancellations
/// @param trace recorded traffic to replay; absent if lengths are drawn
/// @param stopAfterFailures share of failed requests above which the run stops; 0 for never
/// @param topK number of likeliest tokens that sampling keeps; 0 for all
/// @param topP probability of the likeliest tokens that sampling keeps; 0 for all
/// @param earlyEnd what ends answers before their length; records of older versions have none
/// @param answers number of answers to each prompt, OpenAI's `n`; records of older versions have none, which is 1
/// @param varyPrompts whether each text of a prompt file or trace gets a line in front that no other request has
public record Refinements(@JsonProperty("durationNanos") long durationNanos,
        @JsonProperty("prefixGroups") int prefixGroups, @JsonProperty("sessions") @Nullable Sessions sessions,
        @JsonProperty("patience") DeadlineDistribution deadlines, @JsonProperty("trace") @Nullable TraceReplay trace,
        @JsonProperty("stopAfterFailures") double stopAfterFailures, @JsonProperty("topK") int topK,
        @JsonProperty("topP") double topP, @JsonProperty("answers") int answers,
        @JsonProperty("earlyEnd") EarlyEnd earlyEnd, @JsonProperty("varyPrompts") boolean varyPrompts) {
    /// The most answers to a prompt.
    public static final int MOST_ANSWERS = 128;

    public Refinements {
        answers = Math.max(1, answers);
        earlyEnd = earlyEnd == null ? EarlyEnd.NONE : earlyEnd;
    }

    /// No optional part.
    public static final Refinements NONE = new Refinements(0, 1, null, DeadlineDistribution.NONE, null);

    /// Parts of a load that goes on whatever fails.
    public Refinements(long durationNanos, int prefixGroups, @Nullable Sessions sessions,
            DeadlineDistribution deadlines, @Nullable TraceReplay trace) {
        this(durationNanos, prefixGroups, sessions, deadlines, trace, 0, 0, 0, 1, EarlyEnd.NONE, false);
    }

    /// Whether later turns are due after the end of the turn before them, drawn or recorded.
    public boolean hasSessions() {
        return sessions != null || (trace != null && trace.options().rows().sessions());
    }

    /// A copy with another duration.
    public Refinements withDuration(long nanos) {
        return new Refinements(nanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, topK, topP, answers,
                earlyEnd, varyPrompts);
    }

    /// A copy with another number of prefixes.
    public Refinements withPrefixGroups(int groups) {
        return new Refinements(durationNanos, groups, sessions, deadlines, trace, stopAfterFailures, topK, topP,
                answers, earlyEnd, varyPrompts);
    }

    /// A copy with other sessions, or none.
    public Refinements withSessions(@Nullable Sessions changed) {
        return new Refinements(durationNanos, prefixGroups, changed, deadlines, trace, stopAfterFailures, topK, topP,
                answers, earlyEnd, varyPrompts);
    }

    /// A copy with other deadlines.
    public Refinements withDeadlines(DeadlineDistribution changed) {
        return new Refinements(durationNanos, prefixGroups, sessions, changed, trace, stopAfterFailures, topK, topP,
                answers, earlyEnd, varyPrompts);
    }

    /// A copy with another trace, or none.
    public Refinements withTrace(@Nullable TraceReplay changed) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, changed, stopAfterFailures, topK, topP,
                answers, earlyEnd, varyPrompts);
    }

    /// A copy that stops above another share of failures.
    public Refinements withStopAfterFailures(double share) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, share, topK, topP, answers,
                earlyEnd, varyPrompts);
    }

    /// A copy that samples from another number of likeliest tokens.
    public Refinements withTopK(int tokens) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, tokens, topP,
                answers, earlyEnd, varyPrompts);
    }

    /// A copy that samples from the likeliest tokens of another probability.
    public Refinements withTopP(double probability) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, topK,
                probability, answers, earlyEnd, varyPrompts);
    }

    /// A copy with another number of answers to each prompt.
    public Refinements withAnswers(int number) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, topK, topP,
                number, earlyEnd, varyPrompts);
    }

    /// A copy whose answers end otherwise.
    public Refinements withEarlyEnd(EarlyEnd ends) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, topK, topP,
                answers, ends, varyPrompts);
    }

    /// A copy whose texts get a line in front that no other request has, or do not.
    public Refinements withVaryPrompts(boolean vary) {
        return new Refinements(durationNanos, prefixGroups, sessions, deadlines, trace, stopAfterFailures, topK, topP,
                answers, earlyEnd, vary);
    }
}
