package org.inferometer.workload;

import com.fasterxml.jackson.annotation.JsonProperty;

/// How long clients wait: a timeout for every request, and a share of requests that are cancelled on purpose.
///
/// @param timeoutNanos after sending, for every request; 0 for none
/// @param cancelRate share of requests that are cancelled, 0 to 1
/// @param cancelAfter when they are cancelled, after sending
public record DeadlineDistribution(@JsonProperty("timeoutNanos") long timeoutNanos,
        @JsonProperty("cancelRate") double cancelRate, @JsonProperty("cancelAfter") TimeDistribution cancelAfter) {
    /// No timeout and no cancellation.
    public static final DeadlineDistribution NONE = new DeadlineDistribution(0, 0, TimeDistribution.NONE);
}
