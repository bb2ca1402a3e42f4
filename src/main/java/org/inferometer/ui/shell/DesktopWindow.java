package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.ui.bench.BenchView;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.bench.MachineSummary;
import org.inferometer.ui.bench.ProcessorShare;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.designer.PresetViewModel;
import org.inferometer.ui.devices.DevicesViewModel;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ReportSaver;
import org.inferometer.ui.results.ResultActions;
import org.inferometer.ui.results.ResultsView;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.suites.SuitesViewModel;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.timeline.TimelineView;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.jspecify.annotations.Nullable;

/// The window's content: rail, top bar, status line and the views. Belongs to the JavaFX thread.
public final class DesktopWindow implements Navigation {
    private static final Duration HEAP_EVERY = Duration.ofSeconds(5);
    private final WindowContext context;
    private final BenchViewModel bench;
    private final ResultsViewModel results;
    private final ComparisonViewModel comparison;
    private final TimelineViewModel timeline;
    private final BenchView benchView;
    private final ResultsView resultsView;
    private final TimelineView timelineView;
    private final NewestResult newest;
    private final BundleActions bundles;
    private final DevicesPane devices;
    private final ReportPane report;
    private final EnginesPane engines;
    private final SuitesPane suites;
    private final ShownView view = new ShownView(this::show);
    private final TopBar topBar;
    private final StatusLine status;
    private final Breadcrumb breadcrumb;
    private final NotificationArea notifications;
    private final Ticks.Beat heapBeat;
    private final Preferences preferences;
    private final UndoStack undo = new UndoStack();
    private final WindowDialogs dialogs;
    private final DesktopActions actions;
    private final CommandPalette palette;
    private final BorderPane frame = new BorderPane();

    /// What the window needs from its stage.
    ///
    /// @param quit closes the window; asks first while an experiment runs
    public record WindowContext(BackgroundWork work, Ticks ticks, Appearance appearance, FileDialogs dialogs,
            Questions questions, Runnable quit) {}

    /// Builds the window's content and begins to read engines, results and the machine in the background.
    public DesktopWindow(DesktopServices services, WindowContext context) {
        this.context = context;
        NoticeLog notices = new NoticeLog(services.clock());
        notifications = new NotificationArea(context.ticks(), notices, this::isQuiet);
        preferences = new Preferences(services.settings(), context.appearance());
        ObjectProperty<MachineSummary> machine = new SimpleObjectProperty<>(MachineSummary.UNKNOWN);
        ChartTools tools = new ChartTools(services.composer(), services.renderer(), context.appearance().shade(),
                context.dialogs(), context.work(), notifications,
                new WindowOfCharts(this, services.settings(), frame, context.appearance()), "");
        OtherMachines machines = new OtherMachines(services.machines(), services.settings(), context.work());
        bench = new BenchViewModel(services.designer(), services.results(), context.work(), context.ticks(),
                services.clock(), Runtime.getRuntime().availableProcessors(), machines);
        results = new ResultsViewModel(services.results(), context.work());
        ReportSaver reports = new ReportSaver(tools, services.results());
        comparison = new ComparisonViewModel(services.results(), context.work(), results::knownByName);
        timeline = new TimelineViewModel(context.work());
        benchView = new BenchView(bench, reports, context.questions(), this, machine);
        bundles = new BundleActions(services, context, results, comparison, timeline, notifications);
        resultsView = new ResultsView(results, bundles.imports(), comparison, reports, this, services.settings(),
                new ResultActions(results, notifications, undo, services.clock(), context.appearance()::dress));
        timelineView = new TimelineView(timeline, this, tools);
        newest = new NewestResult(results, timeline, new LatestRun(results, services.results(), context.work()),
                notifications, () -> view.is(NavigationRail.View.TIMELINE));
        devices = new DevicesPane(services.devices(), machines, context, notifications);
        report = new ReportPane(services.results().reports(), results, comparison, bundles, context.work(),
                context.dialogs(), notifications);
        engines = new EnginesPane(services, bench, context, notifications, this::showBench);
        suites = new SuitesPane(services, machines, bench, context, notifications, this::showBench, this::openResult);
        suites.model().session().onEnded(results::refresh);
        addViews();
        breadcrumb = new Breadcrumb(bench, results, comparison, timeline);
        topBar = new TopBar(bench, context.appearance(), this::run, this::stop, this::openPalette,
                new NoticeBell(notices));
        dialogs = new WindowDialogs(frame, services.version(), context.appearance(), preferences, bench.live());
        actions = new DesktopActions(this, dialogs, undo, new KeyBindings(services.settings()));
        palette = new CommandPalette(actions::palette, services.settings());
        new DesignerUndo(bench.designer(), undo);
        status = new StatusLine(bench, machine, new WaitingWork(context.work().measuring()),
                ProcessorShare.ofThisProcess(services.clock()));
        heapBeat = context.ticks().every(HEAP_EVERY, status::refresh);
        preferences.keepLiveMode(bench.live());
        bench.onExperimentEnded(results::refresh);
        bench.state().addListener((observed, before, now) -> place());
        results.opened().addListener((observed, before, now) -> resultOpened(now));
        comparison.title().addListener((observed, before, now) -> place());
        results.openedName().addListener((observed, before, now) -> place());
        results.loading().addListener((observed, before, now) -> listed(now));
        results.opening().addListener((observed, before, now) -> {
            if (!now) {
                newest.openingEnded();
            }
        });
        timeline.experiment().addListener((observed, before, now) -> place());
        bench.refreshEngines();
        results.refresh();
        context.work().run(WindowWork.OWN, () -> services.machine().get(), machine::set,
                failure -> machine.set(MachineSummary.UNKNOWN));
    }

    private void addViews() {
        Node benchNode = benchView.createView();
        view.add(NavigationRail.View.BENCH, () -> benchNode, bench::setShowing);
        view.add(NavigationRail.View.RESULTS, resultsView.createView());
        view.add(NavigationRail.View.TIMELINE, timelineView.createView());
        view.add(NavigationRail.View.DEVICES, devices::node, devices::setShowing);
        view.add(NavigationRail.View.REPORT, report::node, report::setShowing);
        view.add(NavigationRail.View.ENGINES, engines::node, engines::setShowing);
        view.add(NavigationRail.View.SUITES, suites::node, suites::setShowing);
    }

    /// The window's root.
    public Parent createView() {
        frame.setId("desktop");
        frame.setTop(new VBox(Menus.create(actions.all(), DesktopActions.LAST), topBar));
        frame.setLeft(view.rail());
        VBox.setVgrow(view.content(), Priority.ALWAYS);
        // A column shrinks the log where the window is low.
        frame.setCenter(new VBox(view.content(), benchView.logDrawer()));
        frame.setBottom(status);
        StackPane root = new StackPane(frame, notifications.view(), palette.view());
        root.getStyleClass().add(StyleClasses.DESKTOP);
        StackPane.setAlignment(notifications.view(), Pos.BOTTOM_RIGHT);
        show(NavigationRail.View.BENCH);
        return root;
    }

    /// Moves the focus to the first choice.
    public void focusFirst() {
        benchView.focusFirst();
    }

    /// Ends charts and timers.
    public void dispose() {
        heapBeat.stop();
        devices.dispose();
        benchView.dispose();
        resultsView.dispose();
    }

    /// State of the Bench view.
    public BenchViewModel bench() {
        return bench;
    }

    /// State of the Results view.
    public ResultsViewModel results() {
        return results;
    }

    /// State of the Timeline view.
    public TimelineViewModel timeline() {
        return timeline;
    }

    /// State of the Devices view.
    public DevicesViewModel devices() {
        return devices.model();
    }

    public SuitesViewModel suites() {
        return suites.model();
    }

    /// Every action of the window.
    DesktopActions actions() {
        return actions;
    }

    /// Shows short messages.
    public Notifier notifier() {
        return notifications;
    }

    private void show(NavigationRail.View chosen) {
        view.select(chosen);
        if (chosen == NavigationRail.View.TIMELINE) {
            newest.fillTimeline();
        }
        view.show();
        context.work().measuring().showView(chosen.besideExperiment());
        place();
    }

    /// Nothing moves while a blacked out experiment runs.
    private boolean isQuiet() {
        return bench.state().get().isRunning() && bench.live().mode().get() == LiveMode.BLACKOUT;
    }

    private void place() {
        topBar.setPlace(breadcrumb.of(view.get()));
    }

    private void listed(boolean loading) {
        if (!loading) {
            bench.designer().setHistory(results.own());
            newest.listed();
        }
    }

    private void resultOpened(@Nullable OpenedExperiment opened) {
        newest.resultOpened(opened);
        place();
    }

    @Override
    public void showTimeline(ExperimentRecord experiment, int run) {
        timeline.open(experiment, run);
        show(NavigationRail.View.TIMELINE);
        timelineView.focusRows();
    }

    @Override
    public void showRequest(ExperimentRecord experiment, int run, int request) {
        timeline.open(experiment, run, request);
        show(NavigationRail.View.TIMELINE);
        timelineView.focusRows();
    }

    @Override
    public void runQuick() {
        show(NavigationRail.View.BENCH);
        bench.runQuick();
    }

    public void run() {
        show(NavigationRail.View.BENCH);
        benchView.run();
    }

    public void stop() {
        benchView.stop();
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
        bundles.imports().take(List.of(file));
    }

    public void saveBundle() {
        bundles.save();
    }

    public void importResult() {
        show(NavigationRail.View.RESULTS);
        resultsView.importResult();
    }

    public void compare() {
        show(NavigationRail.View.RESULTS);
        resultsView.compare();
    }

    @Override
    public void openSamples() {
        results.close();
        results.filter().samplesOnly();
        show(NavigationRail.View.RESULTS);
    }

    @Override
    public void openResult(Path folder) {
        results.open(folder);
        show(NavigationRail.View.RESULTS);
    }

    public void saveReport() {
        if (view.is(NavigationRail.View.BENCH)) {
            benchView.saveReport();
        } else {
            resultsView.saveReport();
        }
    }

    public void exportSchedulers() {
        show(NavigationRail.View.RESULTS);
        resultsView.exportSchedulers();
    }

    public void copyCommand() {
        benchView.copyCommand();
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

    public void showDevices() {
        show(NavigationRail.View.DEVICES);
        devices.focusFirst();
    }

    public void showReport() {
        show(NavigationRail.View.REPORT);
        report.focusFirst();
    }

    public void showEngines() {
        show(NavigationRail.View.ENGINES);
        engines.focusFirst();
    }

    public void showSuites() {
        show(NavigationRail.View.SUITES);
        suites.focusFirst();
    }

    public void copyDevices() {
        show(NavigationRail.View.DEVICES);
        devices.copyText();
    }

    public void toggleEvents() {
        show(NavigationRail.View.TIMELINE);
        timelineView.toggleEvents();
    }

    public void showWholeTimeline() {
        show(NavigationRail.View.TIMELINE);
        timeline.visible().showAll();
    }

    @Override
    public void openNewest() {
        newest.open();
    }

    public void find() {
        switch (view.get()) {
            case ENGINES -> engines.find();
            case SUITES -> suites.find();
            case BENCH, RESULTS, TIMELINE, DEVICES, REPORT -> {
                show(NavigationRail.View.RESULTS);
                resultsView.find();
            }
        }
    }

    public void refresh() {
        bench.refreshEngines();
        results.refresh();
        devices.model().refresh();
    }

    public void toggleDesigner() {
        show(NavigationRail.View.BENCH);
        benchView.toggleDesigner();
    }

    /// What is open now.
    Session.Open open() {
        OpenedExperiment opened = results.opened().get();
        return new Session.Open(view.get(), opened == null ? null : opened.record().folder(),
                bench.designer().edited().get(), bench.designer().machine().written());
    }

    /// Whether the next start shall show what is open.
    boolean restoresSessions() {
        return preferences.restore().get();
    }

    /// Shows what was open in an earlier session.
    void restore(Session.Open open) {
        bench.designer().restore(open.designed(), open.machine());
        if (open.result() != null) {
            results.open(open.result());
        }
        show(open.view());
    }

    /// Finds every action, preset and result by a few characters.
    public void openPalette() {
        bench.designer().presets().refresh(notifications);
        palette.open();
    }

    /// Fills the designer from a preset.
    void designPreset(PresetViewModel.PresetChoice preset) {
        show(NavigationRail.View.BENCH);
        bench.designer().presets().chosen().set(preset);
    }

    public void quit() {
        context.quit().run();
    }
}
