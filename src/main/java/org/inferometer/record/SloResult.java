package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Whether a load meets its service-level objective, by one-sided bounds of the share of requests within the limits.
///
/// @param lowerShare lower bound of the share
/// @param upperShare upper bound of the share
/// @param confidence of each bound
/// @param requests judged requests over all runs
/// @param requestsToTell judged requests that would decide at the same share; 0 if the outcome is decided, or no number would
/// @param overloaded whether the load was not served as fast as asked
public record SloResult(@JsonProperty("outcome") Outcome outcome, @JsonProperty("lowerShare") double lowerShare,
        @JsonProperty("upperShare") double upperShare, @JsonProperty("confidence") double confidence,
        @JsonProperty("requests") long requests, @JsonProperty("requestsToTell") long requestsToTell,
        @JsonProperty("overloaded") boolean overloaded) {
    /// The decision.
    public enum Outcome {
        /// The lower bound is at the goal or above, also if one run in five is bad and halts take 30 requests.
        @JsonProperty("SERVED")
        SERVED,
        /// The lower bound is at the goal or above. Too few runs or requests to have seen such runs and halts.
        @JsonProperty("SERVED_IN_ITS_RUNS")
        SERVED_IN_ITS_RUNS,
        /// The upper bound is below the goal.
        @JsonProperty("NOT_SERVED")
        NOT_SERVED,
        /// The goal is between the bounds.
        @JsonProperty("CANNOT_TELL")
        CANNOT_TELL
    }

    /// Whether the requests that were measured show that the load is served.
    public boolean isServed() {
        return outcome == Outcome.SERVED || outcome == Outcome.SERVED_IN_ITS_RUNS;
    }

    /// The same result of more requests, of which only these told anything.
    public SloResult of(long all) {
        return new SloResult(outcome, lowerShare, upperShare, confidence, all,
                requests == 0 ? 0 : Math.round((double) requestsToTell * all / requests), overloaded);
    }
}
