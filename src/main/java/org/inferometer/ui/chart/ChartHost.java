package org.inferometer.ui.chart;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.animation.PauseTransition;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;
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
import org.inferometer.results.bundle.SavedLook.ChartLook;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.chart.VisiblePart.DrawnPart;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Shows one chart with its legend: one redraw per change of data, series or zoom, none while the window is being resized.
///
/// Moving the pointer draws on an overlay only. Hidden series and the zoom survive new data. Belongs to the JavaFX thread. [#dispose]
/// removes all listeners.
public final class ChartHost extends Region {
    private static final Duration RESIZE_SETTLES = Duration.millis(120);

    private final ChartTools tools;
    private final ObservableValue<Double> textScale;
    private final ChangeListener<Double> textScaleChanged = (observed, before, now) -> recompose();
    private final Label message = Panes.styled(new Label(Messages.text("chart.waiting")), StyleClasses.CHART_MESSAGE);
    private final PauseTransition settled = new PauseTransition(RESIZE_SETTLES);
    private final ChangeListener<ChartRenderer.Shade> shadeChanged = (observed, before, now) -> recompose();
    private final CrosshairOverlay overlay = new CrosshairOverlay();
    private final RequestsAtCrosshair requests;
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
    private final ChartHeader header = new ChartHeader(zoom::fit);
    private final RangeBar rangeBar = new RangeBar(this);
    private final DrawnPart drawn = new DrawnPart();
    private final ShownData shown = new ShownData();
    private List<ChartHost> sharing = List.of(this);
    private final ChartTableView table = new ChartTableView();
    private @Nullable ChartDrawing drawing;
    private Runnable maximiser = () -> {};
    private Runnable onChange = () -> {};
    private boolean asTable;
    private boolean live;
    private boolean maximised;
    private boolean changed;

    /// A chart without data.
    public ChartHost(ChartTools tools) {
        this.tools = tools;
        textScale = tools.window().textScale();
        textScale.addListener(textScaleChanged);
        requests = new RequestsAtCrosshair(this, tools);
        getStyleClass().add(StyleClasses.CHART_HOST);
        message.setWrapText(true);
        message.setAlignment(Pos.CENTER);
        table.setVisible(false);
        getChildren().addAll(message, header, table, overlay, rangeBar);
        setMinSize(120, 80);
        setPrefSize(420, 200);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        setAccessibleText(message.getText());
        settled.setOnFinished(event -> recompose());
        tools.shade().addListener(shadeChanged);
        ChartGestures.install(this);
        setOnContextMenuRequested(event -> {
            if (data() != null) {
                if (!crosshair.pinned() && !event.isKeyboardTrigger()) {
                    crosshair.move(event.getX(), event.getY());
                }
                menu().show(this, event.getScreenX(), event.getScreenY());
            }
        });
    }

    /// Shows new data with one redraw; null goes back to waiting. A chart over another x axis starts without zoom.
    public void setData(@Nullable ChartData chart) {
        ChartData before = data();
        if (chart != null && before != null && !ShownData.sameAxis(chart, before)) {
            zoom.reset();
        }
        if (chart != null && before != null && !chart.id().equals(before.id())) {
            crosshair.release();
        }
        shown.replace(chart);
        if (chart == null) {
            hideDrawing(Messages.text("chart.waiting"));
        } else {
            drawn.keep(chart);
            message.setVisible(false);
            requestLayout();
            recompose();
        }
    }

    /// The whole data, or null while it waits.
    public @Nullable ChartData data() {
        return shown.whole();
    }

    /// What is seen: without hidden series, within the zoom; null while it waits.
    public @Nullable ChartData visibleData() {
        return shown.within(zoom.range());
    }

    /// Shows a message instead of a chart.
    public void setMessage(String sentence) {
        shown.replace(null);
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

    /// Notifies one listener of other data, another zoom and the table.
    void onChange(Runnable listener) {
        onChange = listener;
    }

    /// Draws with the next layout, without waiting for its size to settle. A maximised chart has a legend of its own.
    void setMaximised(boolean over) {
        maximised = over;
        change();
    }

    /// Shows and hides series together with other charts, which have the same; their legend stands elsewhere.
    void share(ChartHost first, List<ChartHost> all) {
        shown.share(first.shown);
        sharing = List.copyOf(all);
        change();
    }

    /// Fills a legend of the charts that share it.
    void feed(ChartLegend outside) {
        header.feed(outside);
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
        textScale.removeListener(textScaleChanged);
        settled.stop();
        crosshair.dispose();
        removeDrawing();
        shown.replace(null);
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
        return data() != null && area() != null && !tableShown() && ends().isPresent();
    }

    private Optional<AxisRange> ends() {
        return shown.ends();
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

    /// Its zoom and hidden series; empty without either.
    ///
    /// @param id names the chart
    Optional<ChartLook> look(String id) {
        ChartData chart = data();
        List<String> hidden = chart == null ? List.of() : shown.selection().hiddenOf(chart);
        Optional<AxisRange> range = zoom.range();
        return hidden.isEmpty() && range.isEmpty() ? Optional.empty() : Optional.of(new ChartLook(id,
                range.map(AxisRange::lower).orElse(null), range.map(AxisRange::upper).orElse(null), hidden));
    }

    /// Begins with a zoom and hidden series, as far as the data have them.
    void begin(ChartLook look) {
        ChartData chart = data();
        Double from = look.from();
        Double to = look.to();
        if (chart != null) {
            shown.selection().hide(look.hidden(), chart);
            if (from != null && to != null) {
                zoom.begin(new AxisRange(from, to), chart.x().logarithmic());
            }
            sharing.forEach(ChartHost::change);
        }
    }

    SeriesSelection selection() {
        return shown.selection();
    }

    /// Hides or shows a series; alone if isolated.
    void chooseSeries(String name, boolean isolate) {
        shown.choose(name, isolate);
        sharing.forEach(ChartHost::change);
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
        withVisible(chart -> ExportPane.open(tools, chart, getWidth(), getHeight()));
    }

    void copyImage() {
        withVisible(chart -> ExportPane.copy(tools, chart));
    }

    /// Copies the data of the marked range, else what is seen.
    void copyData() {
        rangeBar.range().ifPresentOrElse(range -> rangeBar.copy(),
                () -> withVisible(chart -> ExportPane.copyData(tools, chart)));
    }

    void copyData(AxisRange range) {
        ChartData part = shown.within(Optional.of(range));
        if (part != null) {
            ExportPane.copyData(tools, part);
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

    private boolean isShown() {
        return getScene() != null && getScene().getWindow() != null && getScene().getWindow().isShowing();
    }

    private void recompose() {
        ChartData chart = data();
        ChartData visible = shown.selected();
        if (chart == null || visible == null || getWidth() < 1 || getHeight() < 1) {
            return;
        }
        changed = false;
        try {
            ChartDrawing fresh = compose(drawn.of(visible, zoom.range(), devicePixels()));
            header.showZoom(zoom.range().isPresent(), live);
            header.list(legendOf(chart, fresh), this::chooseSeries);
            double top = headerHeight();
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
        crosshair.read(visible);
        setAccessibleText(ChartTable.sentence(visible));
        crosshair.place(tableShown() ? null : area());
        rangeBar.place();
        onChange.run();
        requestLayout();
    }

    /// All series, hidden ones too.
    private ChartHeader.LegendSource legendOf(ChartData chart, ChartDrawing fresh) {
        return new ChartHeader.LegendSource(chart, shown.selection(), live, tools.shade().getValue(),
                shown.isWhole() ? () -> fresh : () -> compose(SeriesSelection.withoutSamples(chart)));
    }

    private ChartDrawing compose(ChartData chart) {
        return ChartDrawing.compose(tools, chart, textScale.getValue(), devicePixels());
    }

    private double headerHeight() {
        header.showLegend(sharing.size() == 1 || maximised);
        return header.prefHeight(getWidth());
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
        rangeBar.clear();
        header.clear();
        table.setVisible(false);
        message.setText(sentence);
        message.setVisible(true);
        setAccessibleText(sentence);
        onChange.run();
    }

    /// The values at the crosshair are the accessible text while they are shown.
    private void describe(Optional<Readout> readout) {
        ChartData visible = shown.selected();
        if (visible != null) {
            setAccessibleText(readout.map(Readout::lines).orElseGet(() -> ChartTable.sentence(visible)));
        }
    }

    @Override
    protected void layoutChildren() {
        double top = headerHeight();
        layoutInArea(message, 12, 12, Math.max(0, getWidth() - 24), Math.max(0, getHeight() - 24), 0, HPos.CENTER,
                VPos.CENTER);
        header.resizeRelocate(0, 0, getWidth(), top);
        overlay.resizeRelocate(0, 0, getWidth(), getHeight());
        table.resizeRelocate(0, top, getWidth(), Math.max(0, getHeight() - top));
        boolean first = data() != null && drawing == null && !message.isVisible();
        if (first && isShown() && !tools.window().turns().take(this::requestLayout)) {
            return;
        }
        if (changed || first) {
            recompose();
        } else if (drawing != null && (drawing.node().getWidth() != Math.floor(getWidth())
                || drawing.node().getHeight() != Math.max(1, Math.floor(getHeight() - top)))) {
            settled.playFromStart();
        }
    }
}
