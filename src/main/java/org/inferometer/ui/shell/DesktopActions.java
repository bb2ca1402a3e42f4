package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import org.inferometer.ui.designer.PresetViewModel.PresetChoice;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Action.Group;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.shell.CommandPalette.PaletteEntry;
import org.inferometer.ui.shell.NavigationRail.View;

/// Every action of the window, once: the menus, the palette and the list of keys are made from it.
///
/// An action of a view is added here, in the part of its menu.
final class DesktopActions {
    /// The actions that end a part of their menu.
    static final List<String> LAST = List.of("menu-export-schedulers", "menu-preferences", "menu-redo", "menu-report",
            "menu-timeline-all", "menu-palette", "menu-theme", "menu-compare-results", "menu-clear-pins", "menu-tour",
            "menu-problem");
    /// A long menu leaves a low screen.
    static final List<Menus.Submenu> SUBMENUS = List.of(
            new Menus.Submenu("menu.zoom",
                    List.of("menu-timeline-events", "menu-timeline-all", "menu-zoom-in", "menu-zoom-out",
                            "menu-zoom-fit", "menu-follow-live", "menu-table")),
            new Menus.Submenu("menu.text", List.of("menu-text-larger", "menu-text-smaller", "menu-text-usual")));
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
    private final DesktopWindow window;
    private final WindowParts parts;
    private final ShownView view;
    private final List<Action> all;

    DesktopActions(DesktopWindow window, LookActions looks, Tour tour, ProblemReport problem, UndoStack undo) {
        WindowDialogs dialogs = looks.dialogs();
        this.window = window;
        parts = looks.parts();
        view = looks.view();
        ObservableValue<String> idle =
                window.bench().state().map(state -> state.isRunning() ? text("unavailable.running") : "");
        ObservableValue<String> running =
                window.bench().state().map(state -> state.isRunning() ? "" : text("unavailable.not-running"));
        ObservableValue<String> done =
                undo.toUndo().map(label -> label.isEmpty() ? text("unavailable.nothing-to-undo") : "");
        ObservableValue<String> undone =
                undo.toRedo().map(label -> label.isEmpty() ? text("unavailable.nothing-to-redo") : "");
        List<Action> first = List.of(Action.of(Group.FILE, "menu.open", "Shortcut+O", window::openFile),
                Action.of(Group.FILE, "menu.import", "Shortcut+I", in(View.RESULTS, parts.resultsView::importResult)),
                Action.of(Group.FILE, "menu.save-report", "Shortcut+S", this::saveReport),
                Action.of(Group.FILE, "menu.save-bundle", "Shortcut+Shift+S", parts.bundles::save),
                Action.of(Group.FILE, "menu.export-schedulers", null,
                        in(View.RESULTS, parts.resultsView::exportSchedulers)),
                Action.of(Group.FILE, "menu.preferences", "Shortcut+Comma", () -> dialogs.showPreferences(all())),
                Action.of(Group.FILE, "menu.quit", "Shortcut+Q", window::quit),
                Action.of(Group.EDIT, "menu.undo", "Shortcut+Z", done, undo::undo),
                Action.of(Group.EDIT, "menu.redo", "Shortcut+Shift+Z", undone, undo::redo),
                Action.of(Group.EDIT, "menu.copy-command", "Shortcut+Shift+C", parts.benchView::copyCommand),
                Action.of(Group.EDIT, "menu.copy-devices", null, in(View.DEVICES, parts.devicesView::copyText)),
                Action.of(Group.EDIT, "menu.find", "Shortcut+F", this::find),
                Action.of(Group.VIEW, "menu.bench", "Shortcut+1", window::showBench),
                Action.of(Group.VIEW, "menu.results", "Shortcut+2", window::showResults),
                Action.of(Group.VIEW, "menu.timeline", "Shortcut+3", window::showTimeline),
                Action.of(Group.VIEW, "menu.engines", "Shortcut+4", window::showEngines),
                Action.of(Group.VIEW, "menu.suites", "Shortcut+5", window::showSuites),
                Action.of(Group.VIEW, "menu.devices", "Shortcut+6", window::showDevices),
                Action.of(Group.VIEW, "menu.report", "Shortcut+7", window::showReport),
                Action.of(Group.VIEW, "menu.designer", "Shortcut+D", in(View.BENCH, parts.benchView::toggleDesigner)),
                Action.of(Group.VIEW, "menu.live-mode", "Shortcut+L", dialogs.live()::chooseNext),
                Action.of(Group.VIEW, "menu.log", "Shortcut+J",
                        () -> window.bench().log().open().set(!window.bench().log().open().get())),
                Action.of(Group.VIEW, "menu.timeline-events", "Shortcut+Shift+E",
                        in(View.TIMELINE, parts.timelineView::toggleEvents)),
                Action.of(Group.VIEW, "menu.timeline-all", null, in(View.TIMELINE, parts.timeline.visible()::showAll)),
                Action.of(Group.VIEW, "menu.palette", "Shortcut+K", window::openPalette),
                Action.of(Group.VIEW, "menu.refresh", "Shortcut+R", this::refresh),
                Action.of(Group.VIEW, "menu.theme", "Shortcut+Shift+T", dialogs.appearance()::toggle),
                Action.of(Group.RUN, "menu.run-experiment", "F5", idle, window::run),
                Action.of(Group.RUN, "menu.stop", "Shift+F5", running, parts.benchView::stop),
                Action.of(Group.RUN, "menu.marker", "M", running, window.bench()::addMarker));
        all = Stream.of(first, comparing(), looks.all(), help(dialogs, tour, problem)).flatMap(List::stream).toList();
    }

    /// Shows a view and does something in it.
    private Runnable in(View wanted, Runnable action) {
        return () -> {
            window.show(wanted);
            action.run();
        };
    }

    private void saveReport() {
        if (view.is(View.BENCH)) {
            parts.benchView.saveReport();
        } else {
            parts.resultsView.saveReport();
        }
    }

    private void find() {
        switch (view.get()) {
            case ENGINES -> parts.enginesView.find();
            case SUITES -> parts.suitesView.find();
            case BENCH, RESULTS, TIMELINE, DEVICES, REPORT -> {
                window.show(View.RESULTS);
                parts.resultsView.find();
            }
        }
    }

    private void refresh() {
        parts.bench.refreshEngines();
        parts.results.refresh();
        parts.devices.refresh();
    }

    /// Fills the designer from a preset.
    private void designPreset(PresetChoice preset) {
        window.show(View.BENCH);
        parts.bench.designer().presets().chosen().set(preset);
    }

    private List<Action> comparing() {
        return List.of(
                Action.of(Group.COMPARE, "menu.compare-results", "Shortcut+M",
                        in(View.RESULTS, parts.resultsView::compare)),
                Action.of(Group.COMPARE, "menu.baseline", "B", in(View.RESULTS, parts.resultsView::setBaseline)),
                Action.of(Group.COMPARE, "menu.pin", "P", in(View.RESULTS, parts.resultsView::pin)),
                Action.of(Group.COMPARE, "menu.clear-pins", null, parts.resultsView::clearPins),
                Action.of(Group.COMPARE, "menu.settings-differ", null,
                        in(View.RESULTS, parts.resultsView::showSettings)));
    }

    /// Actions on the machine and those that explain the program.
    private List<Action> help(WindowDialogs dialogs, Tour tour, ProblemReport problem) {
        return List.of(Action.of(Group.TOOLS, "menu.check-devices", null, window::checkDevices),
                Action.of(Group.TOOLS, "menu.calibrate", null, window::showCalibration),
                Action.of(Group.HELP, "menu.tour", null, tour::start),
                Action.of(Group.HELP, "menu.shortcuts", "F1", () -> dialogs.showKeys(all())),
                Action.of(Group.HELP, "menu.method", null, dialogs::showMethod),
                Action.of(Group.HELP, "menu.problem", null, problem::save),
                Action.of(Group.HELP, "menu.about", null, dialogs::showAbout));
    }

    /// In the order of the menus.
    List<Action> all() {
        return all;
    }

    /// What the palette offers now: actions, presets and results.
    List<PaletteEntry> palette() {
        List<PaletteEntry> entries = new ArrayList<>();
        all.forEach(action -> entries.add(PaletteEntry.of(action, text(action.group().key()), action.keyText())));
        for (PresetChoice preset : window.bench().designer().presets().choices()) {
            entries.add(new PaletteEntry("preset-" + preset.name(), preset.name(), text("palette.preset"),
                    preset.purpose(), "", () -> designPreset(preset)));
        }
        for (ResultRow row : window.results().readable()) {
            String date = row.added().equals(Instant.MIN) ? "" : MINUTE.format(row.added());
            entries.add(new PaletteEntry("result-" + row.folder().getFileName(), row.name(), text("palette.result"),
                    date, "", () -> window.openResult(row.folder())));
        }
        return entries;
    }
}
