package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The limits of a run, for every scheduler.
///
/// @param maxBatchRows requests in one step
/// @param maxStepPositions positions in one step, including padding
/// @param maxSequencePositions positions of one request
public record Limits(@JsonProperty("maxBatchRows") int maxBatchRows,
        @JsonProperty("maxStepPositions") int maxStepPositions,
        @JsonProperty("maxSequencePositions") int maxSequencePositions) {
    /// The limit of an option; 0 stands for the run's limit, and larger values are cut to it.
    static int orLess(int option, int limit) {
        return option == 0 ? limit : Math.min(option, limit);
    }
}
