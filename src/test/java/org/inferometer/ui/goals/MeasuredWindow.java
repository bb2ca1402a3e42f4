package org.inferometer.ui.goals;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.TabPane;
import org.inferometer.ui.chart.ChartHost;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.shell.Desktop;
import org.inferometer.ui.shell.DesktopServices;
import org.inferometer.ui.shell.DesktopWindow;
import org.jspecify.annotations.Nullable;

/// A shown window and what checks do with it. Methods belong to the JavaFX thread unless they wait.
///
/// @param large folder of the generated result
record MeasuredWindow(DesktopWindow content, Scene scene, FxProbe probe, DesktopServices services, Path large) {
    /// Waits until the window is shown and has listed its results.
    static MeasuredWindow of(Desktop desktop, DesktopServices services, FxProbe probe) throws InterruptedException {
        MeasuredWindow window = new MeasuredWindow(desktop.window(), probe.call(desktop::scene), probe, services,
                services.results().folder().resolve(GeneratedExperiment.ID));
        probe.until("results listed", () -> !window.content.results().loading().get());
        return window;
    }

    void hide() {
        scene.getWindow().hide();
    }

    @Nullable
    Node node(String selector) {
        return scene.lookup(selector);
    }

    /// Whether every chart of a node that is shown has its drawing.
    boolean chartsDrawn(String selector) {
        Node within = node(selector);
        if (within == null) {
            return false;
        }
        List<ChartHost> charts = within.lookupAll(".chart-host").stream().filter(ChartHost.class::isInstance)
                .map(ChartHost.class::cast).filter(ChartHost::isVisible).toList();
        return !charts.isEmpty() && charts.stream().allMatch(ChartHost::isDrawn);
    }

    /// The shown charts of a node that have their drawing.
    List<ChartHost> charts(String selector) {
        return Objects.requireNonNull(node(selector)).lookupAll(".chart-host").stream()
                .filter(ChartHost.class::isInstance).map(ChartHost.class::cast).filter(ChartHost::isDrawn)
                .filter(MeasuredWindow::isShown).toList();
    }

    private static boolean isShown(Node node) {
        return node.isVisible() && (node.getParent() == null || isShown(node.getParent()));
    }

    /// Opens the generated result and waits for its charts. Called by the measuring thread.
    OpenedExperiment open() throws InterruptedException {
        probe.run(() -> content.openResult(large));
        probe.until("charts drawn", () -> content.results().opened().get() != null && chartsDrawn("#result-detail"));
        probe.pulse(scene);
        return probe.call(() -> Objects.requireNonNull(content.results().opened().get()));
    }

    /// Closes it. Called by the measuring thread.
    void close() throws InterruptedException {
        probe.run(() -> content.results().close());
        probe.until("result closed", () -> node("#result-detail") == null);
        probe.pulse(scene);
    }

    /// Selects a tab of the open result.
    void selectTab(String id) {
        TabPane tabs = (TabPane) Objects.requireNonNull(node("#detail-tabs"));
        tabs.getTabs().stream().filter(tab -> id.equals(tab.getId())).forEach(tabs.getSelectionModel()::select);
    }
}
