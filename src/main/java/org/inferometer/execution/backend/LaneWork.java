package org.inferometer.execution.backend;

import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;

/// The work of one lane, called on its thread.
///
/// @param <J> a checked step or transfer
public interface LaneWork<J extends LaneJob> {
    /// Runs one job; an exception fails the job.
    StepOutcome perform(J job);

    /// Releases resources; called once, after the last job.
    void close();
}
