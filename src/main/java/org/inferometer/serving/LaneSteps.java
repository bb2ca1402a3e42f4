package org.inferometer.serving;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The steps of one lane: the running one and at most one queued behind it. A transfer counts as a step.
final class LaneSteps {
    private @Nullable InFlightStep running;
    private @Nullable InFlightStep queued;
    private long runningDecisionNanos;
    private long queuedDecisionNanos;
    private boolean asked;

    boolean isIdle() {
        return running == null;
    }

    InFlightStep running() {
        return Objects.requireNonNull(running, "no step runs on this lane");
    }

    @Nullable
    InFlightStep queued() {
        return queued;
    }

    /// Time of the decision for the running step.
    long decisionNanos() {
        return runningDecisionNanos;
    }

    void decisionNanos(long nanos) {
        runningDecisionNanos = nanos;
    }

    /// Starts a step on the idle lane.
    void start(InFlightStep step) {
        running = step;
        runningDecisionNanos = 0;
        asked = false;
    }

    /// Whether the step behind the running one may be asked for: once for each.
    boolean askOnce() {
        boolean first = running != null && queued == null && !asked;
        asked = true;
        return first;
    }

    /// Queues a step behind the running one.
    void queue(InFlightStep step, long decisionNanos) {
        queued = step;
        queuedDecisionNanos = decisionNanos;
    }

    /// Removes the queued step.
    void drop() {
        queued = null;
    }

    /// Ends the running step. The queued one starts.
    void end() {
        running = queued;
        runningDecisionNanos = queuedDecisionNanos;
        queued = null;
        asked = false;
    }

    /// Replaces the running step by the same with another occupancy.
    void occupied(InFlightStep.Occupancy occupancy) {
        running = running().with(occupancy);
    }
}
