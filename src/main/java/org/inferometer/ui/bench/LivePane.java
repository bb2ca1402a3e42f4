package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.scene.Node;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.RowConstraints;
import javafx.scene.layout.VBox;
import org.inferometer.ui.chart.ChartTile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.theme.StyleClasses;

/// The running experiment: progress, KPIs, live charts and runs.
final class LivePane {
    private final BenchViewModel model;
    private final ChartTools tools;
    private final Runnable stop;
    private List<ChartTile> tiles = List.of();

    LivePane(BenchViewModel model, ChartTools tools, Runnable stop) {
        this.model = model;
        this.tools = tools;
        this.stop = stop;
    }

    Node createView() {
        LiveViewModel live = model.live();
        HBox kpis = new HBox(10);
        live.kpis().forEach((key, kpi) -> {
            KpiTile tile = new KpiTile(key, kpi);
            HBox.setHgrow(tile, Priority.ALWAYS);
            kpis.getChildren().add(tile);
        });
        ChartTile throughput = new ChartTile(tools, "live-throughput", text("live.throughput.title"));
        throughput.follow(live.throughput());
        ChartTile latency = new ChartTile(tools, "live-latency", text("live.latency.title"));
        latency.follow(live.latency());
        ChartTile memory = new ChartTile(tools, "live-memory", text("live.memory.title"));
        memory.follow(live.memory());
        tiles = List.of(throughput, latency, memory);
        GridPane charts = new GridPane(10, 10);
        charts.add(throughput, 0, 0);
        charts.add(latency, 1, 0);
        charts.add(memory, 0, 1);
        charts.add(new RunsTile(live.runs()), 1, 1);
        for (int i = 0; i < 2; i++) {
            ColumnConstraints column = new ColumnConstraints();
            column.setPercentWidth(50);
            charts.getColumnConstraints().add(column);
            RowConstraints row = new RowConstraints();
            row.setPercentHeight(50);
            row.setVgrow(Priority.ALWAYS);
            charts.getRowConstraints().add(row);
        }
        VBox.setVgrow(charts, Priority.ALWAYS);
        VBox pane = new VBox(10, new ProgressCard(model, stop), kpis, charts);
        pane.setId("live");
        pane.getStyleClass().add(StyleClasses.VIEW_BODY);
        return pane;
    }

    void dispose() {
        tiles.forEach(ChartTile::dispose);
    }
}
