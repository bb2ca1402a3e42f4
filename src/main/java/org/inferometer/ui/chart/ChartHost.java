package org.inferometer.ui.chart;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.animation.PauseTransition;
import javafx.beans.value.ChangeListener;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.geometry.VPos;
import javafx.scene.AccessibleRole;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.layout.Region;
import javafx.util.Duration;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.SeriesStyles;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Shows one chart with its legend: one redraw per change of data, series or zoom, none while the window is being resized.
///
/// Moving the pointer draws on an overlay only. Hidden series and the zoom survive new data. Belongs to the JavaFX thread. [#dispose]
/// removes all listeners.
public final class ChartHost extends Region {
    private static final Duration RESIZE_SETTLES = Duration.millis(120);
    private static final double LEGEND_MARGIN = 8;

    private final ChartTools tools;
    private final Label message = new Label(Messages.text("chart.waiting"));
    private final PauseTransition settled = new PauseTransition(RESIZE_SETTLES);
    private final ChangeListener<ChartRenderer.Shade> shadeChanged = (observed, before, now) -> recompose();
    private final CrosshairOverlay overlay = new CrosshairOverlay();
    private final RequestsAtCrosshair requests;
    private final ChartLegend legend = new ChartLegend();
    private final ChartZoom zoom = new ChartZoom(new ChartZoom.ZoomedChart() {
        @Override
        public @Nullable PlotArea area() {
            return ChartHost.this.area();
        }

        @Override
        public Optional<AxisRange> ends() {
            return ChartHost.this.ends();
        }

        @Override
        public void zoomChanged() {
            change();
        }
    });
    private final Crosshair crosshair = new Crosshair(overlay, this::describe, zoom::reveal);
    private final ZoomButton zoomButton = new ZoomButton(zoom::fit);
    private final RangeBar rangeBar = new RangeBar(this);
    private final DrawnPart drawn = new DrawnPart();
    private SeriesSelection selection = new SeriesSelection();
    private List<ChartHost> sharing = List.of(this);
    private @Nullable ChartLegend sharedLegend;
    private final ChartTableView table = new ChartTableView();
    private @Nullable ChartDrawing drawing;
    private @Nullable ChartData data;
    private List<Object> listed = List.of();
    private Runnable maximiser = () -> {};
    private boolean asTable;
    private boolean live;
    private boolean maximised;
    private boolean changed;

    /// A chart without data.
    public ChartHost(ChartTools tools) {
        this.tools = tools;
        requests = new RequestsAtCrosshair(this, tools);
        getStyleClass().add(StyleClasses.CHART_HOST);
        message.getStyleClass().add(StyleClasses.CHART_MESSAGE);
        message.setWrapText(true);
        message.setAlignment(Pos.CENTER);
        table.setVisible(false);
        getChildren().addAll(message, legend, table, zoomButton, overlay, rangeBar);
        setMinSize(120, 90);
        setPrefSize(420, 200);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setAccessibleText(message.getText());
        settled.setOnFinished(event -> recompose());
        tools.shade().addListener(shadeChanged);
        ChartGestures.install(this);
        setOnContextMenuRequested(event -> {
            if (data != null) {
                if (!crosshair.pinned() && !event.isKeyboardTrigger()) {
                    crosshair.move(event.getX(), event.getY());
                }
                menu().show(this, event.getScreenX(), event.getScreenY());
            }
        });
    }

    /// Shows new data with one redraw; null goes back to waiting. A chart over another x axis starts without zoom.
    public void setData(@Nullable ChartData chart) {
        if (chart != null && data != null && !sameAxis(chart, data)) {
            zoom.reset();
        }
        if (chart != null && data != null && !chart.id().equals(data.id())) {
            crosshair.release();
        }
        data = chart;
        if (chart == null) {
            hideDrawing(Messages.text("chart.waiting"));
        } else {
            drawn.keep(chart);
            message.setVisible(false);
            requestLayout();
            recompose();
        }
    }

    private static boolean sameAxis(ChartData one, ChartData other) {
        return one.id().equals(other.id()) || (one.x().label().equals(other.x().label())
                && one.x().logarithmic() == other.x().logarithmic() && !one.x().label().isEmpty());
    }

    /// The whole data, or null while it waits.
    public @Nullable ChartData data() {
        return data;
    }

    /// What is seen: without hidden series, within the zoom; null while it waits.
    public @Nullable ChartData visibleData() {
        ChartData chart = data;
        if (chart == null) {
            return null;
        }
        ChartData visible = selection.visible(chart);
        return zoom.range().map(range -> VisiblePart.of(visible, range)).orElse(visible);
    }

    /// Shows a message instead of a chart.
    public void setMessage(String sentence) {
        data = null;
        hideDrawing(sentence);
    }

    /// Sets whether new data keep coming: then a zoom can be left by following them.
    void setLive(boolean coming) {
        live = coming;
    }

    /// Sets what shows the chart over the whole window, and back.
    void setMaximiser(Runnable toggle) {
        maximiser = toggle;
    }

    /// Draws with the next layout, without waiting for its size to settle. A maximised chart has a legend of its own.
    void setMaximised(boolean over) {
        maximised = over;
        change();
    }

    /// Shows and hides series together with other charts, which have the same; their legend stands elsewhere.
    void share(ChartHost first, List<ChartHost> all) {
        selection = first.selection;
        sharing = List.copyOf(all);
        change();
    }

    /// Fills a legend of the charts that share it.
    void feed(ChartLegend outside) {
        sharedLegend = outside;
        listed = List.of();
        change();
    }

    void toggleMaximised() {
        maximiser.run();
    }

    /// Shows the crosshair together with the other charts of a group.
    void join(ChartGroup group) {
        crosshair.join(group);
    }

    /// Menu of the chart's actions.
    public ContextMenu menu() {
        return ChartMenu.of(this, tools);
    }

    /// Removes the drawing and all listeners.
    public void dispose() {
        tools.shade().removeListener(shadeChanged);
        settled.stop();
        crosshair.dispose();
        removeDrawing();
        data = null;
        setOnContextMenuRequested(null);
    }

    Crosshair crosshair() {
        return crosshair;
    }

    RequestsAtCrosshair requests() {
        return requests;
    }

    CrosshairOverlay overlay() {
        return overlay;
    }

    /// Whether the chart is drawn.
    public boolean isDrawn() {
        return drawing != null;
    }

    /// The drawn plot; null while nothing is drawn.
    @Nullable
    PlotArea area() {
        return drawing == null ? null : drawing.area();
    }

    /// Whether its x axis is one of values that can be zoomed.
    boolean zoomable() {
        return data != null && area() != null && !tableShown() && ends().isPresent();
    }

    private Optional<AxisRange> ends() {
        ChartData chart = data;
        return chart == null ? Optional.empty() : VisiblePart.ends(selection.visible(chart));
    }

    /// Zooms at the crosshair, or in the middle.
    void zoomMiddle(double factor) {
        zoom.around(crosshair.readout().map(Readout::x).orElse(Double.NaN), factor);
    }

    /// Leaves the zoom of a live chart.
    ///
    /// @return false if it was following
    boolean followLive() {
        boolean zoomed = live && zoom.range().isPresent();
        if (zoomed) {
            zoom.fit();
        }
        return zoomed;
    }

    boolean live() {
        return live;
    }

    ChartZoom zoom() {
        return zoom;
    }

    RangeBar rangeBar() {
        return rangeBar;
    }

    SeriesSelection selection() {
        return selection;
    }

    /// Hides or shows a series; alone if isolated.
    void chooseSeries(String name, boolean isolate) {
        ChartData chart = data;
        if (chart != null) {
            if (isolate) {
                selection.isolate(name, chart);
            } else {
                selection.toggle(name, chart);
            }
            sharing.forEach(ChartHost::change);
        }
    }

    /// Shows the data as a table in place of the drawing, or the drawing again.
    void toggleTable() {
        asTable = !asTable;
        change();
    }

    boolean tableShown() {
        return asTable;
    }

    void export() {
        withVisible(chart -> ChartActions.export(tools, chart, getWidth(), getHeight()));
    }

    void copyImage() {
        withVisible(chart -> ChartActions.copyImage(tools, chart));
    }

    /// Copies the data of the marked range, else what is seen.
    void copyData() {
        rangeBar.range().ifPresentOrElse(range -> rangeBar.copy(),
                () -> withVisible(chart -> ChartActions.copyData(tools, chart)));
    }

    void copyData(AxisRange range) {
        ChartData chart = data;
        if (chart != null) {
            ChartActions.copyData(tools, VisiblePart.of(selection.visible(chart), range));
        }
    }

    /// Calls an action with what is seen, if there is anything.
    void withVisible(Consumer<ChartData> action) {
        ChartData chart = visibleData();
        if (chart != null) {
            action.accept(chart);
        }
    }

    private void change() {
        changed = true;
        requestLayout();
    }

    private void recompose() {
        ChartData chart = data;
        if (chart == null || getWidth() < 1 || getHeight() < 1) {
            return;
        }
        ChartData visible = selection.visible(chart);
        changed = false;
        try {
            ChartDrawing fresh =
                    ChartDrawing.compose(tools, drawn.of(visible, zoom.range(), devicePixels()), devicePixels());
            list(chart, fresh);
            double top = legendHeight();
            fresh.draw(top, Math.floor(getWidth()), Math.max(1, Math.floor(getHeight() - top)));
            removeDrawing();
            drawing = fresh;
            getChildren().add(1, fresh.node());
        } catch (RuntimeException e) {
            hideDrawing(Messages.text("chart.broken", String.valueOf(e.getMessage())));
            return;
        }
        message.setVisible(false);
        showTable();
        zoomButton.show(zoom.range().isPresent(), live);
        crosshair.read(visible);
        setAccessibleText(ChartTable.sentence(visible));
        crosshair.place(tableShown() ? null : area());
        rangeBar.place();
        requestLayout();
    }

    /// Lists all series; the nodes are made again only if series or theme differ.
    private void list(ChartData chart, ChartDrawing fresh) {
        List<Object> now = List.of(SeriesSelection.of(chart), tools.shade().getValue(), chart.id());
        if (!now.equals(listed)) {
            listed = now;
            boolean all = SeriesSelection.of(chart).stream().noneMatch(series -> selection.isHidden(series.name()));
            ChartDrawing whole =
                    all ? fresh : ChartDrawing.compose(tools, SeriesSelection.withoutSamples(chart), devicePixels());
            legend.list(entries(chart, whole), this::chooseSeries);
            if (sharedLegend != null) {
                sharedLegend.list(whole.legend(), this::chooseSeries);
            }
        }
        legend.mark(selection::isHidden);
        if (sharedLegend != null) {
            sharedLegend.mark(selection::isHidden);
        }
    }

    /// A live chart leaves out finished runs, which stand behind the current one and are named once over all charts. What is faint in slate
    /// belongs to the current run: its prompt tokens, its P95.
    private List<ChartDrawing.LegendEntry> entries(ChartData chart, ChartDrawing whole) {
        List<String> finished = !live ? List.of()
                : SeriesSelection
                        .of(chart).stream().filter(series -> series.look() instanceof ChartData.SeriesStyle style
                                && style.isFaint() && style.colour() < SeriesStyles.SLOTS)
                        .map(SeriesSelection.Series::name).toList();
        return whole.legend().stream().filter(entry -> !finished.contains(entry.name())).toList();
    }

    private double legendHeight() {
        boolean shown = sharing.size() == 1 || maximised;
        legend.setVisible(shown);
        if (legend.getChildren().isEmpty() || !shown) {
            return 0;
        }
        legend.applyCss();
        return Math.ceil(legend.prefHeight(getWidth() - 2 * LEGEND_MARGIN));
    }

    private int devicePixels() {
        double scale =
                getScene() == null || getScene().getWindow() == null ? 1 : getScene().getWindow().getOutputScaleX();
        return (int) Math.ceil(getWidth() * scale);
    }

    private void showTable() {
        table.setVisible(asTable);
        if (asTable) {
            withVisible(table::show);
        }
        if (drawing != null) {
            drawing.node().setVisible(!tableShown());
        }
    }

    private void removeDrawing() {
        if (drawing != null) {
            drawing.dispose();
            getChildren().remove(drawing.node());
            drawing = null;
        }
    }

    private void hideDrawing(String sentence) {
        removeDrawing();
        crosshair.release();
        crosshair.place(null);
        zoomButton.setVisible(false);
        rangeBar.clear();
        legend.getChildren().clear();
        listed = List.of();
        table.setVisible(false);
        message.setText(sentence);
        message.setVisible(true);
        setAccessibleText(sentence);
    }

    /// The values at the crosshair are the accessible text while they are shown.
    private void describe(Optional<Readout> readout) {
        ChartData chart = data;
        if (chart != null) {
            setAccessibleText(
                    readout.map(Readout::lines).orElseGet(() -> ChartTable.sentence(selection.visible(chart))));
        }
    }

    @Override
    protected void layoutChildren() {
        double top = legendHeight();
        layoutInArea(message, 12, 12, Math.max(0, getWidth() - 24), Math.max(0, getHeight() - 24), 0, HPos.CENTER,
                VPos.CENTER);
        legend.resizeRelocate(LEGEND_MARGIN, 0, Math.max(0, getWidth() - 2 * LEGEND_MARGIN), top);
        overlay.resizeRelocate(0, 0, getWidth(), getHeight());
        table.resizeRelocate(0, top, getWidth(), Math.max(0, getHeight() - top));
        zoomButton.autosize();
        zoomButton.relocate(Math.floor(getWidth() - zoomButton.getWidth() - 18), top + 10);
        if (changed || (data != null && drawing == null && !message.isVisible())) {
            recompose();
        } else if (drawing != null && (drawing.node().getWidth() != Math.floor(getWidth())
                || drawing.node().getHeight() != Math.max(1, Math.floor(getHeight() - top)))) {
            settled.playFromStart();
        }
    }
}
