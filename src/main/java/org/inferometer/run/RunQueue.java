package org.inferometer.run;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Decides which run of an experiment comes next. One thread.
interface RunQueue {
    /// The next run; empty when there is no more.
    ///
    /// @param ended the records of all runs so far, in the order in which they happened
    /// @throws EngineFormatException when an engine that was there when the experiment was planned can no longer be read
    Optional<RunPlan> next(List<RunRecord> ended) throws EngineFormatException;

    /// Runs that were all planned beforehand, in their order.
    static RunQueue of(List<RunPlan> plans) {
        return ended -> ended.size() < plans.size() ? Optional.of(plans.get(ended.size())) : Optional.empty();
    }

    /// Plans one run.
    @FunctionalInterface
    interface Planning {
        /// @param run counts the runs of the experiment, from 0
        RunPlan plan(int run, int cellIndex, int repetition) throws EngineFormatException;
    }
}
