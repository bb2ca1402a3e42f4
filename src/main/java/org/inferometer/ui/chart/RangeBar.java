package org.inferometer.ui.chart;

import java.util.Optional;
import javafx.scene.control.Button;
import javafx.scene.layout.HBox;
import org.inferometer.ui.chart.PlotArea.AxisRange;
import org.inferometer.ui.chart.PlotArea.PlotScale;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The range that was dragged over a chart, and what can be done with it: a small toolbar over its marked pixels.
final class RangeBar extends HBox {
    private static final double GAP = 6;
    private final ChartHost host;
    private @Nullable AxisRange range;

    RangeBar(ChartHost host) {
        this.host = host;
        setId("chart-range");
        getStyleClass().add(StyleClasses.CHART_TOOLTIP);
        setSpacing(2);
        setManaged(false);
        setVisible(false);
        Button zoom = Buttons.of("chart-range-zoom", "mdmz-zoom_in", Messages.text("chart.range.zoom"), this::zoom);
        Button copy =
                Buttons.of("chart-range-copy", "mdal-content_copy", Messages.text("chart.range.copy"), this::copy);
        Button close = Buttons.icon("chart-range-close", "mdal-close", Messages.text("chart.range.close"), this::clear);
        getChildren().addAll(zoom, copy, close);
        getChildren().forEach(button -> {
            button.getStyleClass().add(StyleClasses.ZOOM_BUTTON);
            button.setFocusTraversable(false);
        });
        setOnMousePressed(event -> event.consume());
        setOnMouseClicked(event -> event.consume());
    }

    Optional<AxisRange> range() {
        return Optional.ofNullable(range);
    }

    /// Marks a range.
    void select(AxisRange selected) {
        range = selected;
        place();
    }

    /// Marks it again at its pixels in a new drawing; removes it where nothing of it is seen.
    void place() {
        PlotArea area = host.area();
        AxisRange selected = range;
        boolean seen = selected != null && area != null && !host.tableShown() && selected.upper() > area.x().lower()
                && selected.lower() < area.x().upper();
        setVisible(seen);
        if (!seen || selected == null || area == null) {
            range = null;
            host.overlay().select(null, 0, 0);
            return;
        }
        PlotScale x = area.x();
        double from = Math.clamp(x.pixel(selected.lower()), x.start(), x.end());
        double to = Math.clamp(x.pixel(selected.upper()), x.start(), x.end());
        host.overlay().select(area, from, to);
        applyCss();
        autosize();
        relocate(Math.floor(Math.clamp((from + to - getWidth()) / 2, 0, Math.max(0, host.getWidth() - getWidth()))),
                Math.floor(area.top() + GAP));
    }

    /// Removes the mark.
    ///
    /// @return whether there was one
    boolean clear() {
        boolean any = range != null;
        range = null;
        place();
        return any;
    }

    void zoom() {
        AxisRange selected = range;
        clear();
        if (selected != null) {
            host.zoom().show(selected);
        }
    }

    void copy() {
        AxisRange selected = range;
        if (selected != null) {
            host.copyData(selected);
            clear();
        }
    }
}
