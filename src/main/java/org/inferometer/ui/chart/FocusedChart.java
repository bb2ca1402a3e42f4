package org.inferometer.ui.chart;

import static org.inferometer.ui.fx.Messages.text;

import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.MenuBar;
import org.jspecify.annotations.Nullable;

/// The chart with the focus, on which menu and palette act. It stays while the menu bar has the focus. Belongs to the JavaFX thread.
public final class FocusedChart {
    private final ReadOnlyStringWrapper noChart = new ReadOnlyStringWrapper(text("unavailable.no-chart"));
    private final ReadOnlyStringWrapper noZoom = new ReadOnlyStringWrapper(text("unavailable.no-chart"));
    private final ReadOnlyStringWrapper follows = new ReadOnlyStringWrapper(text("unavailable.no-live-chart"));
    private final Runnable changed = this::judge;
    private @Nullable ChartHost chart;

    /// Follows the focus of a scene from now on.
    public void follow(Scene scene) {
        scene.focusOwnerProperty().subscribe(this::focused);
    }

    private void focused(@Nullable Node owner) {
        if (owner instanceof MenuBar) {
            return;
        }
        Node node = owner;
        while (node != null && !(node instanceof ChartHost)) {
            node = node.getParent();
        }
        if (chart != null) {
            chart.onChange(() -> {});
        }
        chart = node instanceof ChartHost host ? host : null;
        if (chart != null) {
            chart.onChange(changed);
        }
        judge();
    }

    private void judge() {
        ChartHost now = chart;
        noChart.set(now == null || now.data() == null ? text("unavailable.no-chart") : "");
        noZoom.set(now == null ? text("unavailable.no-chart") : now.zoomable() ? "" : text("unavailable.no-zoom"));
        follows.set(now == null || !now.live() ? text("unavailable.no-live-chart")
                : now.zoom().range().isEmpty() ? text("unavailable.follows")
                : "");
    }

    /// Why there is no chart; empty if there is one.
    public ReadOnlyStringProperty noChart() {
        return noChart.getReadOnlyProperty();
    }

    /// Why nothing can be zoomed; empty if something can.
    public ReadOnlyStringProperty noZoom() {
        return noZoom.getReadOnlyProperty();
    }

    /// Why no live chart can be followed again; empty if one can.
    public ReadOnlyStringProperty follows() {
        return follows.getReadOnlyProperty();
    }

    /// Shows a part of the x axis.
    ///
    /// @param factor above 1 to see less of it
    public void zoom(double factor) {
        act(host -> host.zoomMiddle(factor));
    }

    /// Shows the whole x axis.
    public void fit() {
        act(host -> host.zoom().fit());
    }

    /// Leaves the zoom of a live chart.
    public void followLive() {
        act(ChartHost::followLive);
    }

    /// Shows the data as a table, or the drawing again.
    public void toggleTable() {
        act(ChartHost::toggleTable);
    }

    private void act(Consumer<ChartHost> action) {
        if (chart != null) {
            action.accept(chart);
        }
    }
}
