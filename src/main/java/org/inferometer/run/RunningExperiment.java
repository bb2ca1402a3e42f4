package org.inferometer.run;

import java.nio.file.Path;
import org.inferometer.record.ExperimentManifest;

/// An experiment under way.
public interface RunningExperiment {
    /// Where its record grows.
    Path folder();

    /// Stops the experiment; kills the current run after a grace period of two seconds. Measurements are kept. Returns at once.
    void cancel();

    /// Waits until it is over.
    ExperimentManifest await() throws InterruptedException;
}
