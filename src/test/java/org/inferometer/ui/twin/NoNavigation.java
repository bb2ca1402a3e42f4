package org.inferometer.ui.twin;

import java.nio.file.Path;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.ui.fx.Navigation;

/// Stays where it is.
public final class NoNavigation implements Navigation {
    @Override
    public void runQuick() {}

    @Override
    public void openSamples() {}

    @Override
    public void openFile() {}

    @Override
    public void openResult(Path folder) {}

    @Override
    public void showDevices() {}

    @Override
    public void showCalibration() {}

    @Override
    public void showResults() {}

    @Override
    public void showTimeline(ExperimentRecord experiment, int run) {}

    @Override
    public void showRequest(ExperimentRecord experiment, int run, int request) {}

    @Override
    public void openNewest() {}
}
