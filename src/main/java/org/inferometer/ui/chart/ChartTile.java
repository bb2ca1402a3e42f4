package org.inferometer.ui.chart;

import java.util.List;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Side;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// A chart with title, toolbar and footer.
public final class ChartTile extends VBox {
    private final ChartHost host;
    private final Label title = new Label();
    private final Label footer = new Label();

    /// @param id names the tile's nodes: "live-throughput"
    /// @param heading shown until the first data arrive
    public ChartTile(ChartTools tools, String id, String heading) {
        setId(id);
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.CHART_TILE);
        host = new ChartHost(tools);
        host.setId(id + "-chart");
        title.setText(heading);
        title.getStyleClass().add(StyleClasses.TILE_TITLE);
        title.setMinWidth(0);
        footer.getStyleClass().add(StyleClasses.TILE_FOOTER);
        footer.setMinWidth(0);
        Button export = Buttons.icon(id + "-export", "mdal-get_app", Messages.text("chart.export"),
                () -> host.withVisible(data -> ChartActions.export(tools, data)));
        Button more = Buttons.icon(id + "-more", "mdmz-more_vert", Messages.text("chart.more"), () -> {});
        more.setOnAction(event -> host.withVisible(data -> host.menu().show(more, Side.BOTTOM, 0, 0)));
        List.of(export, more).forEach(button -> button.getStyleClass().add(StyleClasses.TILE_TOOL));
        HBox header = Panes.row(0, title, Panes.spacer(), export, more);
        header.getStyleClass().add(StyleClasses.TILE_HEADER);
        VBox.setVgrow(host, Priority.ALWAYS);
        getChildren().addAll(header, host, footer);
        setMinSize(200, 140);
    }

    /// Shows new data; null goes back to waiting.
    public void setData(@Nullable ChartData chart) {
        if (chart != null) {
            title.setText(chart.title());
            footer.setText(chart.footer());
        } else {
            // The footer belongs to the previous chart.
            footer.setText("");
        }
        host.setData(chart);
    }

    /// Follows a view model's chart from now on.
    public void follow(ObservableValue<@Nullable ChartData> charts) {
        host.setLive(true);
        charts.addListener((observed, before, now) -> setData(now));
        setData(charts.getValue());
    }

    /// Shows the crosshair together with the other charts of a group that have the same x axis.
    public void join(ChartGroup group) {
        host.join(group);
    }

    /// The chart itself.
    public ChartHost host() {
        return host;
    }

    /// Removes the chart's listeners.
    public void dispose() {
        host.dispose();
    }
}
