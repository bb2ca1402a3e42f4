package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.stage.Stage;
import org.inferometer.ui.chart.FocusedChart;
import org.inferometer.ui.designer.PresetViewModel.PresetChoice;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Action.Group;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.shell.CommandPalette.PaletteEntry;
import org.inferometer.ui.shell.NavigationRail.View;
import org.inferometer.ui.theme.TextSize;

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
    private static final double TIMELINE_CLOSER = 0.5;
    private static final double CHART_CLOSER = 1.25;
    private final DesktopWindow window;
    private final WindowParts parts;
    private final ShownView view;
    private final WindowDialogs dialogs;
    private final List<Action> all;

    DesktopActions(DesktopWindow window, WindowParts parts, ShownView view, WindowDialogs dialogs, Tour tour,
            ProblemReport problem) {
        this.window = window;
        this.parts = parts;
        this.view = view;
        this.dialogs = dialogs;
        UndoStack undo = parts.undo;
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
        all = Stream.of(first, comparing(), looks(), help(tour, problem)).flatMap(List::stream).toList();
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

    /// Actions on what is seen: zoom of the focused chart or of the Timeline, table, size of texts, full screen.
    private List<Action> looks() {
        FocusedChart charts = parts.charts;
        ObservableValue<String> zoom =
                Bindings.createStringBinding(this::noZoom, view.shown(), parts.timeline.experiment(), charts.noZoom());
        return List.of(Action.of(Group.VIEW, "menu.zoom-in", "Alt+Equals", zoom, () -> zoom(true)),
                Action.of(Group.VIEW, "menu.zoom-out", "Alt+Minus", zoom, () -> zoom(false)),
                Action.of(Group.VIEW, "menu.zoom-fit", "Alt+0", zoom, this::fit),
                Action.of(Group.VIEW, "menu.follow-live", "Alt+End", charts.follows(), charts::followLive),
                Action.of(Group.VIEW, "menu.table", "Shortcut+T", charts.noChart(), charts::toggleTable),
                Action.of(Group.VIEW, "menu.text-larger", "Shortcut+Equals", atEnd(TextSize.ALL.getLast(), "largest"),
                        () -> step(1)),
                Action.of(Group.VIEW, "menu.text-smaller", "Shortcut+Minus", atEnd(TextSize.ALL.getFirst(), "smallest"),
                        () -> step(-1)),
                Action.of(Group.VIEW, "menu.text-usual", "Shortcut+0", atEnd(TextSize.USUAL.percent(), "usual"),
                        () -> dialogs.preferences().textSize().set(TextSize.USUAL)),
                Action.of(Group.VIEW, "menu.full-screen", "F11", this::fullScreen));
    }

    private boolean onTimeline() {
        return view.is(View.TIMELINE);
    }

    private String noZoom() {
        return !onTimeline() ? parts.charts.noZoom().get()
                : parts.timeline.experiment().get().isEmpty() ? text("unavailable.no-timeline")
                : "";
    }

    /// @param closer whether less is shown
    private void zoom(boolean closer) {
        if (onTimeline()) {
            parts.timeline.visible().zoom(closer ? TIMELINE_CLOSER : 1 / TIMELINE_CLOSER);
        } else {
            parts.charts.zoom(closer ? CHART_CLOSER : 1 / CHART_CLOSER);
        }
    }

    private void fit() {
        if (onTimeline()) {
            parts.timeline.visible().showAll();
        } else {
            parts.charts.fit();
        }
    }

    private ObservableValue<String> atEnd(int percent, String which) {
        return dialogs.preferences().textSize()
                .map(size -> size.percent() == percent ? text("unavailable.text-" + which) : "");
    }

    private void step(int sizes) {
        int at = TextSize.ALL.indexOf(dialogs.preferences().textSize().get().percent()) + sizes;
        dialogs.preferences().textSize()
                .set(new TextSize(TextSize.ALL.get(Math.clamp(at, 0, TextSize.ALL.size() - 1))));
    }

    private void fullScreen() {
        if (dialogs.over().getScene().getWindow() instanceof Stage stage) {
            stage.setFullScreen(!stage.isFullScreen());
        }
    }

    /// Actions on the machine and those that explain the program.
    private List<Action> help(Tour tour, ProblemReport problem) {
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
