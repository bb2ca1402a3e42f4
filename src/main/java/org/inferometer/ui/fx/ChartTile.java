package org.inferometer.ui.fx;

import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.geometry.Side;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartData;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// A chart with its title, its toolbar and the line that says what it rests on.
public final class ChartTile extends VBox {
    private final ChartHost host;
    private final Label title = new Label();
    private final Label footer = new Label();

    /// @param id names the tile's nodes: "live-throughput"
    /// @param heading shown until the first data bring their own
    public ChartTile(ChartTools tools, String id, String heading) {
        setId(id);
        getStyleClass().addAll("card", "chart-tile");
        host = new ChartHost(tools);
        host.setId(id + "-chart");
        title.setText(heading);
        title.getStyleClass().add("tile-title");
        title.setMinWidth(0);
        footer.getStyleClass().add("tile-footer");
        footer.setMinWidth(0);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button export = tool("mdal-get_app", "chart.export", id + "-export");
        export.setOnAction(event -> withData(data -> ChartActions.export(tools, data)));
        Button more = tool("mdmz-more_vert", "chart.more", id + "-more");
        more.setOnAction(event -> withData(data -> host.menu().show(more, Side.BOTTOM, 0, 0)));
        HBox header = new HBox(title, space, export, more);
        header.setAlignment(Pos.CENTER_LEFT);
        header.getStyleClass().add("tile-header");
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
            // What the chart before rested on says nothing of the one to come.
            footer.setText("");
        }
        host.setData(chart);
    }

    /// Follows a view model's chart from now on.
    public void follow(ObservableValue<@Nullable ChartData> charts) {
        charts.addListener((observed, before, now) -> setData(now));
        setData(charts.getValue());
    }

    /// The chart itself.
    public ChartHost host() {
        return host;
    }

    /// Ends the chart.
    public void dispose() {
        host.dispose();
    }

    private void withData(java.util.function.Consumer<ChartData> action) {
        ChartData data = host.data();
        if (data != null) {
            action.accept(data);
        }
    }

    private static Button tool(String icon, String key, String id) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll("flat", "button-icon", "tile-tool");
        button.setTooltip(new Tooltip(Messages.text(key)));
        button.setAccessibleText(Messages.text(key));
        return button;
    }
}
