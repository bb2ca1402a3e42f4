package org.inferometer.ui.shell;

import java.util.function.Consumer;
import org.inferometer.ui.designer.PresetViewModel;

/// What the actions of menus and palette do in the views. Belongs to the JavaFX thread.
///
/// @param view which view is shown
/// @param show shows a view
record ViewActions(WindowParts parts, ShownView view, Consumer<NavigationRail.View> show) {
    void run() {
        show.accept(NavigationRail.View.BENCH);
        parts.benchView.run();
    }

    void stop() {
        parts.benchView.stop();
    }

    void saveBundle() {
        parts.bundles.save();
    }

    void importResult() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.importResult();
    }

    void compare() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.compare();
    }

    void setBaseline() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.setBaseline();
    }

    void pin() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.pin();
    }

    void clearPins() {
        parts.resultsView.clearPins();
    }

    void showSettingsThatDiffer() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.showSettings();
    }

    void saveReport() {
        if (view.is(NavigationRail.View.BENCH)) {
            parts.benchView.saveReport();
        } else {
            parts.resultsView.saveReport();
        }
    }

    void exportSchedulers() {
        show.accept(NavigationRail.View.RESULTS);
        parts.resultsView.exportSchedulers();
    }

    void copyCommand() {
        parts.benchView.copyCommand();
    }

    void copyDevices() {
        show.accept(NavigationRail.View.DEVICES);
        parts.devicesView.copyText();
    }

    void toggleEvents() {
        show.accept(NavigationRail.View.TIMELINE);
        parts.timelineView.toggleEvents();
    }

    void showWholeTimeline() {
        show.accept(NavigationRail.View.TIMELINE);
        parts.timeline.visible().showAll();
    }

    void find() {
        switch (view.get()) {
            case ENGINES -> parts.enginesView.find();
            case SUITES -> parts.suitesView.find();
            case BENCH, RESULTS, TIMELINE, DEVICES, REPORT -> {
                show.accept(NavigationRail.View.RESULTS);
                parts.resultsView.find();
            }
        }
    }

    void refresh() {
        parts.bench.refreshEngines();
        parts.results.refresh();
        parts.devices.refresh();
    }

    void toggleDesigner() {
        show.accept(NavigationRail.View.BENCH);
        parts.benchView.toggleDesigner();
    }

    /// Fills the designer from a preset.
    void designPreset(PresetViewModel.PresetChoice preset) {
        show.accept(NavigationRail.View.BENCH);
        parts.bench.designer().presets().chosen().set(preset);
    }
}
