package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Parent;
import javafx.scene.control.MenuBar;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.ui.bench.BenchState;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.ProcessorShare;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.shell.NotificationArea.NoticeBell;
import org.inferometer.ui.shell.RecentFiles.RecentMenu;
import org.inferometer.ui.shell.StatusLine.WaitingWork;
import org.inferometer.ui.shell.TopBar.Breadcrumb;
import org.inferometer.ui.suites.SuitesViewModel;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.jspecify.annotations.Nullable;

/// The window's content: rail, top bar, status line and the shown view. Belongs to the JavaFX thread.
public final class DesktopWindow implements Navigation {
    private static final Duration HEAP_EVERY = Duration.ofSeconds(5);
    private final WindowContext context;
    private final BorderPane frame = Panes.named("desktop", new BorderPane());
    private final ShownView view = new ShownView(this::show);
    private final WindowParts parts;
    private final TopBar topBar;
    private final StatusLine status;
    private final Breadcrumb breadcrumb;
    private Ticks.Beat heapBeat;
    private final Preferences preferences;
    private final DesktopActions actions;
    private final CommandPalette palette;
    private final Tour tour;
    private final RecentMenu recentMenu;

    /// What the window needs from its stage.
    ///
    /// @param quit closes the window; asks first while an experiment runs
    public record WindowContext(BackgroundWork work, Ticks ticks, Appearance appearance, FileDialogs dialogs,
            Questions questions, Runnable quit) {}

    /// Builds the window's content and begins to read engines, results and the machine in the background.
    public DesktopWindow(DesktopServices services, WindowContext context) {
        this.context = context;
        preferences = new Preferences(services.settings(), context.appearance());
        parts = new WindowParts(services, context, frame, view, this, this::showBench);
        breadcrumb = new Breadcrumb(parts.bench, parts.results, parts.comparison, parts.timeline);
        topBar = new TopBar(parts.bench, context.appearance(), this::run, parts.benchView::stop, this::openPalette,
                new NoticeBell(parts.notices));
        WindowDialogs dialogs =
                new WindowDialogs(frame, services.version(), context.appearance(), preferences, parts.bench.live());
        tour = new Tour(frame, services.settings());
        actions = new DesktopActions(this, parts, view, dialogs, tour, new ProblemReport(services, context, parts));
        recentMenu = new RecentMenu(parts.recent, this::open);
        palette = new CommandPalette(
                () -> Stream.concat(actions.palette().stream(), recentMenu.entries().stream()).toList(),
                services.settings());
        rememberEdits(parts.bench.designer(), parts.undo);
        status = new StatusLine(parts.bench, parts.machine, new WaitingWork(context.work().measuring()),
                ProcessorShare.ofThisProcess(services.clock()));
        heapBeat = everyFewSeconds();
        preferences.keepLiveMode(parts.bench.live());
        follow();
        parts.read(services, context);
    }

    /// Every change of the designer's experiment, and deletions of presets, can be taken back.
    private static void rememberEdits(DesignerViewModel designer, UndoStack undo) {
        designer.presets().remember(undo);
        designer.edited().addListener((observed, before, now) -> {
            if (before != null && now != null) {
                undo.push(new UndoStack.Step(text("undo.designer"), () -> designer.load(before),
                        () -> designer.load(now)));
            }
        });
    }

    private Ticks.Beat everyFewSeconds() {
        return context.ticks().every(HEAP_EVERY, status::refresh);
    }

    private void follow() {
        parts.bench.state().addListener((observed, before, now) -> {
            place();
            if (now instanceof BenchState.Finished && parts.hasWindow() && view.is(NavigationRail.View.BENCH)) {
                tour.startOnce();
            }
        });
        parts.results.opened().addListener((observed, before, now) -> resultOpened(now));
        parts.comparison.title().addListener((observed, before, now) -> place());
        parts.results.openedName().addListener((observed, before, now) -> place());
        parts.results.loading().addListener((observed, before, now) -> listed(now));
        parts.results.opening().addListener((observed, before, now) -> {
            if (!now) {
                parts.newest.openingEnded();
            }
        });
        parts.timeline.experiment().addListener((observed, before, now) -> place());
    }

    /// The window's root.
    public Parent createView() {
        MenuBar menus = Menus.create(actions.all(), DesktopActions.LAST, DesktopActions.SUBMENUS);
        recentMenu.addBelow(menus, "menu-open");
        frame.setTop(new VBox(menus, topBar));
        frame.setLeft(view.rail());
        VBox.setVgrow(view.content(), Priority.ALWAYS);
        // A column shrinks the log where the window is low.
        frame.setCenter(new VBox(view.content(), parts.benchView.logDrawer()));
        frame.setBottom(status);
        StackPane root = Panes.styled(new StackPane(frame, parts.notifications.view(), tour.view(), palette.view()),
                StyleClasses.DESKTOP);
        StackPane.setAlignment(parts.notifications.view(), Pos.BOTTOM_RIGHT);
        root.sceneProperty().subscribe(scene -> Optional.ofNullable(scene).ifPresent(parts.charts::follow));
        show(NavigationRail.View.BENCH);
        return root;
    }

    /// Moves the focus to the first choice.
    public void focusFirst() {
        parts.benchView.focusFirst();
    }

    /// Ends charts and timers.
    public void dispose() {
        heapBeat.stop();
        parts.dispose();
    }

    /// Closes or opens the window while an experiment goes on: without a window nothing is drawn and no timer of it runs.
    void setOpen(boolean open) {
        heapBeat.stop();
        if (open) {
            heapBeat = everyFewSeconds();
        }
        parts.setWindow(open);
        view.setWindow(open);
        context.work().measuring().showView(open ? view.get().besideExperiment() : null);
    }

    /// Whether an experiment or a suite goes on.
    ObservableValue<Boolean> measuring() {
        return parts.measuring();
    }

    /// State of the Bench view.
    public BenchViewModel bench() {
        return parts.bench;
    }

    /// State of the Results view.
    public ResultsViewModel results() {
        return parts.results;
    }

    /// State of the Timeline view.
    public TimelineViewModel timeline() {
        return parts.timeline;
    }

    public SuitesViewModel suites() {
        return parts.suites;
    }

    /// Every action of the window.
    DesktopActions actions() {
        return actions;
    }

    /// Shows short messages.
    public Notifier notifier() {
        return parts.notifications;
    }

    /// Runs the experiment of the designer.
    void run() {
        show(NavigationRail.View.BENCH);
        parts.benchView.run();
    }

    /// Shows a view.
    void show(NavigationRail.View chosen) {
        view.select(chosen);
        if (chosen == NavigationRail.View.TIMELINE && !parts.shown.awaitsTimeline()) {
            parts.newest.fillTimeline();
        }
        view.show();
        context.work().measuring().showView(chosen.besideExperiment());
        place();
    }

    private void place() {
        topBar.setPlace(breadcrumb.of(view.get()));
    }

    private void listed(boolean loading) {
        if (!loading) {
            parts.bench.designer().setHistory(parts.results.own());
            parts.newest.listed();
        }
    }

    private void resultOpened(@Nullable OpenedExperiment opened) {
        parts.newest.resultOpened(opened);
        if (opened != null) {
            parts.recent.add(opened.record().folder());
        }
        place();
    }

    @Override
    public void showTimeline(ExperimentRecord experiment, int run) {
        parts.timeline.open(experiment, run);
        show(NavigationRail.View.TIMELINE);
        parts.timelineView.focusRows();
    }

    @Override
    public void showRequest(ExperimentRecord experiment, int run, int request) {
        parts.timeline.open(experiment, run, request);
        show(NavigationRail.View.TIMELINE);
        parts.timelineView.focusRows();
    }

    @Override
    public void runQuick() {
        show(NavigationRail.View.BENCH);
        parts.bench.runQuick();
    }

    @Override
    public void openFile() {
        context.dialogs()
                .open(text("open.title"),
                        List.of(new FileDialogs.FileType(text("file.experiment"), "experiment.json;*.inferometer")))
                .ifPresent(this::open);
    }

    /// Opens a bundle, the folder of a result, or a file of another tool.
    public void open(Path file) {
        show(NavigationRail.View.RESULTS);
        parts.recent.add(file);
        parts.imports.take(List.of(file));
    }

    @Override
    public void openSamples() {
        parts.results.close();
        parts.results.filter().samplesOnly();
        show(NavigationRail.View.RESULTS);
    }

    @Override
    public void openResult(Path folder) {
        parts.results.open(folder);
        show(NavigationRail.View.RESULTS);
    }

    public void showBench() {
        show(NavigationRail.View.BENCH);
    }

    @Override
    public void showResults() {
        show(NavigationRail.View.RESULTS);
    }

    public void showTimeline() {
        show(NavigationRail.View.TIMELINE);
    }

    @Override
    public void showDevices() {
        show(NavigationRail.View.DEVICES);
        parts.devicesView.focusFirst();
    }

    /// Checks the machine again.
    void checkDevices() {
        showDevices();
        parts.devices.refresh();
    }

    @Override
    public void showCalibration() {
        show(NavigationRail.View.DEVICES);
        parts.devicesView.focusCalibration();
    }

    public void showReport() {
        show(NavigationRail.View.REPORT);
        parts.reportView.focusFirst();
    }

    public void showEngines() {
        show(NavigationRail.View.ENGINES);
        parts.enginesView.focusFirst();
    }

    public void showSuites() {
        show(NavigationRail.View.SUITES);
        parts.suitesView.focusFirst();
    }

    @Override
    public void openNewest() {
        parts.newest.open();
    }

    /// What is open now.
    Session.Open open() {
        return new Session.Open(view.get(), parts.shown.now(), parts.resultsView.listLook(),
                parts.bench.designer().edited().get(), parts.bench.designer().machine().written());
    }

    /// Whether the next start shall show what is open.
    boolean restoresSessions() {
        return preferences.restore().get();
    }

    /// Shows what was open in an earlier session.
    void restore(Session.Open open) {
        parts.bench.designer().restore(open.designed(), open.machine());
        parts.resultsView.show(open.list());
        parts.shown.show(open.shown());
        show(open.view());
    }

    /// Finds every action, preset and result by a few characters.
    public void openPalette() {
        parts.bench.designer().presets().refresh(parts.notifications);
        parts.recent.check();
        palette.open();
    }

    public void quit() {
        context.quit().run();
    }
}
