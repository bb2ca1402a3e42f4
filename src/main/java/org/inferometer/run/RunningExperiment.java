package org.inferometer.run;

import java.nio.file.Path;
import org.inferometer.record.ExperimentManifest;

/// A running experiment.
public interface RunningExperiment {
    /// The folder of its record.
    Path folder();

    /// Stops the experiment; kills the current run after a grace period of two seconds. Measurements are kept. Returns at once.
    void cancel();

    /// Waits for its end.
    ExperimentManifest await() throws InterruptedException;
}
