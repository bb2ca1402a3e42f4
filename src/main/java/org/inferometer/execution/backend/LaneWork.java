package org.inferometer.execution.backend;

import java.util.Optional;
import java.util.function.Supplier;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;

/// The work of one lane, called on its thread.
///
/// @param <J> a checked step or transfer
public interface LaneWork<J extends LaneJob> {
    /// Runs one job; an exception fails the job.
    StepOutcome perform(J job);

    /// Jobs that the lane holds behind its running one, 0 or 1.
    default int queuedJobs() {
        return 0;
    }

    /// Runs one job, and may start the one behind it before it returns. The next call is then for that one.
    ///
    /// @param behind takes the job that is queued behind this one; empty if there is none yet
    default StepOutcome perform(J job, Supplier<Optional<J>> behind) {
        return perform(job);
    }

    /// Releases resources; called once, after the last job.
    void close();
}
