package org.inferometer.run;

import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.WindowUse;

/// Receives the progress of an experiment on threads of the service, never the JavaFX thread. Must return at once.
public interface ExperimentListener {
    /// An engine of the experiment is being built.
    ///
    /// @param fraction 0 to 1
    default void building(String engine, double fraction) {}

    /// The experiment is planned and its folder exists.
    default void started(ExperimentManifest manifest) {}

    /// A run begins.
    default void runStarted(RunPlan plan) {}

    /// A worker sent a message.
    default void frame(RunPlan plan, WorkerFrame frame) {}

    /// What a window of the caller did while a run was measured; asked once, when its worker has ended.
    default WindowUse windowUse(RunPlan plan) {
        return WindowUse.NONE;
    }

    /// A run ended; its record can be read.
    default void runEnded(RunPlan plan, RunRecord record) {}

    /// The experiment ended; the manifest has summary and verdict.
    default void ended(ExperimentManifest manifest) {}
}
