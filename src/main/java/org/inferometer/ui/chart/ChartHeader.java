package org.inferometer.ui.chart;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javafx.scene.control.Button;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartRenderer;
import org.inferometer.report.charts.SeriesStyles;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The line above a plot: its legend, and at the right the button that leaves the zoom. Without both it has no height.
final class ChartHeader extends Region {
    private static final double MARGIN = 8;
    private final ChartLegend legend = new ChartLegend();
    private final ZoomButton zoomButton;
    private @Nullable ChartLegend sharedLegend;
    private List<Object> listed = List.of();

    /// Where the entries of a legend come from.
    ///
    /// @param live whether new data keep coming
    /// @param drawing of all series, hidden ones too
    record LegendSource(ChartData chart, SeriesSelection selection, boolean live, ChartRenderer.Shade shade,
            Supplier<ChartDrawing> drawing) {
        /// A live chart leaves out finished runs, which stand behind the current one and are named once over all charts. What is faint in
        /// slate belongs to the current run: its prompt tokens, its P95.
        private List<ChartDrawing.LegendEntry> current(List<ChartDrawing.LegendEntry> all) {
            List<String> finished = !live ? List.of()
                    : SeriesSelection
                            .of(chart).stream().filter(series -> series.look() instanceof ChartData.SeriesStyle style
                                    && style.isFaint() && style.colour() < SeriesStyles.SLOTS)
                            .map(SeriesSelection.Series::name).toList();
            return all.stream().filter(entry -> !finished.contains(entry.name())).toList();
        }
    }

    /// @param fit leaves the zoom
    ChartHeader(Runnable fit) {
        zoomButton = new ZoomButton(fit);
        setManaged(false);
        setPickOnBounds(false);
        getChildren().addAll(legend, zoomButton);
    }

    /// Fills a legend elsewhere too, which several charts share.
    void feed(ChartLegend outside) {
        sharedLegend = outside;
        listed = List.of();
    }

    /// Lists all series; the nodes are made again only if series or theme differ.
    ///
    /// @param clicked takes the name, and whether to isolate it
    void list(LegendSource source, BiConsumer<String, Boolean> clicked) {
        List<Object> now = List.of(SeriesSelection.of(source.chart()), source.shade(), source.chart().id());
        if (!now.equals(listed)) {
            listed = now;
            ChartDrawing whole = source.drawing().get();
            legend.list(source.current(whole.legend()), clicked);
            if (sharedLegend != null) {
                sharedLegend.list(whole.legend(), clicked);
            }
        }
        legend.mark(source.selection()::isHidden);
        if (sharedLegend != null) {
            sharedLegend.mark(source.selection()::isHidden);
        }
    }

    /// Shows the legend, or not where it stands elsewhere.
    void showLegend(boolean shown) {
        legend.setVisible(shown);
    }

    void showZoom(boolean zoomed, boolean live) {
        zoomButton.show(zoomed, live);
        requestLayout();
    }

    /// Without legend and button.
    void clear() {
        zoomButton.setVisible(false);
        legend.getChildren().clear();
        listed = List.of();
    }

    private double legendWidth(double width) {
        double button = zoomButton.isVisible() ? Math.ceil(zoomButton.prefWidth(-1)) + MARGIN : 0;
        return Math.max(0, width - 2 * MARGIN - button);
    }

    @Override
    protected double computePrefHeight(double width) {
        double button = 0;
        if (zoomButton.isVisible()) {
            zoomButton.applyCss();
            button = Math.ceil(zoomButton.prefHeight(-1));
        }
        if (legend.getChildren().isEmpty() || !legend.isVisible()) {
            return button;
        }
        legend.applyCss();
        return Math.max(button, Math.ceil(legend.prefHeight(legendWidth(width))));
    }

    @Override
    protected void layoutChildren() {
        legend.resizeRelocate(MARGIN, 0, legendWidth(getWidth()), getHeight());
        zoomButton.autosize();
        zoomButton.relocate(Math.floor(getWidth() - zoomButton.getWidth() - MARGIN), 0);
    }

    /// Leaves the zoom: "Show all", or "Follow live" of a chart whose data keep coming. Seen only while a chart is zoomed.
    static final class ZoomButton extends Button {
        private final Tooltip keys = new Tooltip();

        ZoomButton(Runnable fit) {
            getStyleClass().add(StyleClasses.ZOOM_BUTTON);
            setManaged(false);
            setVisible(false);
            setFocusTraversable(false);
            setTooltip(keys);
            setOnAction(event -> fit.run());
        }

        void show(boolean zoomed, boolean live) {
            setVisible(zoomed);
            setText(Messages.text(live ? "chart.follow-live" : "chart.fit"));
            keys.setText(Messages.text(live ? "chart.follow-live.tooltip" : "chart.fit.tooltip"));
        }
    }
}
