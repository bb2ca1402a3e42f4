package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Alert;
import javafx.scene.layout.BorderPane;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.quality.QualityProcess;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.ui.bench.BenchView;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindow;
import org.inferometer.ui.chart.DrawTurns;
import org.inferometer.ui.chart.FocusedChart;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.devices.DevicesView;
import org.inferometer.ui.devices.DevicesViewModel;
import org.inferometer.ui.engines.CalibrationDialog;
import org.inferometer.ui.engines.EnginesView;
import org.inferometer.ui.engines.EnginesViewModel;
import org.inferometer.ui.engines.EnginesViewModel.EngineSource;
import org.inferometer.ui.engines.PromptViewModel;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.fx.UiThread;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.report.ReportView;
import org.inferometer.ui.report.ReportViewModel;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ImportViewModel;
import org.inferometer.ui.results.PinnedResults;
import org.inferometer.ui.results.ReportSaver;
import org.inferometer.ui.results.ReportSubject;
import org.inferometer.ui.results.ResultActions;
import org.inferometer.ui.results.ResultBundles;
import org.inferometer.ui.results.ResultsView;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.servers.KnownServers;
import org.inferometer.ui.servers.ServersPane;
import org.inferometer.ui.shell.NewestResult.LatestRun;
import org.inferometer.ui.suites.SuitesView;
import org.inferometer.ui.suites.SuitesViewModel;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices;
import org.inferometer.ui.suites.SuitesViewModel.SuiteServices.SuitePlaces;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.ui.timeline.TimelineView;
import org.inferometer.ui.timeline.TimelineViewModel;

/// The views of the window with their models. Belongs to the JavaFX thread.
final class WindowParts {
    private static final String SUITE = "suite-folder";
    final BenchViewModel bench;
    final ResultsViewModel results;
    final ComparisonViewModel comparison;
    final TimelineViewModel timeline;
    final BenchView benchView;
    private final KnownServers servers;
    final ResultsView resultsView;
    final TimelineView timelineView;
    final NewestResult newest;
    final ImportViewModel imports;
    final ShownState shown;
    final BundleActions bundles;
    final DevicesViewModel devices;
    final DevicesView devicesView;
    final ReportViewModel report;
    final ReportView reportView;
    final EnginesViewModel engines;
    final EnginesView enginesView;
    final SuitesViewModel suites;
    final SuitesView suitesView;
    final NotificationArea notifications;
    final NoticeLog notices;
    final FocusedChart charts = new FocusedChart();
    final RecentFiles recent;
    final UndoStack undo = new UndoStack();
    private boolean window = true;
    final ObjectProperty<MachineSummary> machine = new SimpleObjectProperty<>(MachineSummary.UNKNOWN);

    /// Builds them; nothing is read yet.
    ///
    /// @param frame owner of dialogs
    /// @param view receives the views
    /// @param showBench shows the Bench view
    WindowParts(DesktopServices services, DesktopWindow.WindowContext context, BorderPane frame, ShownView view,
            Navigation navigation, Runnable showBench) {
        notices = new NoticeLog(services.clock());
        notifications = new NotificationArea(context.ticks(), notices, this::isQuiet,
                context.appearance().textSize().map(TextSize::scale));
        ChartTools tools = new ChartTools(services.composer(), services.renderer(), context.appearance().shade(),
                context.dialogs(), context.work(), notifications,
                new WindowOfCharts(navigation, services.settings(), frame, context.appearance(), new DrawTurns()), "",
                "");
        OtherMachines machines = new OtherMachines(services.machines(), services.settings(), context.work());
        bench = new BenchViewModel(services.designer(), services.results(), context.work(), context.ticks(),
                services.clock(), Runtime.getRuntime().availableProcessors(), machines);
        results = new ResultsViewModel(services.results(), context.work());
        ReportSaver reports = new ReportSaver(tools, services.results().reports());
        comparison = new ComparisonViewModel(services.results(), context.work(), results::knownByName);
        timeline = new TimelineViewModel(context.work());
        servers = new KnownServers(services.machines()::probe, services.settings(), context.work());
        benchView = new BenchView(bench, reports, context.questions(), navigation, machine, servers);
        imports = new ImportViewModel(results, services.results().folder(), context.work(), services.clock(),
                notifications, this::showBundle);
        ResultActions actions =
                new ResultActions(results, notifications, undo, services.clock(), context.appearance()::dress);
        resultsView = new ResultsView(results, imports, comparison, reports, navigation, services.settings(), actions,
                new PinnedResults(undo));
        bench.onDiscarded(actions::discard);
        timelineView = new TimelineView(timeline, navigation, tools);
        recent = new RecentFiles(services.settings(), context.work());
        shown = new ShownState(services.results(), context.work(), results, comparison, resultsView, timeline);
        bundles = new BundleActions(services, context, shown, notifications, recent::add);
        newest = new NewestResult(results, timeline, new LatestRun(results, services.results(), context.work()),
                notifications, () -> view.is(NavigationRail.View.TIMELINE));
        devices = new DevicesViewModel(services.devices(), context.work(), context.ticks());
        devicesView = new DevicesView(devices, machines, notifications);
        report = new ReportViewModel(services.results().reports(), context.work(), notifications);
        reportView = new ReportView(report, context.dialogs(),
                () -> bundles.save(new ResultBundles.Wish(report.shareSafe().get(), report.texts().notes().get())),
                () -> results.newest().ifPresentOrElse(results::open,
                        () -> notifications.problem(text("timeline.no-results"))));
        results.opened().addListener((observed, before, now) -> followReport());
        comparison.title().addListener((observed, before, now) -> followReport());
        DesignerServices designer = services.designer();
        engines = new EnginesViewModel(new EngineSource(designer.engines(), designer.engineFolder()), context.work(),
                notifications, new QualityProcess(services.prompts().program(), services.prompts().workspace()),
                services.clock(), bench::refreshEngines);
        enginesView = enginesView(services, context, showBench);
        suites = new SuitesViewModel(suiteServices(services, machines, context.work().ui()), context.work(),
                notifications);
        suitesView = new SuitesView(suites, context.dialogs(), context.questions(), bench.designer()::spec, spec -> {
            bench.designer().load(spec);
            showBench.run();
        }, navigation::openResult);
        suites.suite().addListener((observed, before, now) -> {
            if (now != null) {
                services.settings().put(SUITE, now.folder().toAbsolutePath().toString());
            }
        });
        suites.session().onEnded(results::refresh);
        bench.onExperimentEnded(results::refresh);
        addTo(view, services.settings());
    }

    private EnginesView enginesView(DesktopServices services, DesktopWindow.WindowContext context, Runnable showBench) {
        return new EnginesView(engines, context.dialogs(),
                new CalibrationDialog(context.dialogs(), context.work(), context.appearance()::dress),
                context.questions(), bench.state().map(state -> state.isRunning() ? text("unavailable.running") : ""),
                engine -> {
                    // The engine alone.
                    for (EngineChoice choice : bench.designer().engines().all()) {
                        choice.selected().set(choice.name().equals(engine));
                    }
                    showBench.run();
                }, command -> {
                    TextClipboard.copy(command);
                    notifications.done(text("engines.copied", command));
                }, new ServersPane(servers, server -> {
                    // Beside what the designer has.
                    bench.designer().addTarget(server);
                    showBench.run();
                }).createView(), new PromptViewModel(services.prompts(), context.work()));
    }

    private SuiteServices suiteServices(DesktopServices services, OtherMachines machines, UiThread ui) {
        Path folder = services.results().folder();
        SuitePlaces places = new SuitePlaces(new ShownInBench(services.designer().benchmarks(), "", bench, ui),
                machines, machine -> new ShownInBench(machines.benchmarks(machine), machine.label(), bench, ui),
                services.machines()::slurm, services.machines()::jobs, services.machines().environment());
        return new SuiteServices(places,
                () -> services.designer().engines().get().stream()
                        .sorted(Comparator.comparing(entry -> entry.state() != EngineEntry.State.BUILT))
                        .map(EngineEntry::name).toList(),
                folder.resolveSibling("suites"), folder, services.clock());
    }

    private void addTo(ShownView view, Settings settings) {
        view.add(NavigationRail.View.BENCH, benchView.createView(), bench::setShowing);
        view.add(NavigationRail.View.RESULTS, resultsView.createView(), shown -> {});
        view.add(NavigationRail.View.TIMELINE, timelineView.createView(), shown -> {});
        view.add(NavigationRail.View.DEVICES, devicesView.createView(), devices::setShowing);
        view.add(NavigationRail.View.REPORT, reportView.createView(), shown -> {
            followReport();
            report.setShowing(shown);
        });
        view.add(NavigationRail.View.ENGINES, enginesView.createView(), onFirstShow(engines::refresh));
        view.add(NavigationRail.View.SUITES, suitesView.createView(), onFirstShow(() -> {
            suites.refreshEngines();
            settings.get(SUITE).map(Path::of).filter(Files::isDirectory).ifPresent(suites::open);
        }));
    }

    private static Consumer<Boolean> onFirstShow(Runnable read) {
        AtomicBoolean wasShown = new AtomicBoolean();
        return shown -> {
            if (shown && !wasShown.getAndSet(true)) {
                read.run();
            }
        };
    }

    private void followReport() {
        report.choose(ReportSubject.of(results, comparison));
    }

    private void showBundle(BundleReader.Unpacked bundle) {
        bundles.show(bundle);
    }

    /// Begins to read engines, results and the machine in the background.
    void read(DesktopServices services, DesktopWindow.WindowContext context) {
        bench.refreshEngines();
        results.refresh();
        context.work().run(WindowWork.OWN, () -> services.machine().get(), machine::set,
                failure -> machine.set(MachineSummary.UNKNOWN));
    }

    /// Whether an experiment or a suite goes on.
    ObservableValue<Boolean> measuring() {
        return Bindings.createBooleanBinding(() -> bench.state().get().isRunning() || suites.session().running().get(),
                bench.state(), suites.session().running());
    }

    /// Without a window nothing is drawn and no timer of it runs.
    void setWindow(boolean open) {
        window = open;
        bench.setWindow(open);
    }

    boolean hasWindow() {
        return window;
    }

    /// Nothing moves without a window, and while a blacked out experiment runs.
    private boolean isQuiet() {
        return !window || (bench.state().get().isRunning() && bench.live().mode().get() == LiveMode.BLACKOUT);
    }

    /// Ends charts and timers.
    void dispose() {
        devices.dispose();
        benchView.dispose();
        resultsView.dispose();
    }

    /// What charts need of the window.
    ///
    /// @param frame owner of dialogs
    /// @param turns the order in which charts are first drawn
    private record WindowOfCharts(Navigation navigation, Settings settings, Node frame, Appearance appearance,
            DrawTurns turns) implements ChartWindow {
        @Override
        public ObservableValue<Double> textScale() {
            return appearance.textSize().map(TextSize::scale);
        }

        @Override
        public void showRequest(ChartRequest request) {
            navigation.showRequest(request.experiment(), request.run(), request.request());
        }

        @Override
        public void showCalibration() {
            navigation.showCalibration();
        }

        @Override
        public Runnable showDialog(String title, Parent content) {
            Alert dialog = InfoDialog.of(title, "", content, frame, appearance);
            dialog.setHeaderText(null);
            dialog.setResizable(true);
            dialog.show();
            return dialog::close;
        }

        @Override
        public Optional<String> setting(String key) {
            return settings.get(key);
        }

        @Override
        public void remember(String key, String value) {
            settings.put(key, value);
        }
    }
}
