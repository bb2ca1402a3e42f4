package org.inferometer.ui.shell;

import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Alert;
import javafx.scene.layout.BorderPane;
import org.inferometer.report.charts.RequestLookup.ChartRequest;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.ui.bench.BenchView;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.bench.BenchViewModel;
import org.inferometer.ui.bench.LiveMode;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.ChartWindow;
import org.inferometer.ui.chart.DrawTurns;
import org.inferometer.ui.chart.FocusedChart;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.ImportViewModel;
import org.inferometer.ui.results.PinnedResults;
import org.inferometer.ui.results.ReportSaver;
import org.inferometer.ui.results.ResultActions;
import org.inferometer.ui.results.ResultsView;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.shell.NewestResult.LatestRun;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.ui.timeline.TimelineView;
import org.inferometer.ui.timeline.TimelineViewModel;

/// The views of the window with their models. Belongs to the JavaFX thread.
final class WindowParts {
    final BenchViewModel bench;
    final ResultsViewModel results;
    final ComparisonViewModel comparison;
    final TimelineViewModel timeline;
    final BenchView benchView;
    final ResultsView resultsView;
    final TimelineView timelineView;
    final NewestResult newest;
    final ImportViewModel imports;
    final ShownState shown;
    final BundleActions bundles;
    final DevicesPane devices;
    final ReportPane report;
    final EnginesPane engines;
    final SuitesPane suites;
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
                new WindowOfCharts(navigation, services.settings(), frame, context.appearance(), new DrawTurns()), "");
        OtherMachines machines = new OtherMachines(services.machines(), services.settings(), context.work());
        bench = new BenchViewModel(services.designer(), services.results(), context.work(), context.ticks(),
                services.clock(), Runtime.getRuntime().availableProcessors(), machines);
        results = new ResultsViewModel(services.results(), context.work());
        ReportSaver reports = new ReportSaver(tools, services.results());
        comparison = new ComparisonViewModel(services.results(), context.work(), results::knownByName);
        timeline = new TimelineViewModel(context.work());
        benchView = new BenchView(bench, reports, context.questions(), navigation, machine);
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
        devices = new DevicesPane(services.devices(), machines, context, notifications);
        report = new ReportPane(services.results().reports(), results, comparison, bundles, context.work(),
                context.dialogs(), notifications);
        engines = new EnginesPane(services, bench, context, notifications, showBench);
        suites = new SuitesPane(services, machines, bench, context, notifications, showBench, navigation::openResult);
        suites.model().session().onEnded(results::refresh);
        bench.onExperimentEnded(results::refresh);
        addTo(view);
    }

    private void addTo(ShownView view) {
        Node benchNode = benchView.createView();
        view.add(NavigationRail.View.BENCH, () -> benchNode, bench::setShowing);
        view.add(NavigationRail.View.RESULTS, resultsView.createView());
        view.add(NavigationRail.View.TIMELINE, timelineView.createView());
        view.add(NavigationRail.View.DEVICES, devices::node, devices::setShowing);
        view.add(NavigationRail.View.REPORT, report::node, report::setShowing);
        view.add(NavigationRail.View.ENGINES, engines::node, engines::setShowing);
        view.add(NavigationRail.View.SUITES, suites::node, suites::setShowing);
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
        return Bindings.createBooleanBinding(
                () -> bench.state().get().isRunning() || suites.model().session().running().get(), bench.state(),
                suites.model().session().running());
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
