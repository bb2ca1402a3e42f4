package org.inferometer.ui.fx;

import java.nio.file.Path;
import org.inferometer.record.ExperimentRecord;

/// Moves from one view to another. Called on the UI thread.
public interface Navigation {
    /// Runs the quick benchmark in the Bench view.
    void runQuick();

    /// Shows the samples in the Results view.
    void openSamples();

    /// Asks for an experiment and shows it in the Results view.
    void openFile();

    /// Shows an experiment in the Results view.
    void openResult(Path folder);

    /// Shows the Devices view.
    void showDevices();

    /// Shows the Devices view at the calibration of its noise.
    void showCalibration();

    /// Shows the Results view.
    void showResults();

    /// Shows a run in the Timeline view.
    ///
    /// @param run index among the experiment's runs
    void showTimeline(ExperimentRecord experiment, int run);

    /// Shows a request in the Timeline view: pinned, and over the width of the window.
    ///
    /// @param run index among the experiment's runs
    /// @param request its id in the run
    void showRequest(ExperimentRecord experiment, int run, int request);

    /// Shows the newest result in the Timeline view.
    void openNewest();
}
