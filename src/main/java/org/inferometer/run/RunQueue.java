package org.inferometer.run;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Selects the next run of an experiment. For one thread.
interface RunQueue {
    /// The next run; empty if there is none.
    ///
    /// @param ended records of all runs so far, in order of execution
    /// @throws EngineFormatException if an engine has become unreadable since planning
    Optional<RunPlan> next(List<RunRecord> ended) throws EngineFormatException;

    /// A queue of runs that are planned beforehand.
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
