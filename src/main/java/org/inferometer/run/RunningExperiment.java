package org.inferometer.run;

import java.nio.file.Path;
import org.inferometer.record.ExperimentManifest;

/// An experiment under way.
public interface RunningExperiment {
    /// Where its record grows.
    Path folder();

    /// Ends it: the run in flight is asked to stop and, after a grace of two seconds, killed. What was measured is kept. Returns at once.
    void cancel();

    /// Waits until it is over.
    ExperimentManifest await() throws InterruptedException;
}
