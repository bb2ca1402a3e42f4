package org.inferometer.ui.shell;

import java.util.function.Consumer;
import org.inferometer.ui.designer.PresetViewModel;

/// What the actions of menus and palette do in the views. Belongs to the JavaFX thread.
///
/// @param view which view is shown
/// @param show shows a view
record ViewActions(WindowParts parts, ShownView view, Consumer<NavigationRail.View> show) {
    /// Shows a view and does something in it.
    Runnable in(NavigationRail.View wanted, Runnable action) {
        return () -> {
            show.accept(wanted);
            action.run();
        };
    }

    void saveReport() {
        if (view.is(NavigationRail.View.BENCH)) {
            parts.benchView.saveReport();
        } else {
            parts.resultsView.saveReport();
        }
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

    /// Fills the designer from a preset.
    void designPreset(PresetViewModel.PresetChoice preset) {
        show.accept(NavigationRail.View.BENCH);
        parts.bench.designer().presets().chosen().set(preset);
    }
}
