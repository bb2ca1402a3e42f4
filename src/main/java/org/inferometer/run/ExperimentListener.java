package org.inferometer.run;

import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;

/// Receives the progress of an experiment. Called on the service's threads, never on the JavaFX thread; must return at once.
public interface ExperimentListener {
    /// An engine of the experiment is being built first.
    ///
    /// @param fraction 0 to 1
    default void building(String engine, double fraction) {}

    /// The plan stands and the experiment's folder exists.
    default void started(ExperimentManifest manifest) {}

    /// A run begins.
    default void runStarted(RunPlan plan) {}

    /// A worker sent a message.
    default void frame(RunPlan plan, WorkerFrame frame) {}

    /// A run ended and its record can be read.
    default void runEnded(RunPlan plan, RunRecord record) {}

    /// All is over; the manifest has the summary and the verdict.
    default void ended(ExperimentManifest manifest) {}
}
