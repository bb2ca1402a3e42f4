package org.inferometer.ui.bench;

import java.nio.file.Path;

/// Where the Bench view can send people; the shell knows the way.
public interface BenchNavigation {
    /// Shows the samples in the Results view.
    void openSamples();

    /// Asks for an experiment and shows it in the Results view.
    void openFile();

    /// Shows an experiment in the Results view.
    void openResult(Path folder);
}
