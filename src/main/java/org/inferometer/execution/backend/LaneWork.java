package org.inferometer.execution.backend;

import org.inferometer.execution.StepOutcome;

/// What a lane's thread does with the jobs that it is handed; its own, shared with no other lane.
///
/// @param <J> a checked step or transfer
public interface LaneWork<J> {
    /// Does one job; what it throws fails the job.
    StepOutcome perform(J job);

    /// Names a job in the sentence on its failure: "Step 7".
    String name(J job);

    /// Ends what the work holds; called once, after the last job.
    void close();
}
