package org.inferometer.ui.suites;

import java.util.Optional;
import org.inferometer.experiment.ExperimentSpec;

/// The form of Bench, which edits experiments: engines, schedulers, loads, repetitions.
public interface BenchExperiment {
    /// Shows an experiment in the form.
    void edit(ExperimentSpec experiment);

    /// The experiment of the form; empty while it has a fault.
    Optional<ExperimentSpec> edited();
}
