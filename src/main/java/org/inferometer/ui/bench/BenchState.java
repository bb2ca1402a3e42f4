package org.inferometer.ui.bench;

import java.util.concurrent.CompletableFuture;
import org.inferometer.run.RunningExperiment;

/// What the Bench view shows; each state holds what exists in it.
public sealed interface BenchState {
    /// An experiment is being edited and none has run yet.
    record Editing() implements BenchState {}

    /// The last experiment was not started.
    ///
    /// @param problem all faults, one sentence per line
    record Refused(String problem) implements BenchState {}

    /// An experiment runs.
    ///
    /// @param experiment completed in the background once the experiment has started
    /// @param end how it shall end
    record Running(LiveRecorder recorder, CompletableFuture<RunningExperiment> experiment,
            End end) implements BenchState {
        Running with(End wanted) {
            return new Running(recorder, experiment, wanted);
        }
    }

    /// How an experiment shall end.
    enum End {
        /// When all is measured.
        COMPLETE,
        /// Now; what was measured is kept.
        STOPPED,
        /// Now; what was measured goes to the trash.
        DISCARDED
    }

    /// An experiment has ended.
    record Finished(ResultCard result) implements BenchState {}

    /// Whether an experiment runs.
    default boolean isRunning() {
        return this instanceof Running;
    }

    /// Whether an experiment runs that was requested to stop.
    default boolean isStopping() {
        return this instanceof Running running && running.end() != End.COMPLETE;
    }
}
