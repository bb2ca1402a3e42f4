package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javafx.beans.binding.Bindings;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.LiveViewModel.Kpi;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.chart.ChartGroup;
import org.inferometer.ui.chart.ChartTile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.TileGrid;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The running experiment: progress, KPIs, live charts and runs.
final class LivePane {
    private static final int COLUMNS = 3;
    private static final double NARROWEST = 290;
    private static final double GAP = 10;
    private static final double BAR = 12;
    private final BenchViewModel model;
    private final ChartTools tools;
    private List<ChartTile> tiles = List.of();

    LivePane(BenchViewModel model, ChartTools tools) {
        this.model = model;
        this.tools = tools;
    }

    Node createView() {
        LiveViewModel live = model.live();
        HBox kpis =
                row(Kpi.NONES
                        .keySet().stream().map(key -> new KpiTile(key,
                                live.kpis().map(all -> Objects.requireNonNull(all.get(key))), live.trends().of(key)))
                        .toList());
        tiles = Arrays.stream(LiveChart.values()).map(chart -> tile(live, chart)).toList();
        ChartGroup group = new ChartGroup();
        tiles.forEach(tile -> tile.join(group));
        List<Node> all = new ArrayList<>(tiles);
        all.add(new SideTile(live));
        TileGrid grid = new TileGrid(COLUMNS, NARROWEST, tools.window().textScale(), all);
        ScrollPane scroll = Panes.scroll(grid);
        Panes.keepGutter(scroll, grid, BAR);
        scroll.setFitToHeight(true);
        scroll.setMinHeight(0);
        Label instead = Panes.named("live-instead", Labels.centred("", StyleClasses.HEADLINE));
        instead.textProperty().bind(Bindings.createStringBinding(
                () -> live.mode().get() == LiveMode.BLACKOUT ? live.time().get().blackout() : text("live.charts-off"),
                live.mode(), live.time()));
        StackPane body = new StackPane(scroll, instead);
        // Tiles end where the cards above do; the bar stands in the margin.
        VBox.setMargin(body, new Insets(0, -BAR, 0, 0));
        VBox.setVgrow(body, Priority.ALWAYS);
        Panes.showWhen(scroll, live.mode().map(mode -> mode == LiveMode.LIVE));
        Panes.showWhen(instead, live.mode().map(mode -> mode != LiveMode.LIVE));
        Panes.showWhen(kpis, live.mode().map(mode -> mode != LiveMode.BLACKOUT));
        return Panes.named("live", new VBox(GAP, new ProgressCard(model), kpis, body), StyleClasses.VIEW_BODY);
    }

    /// Tiles of equal width. They prefer the width that they have: their notes would be as high as in a narrower tile.
    static HBox row(List<KpiTile> tiles) {
        HBox row = new HBox(GAP);
        for (KpiTile tile : tiles) {
            HBox.setHgrow(tile, Priority.ALWAYS);
            tile.prefWidthProperty()
                    .bind(row.widthProperty().map(width -> (width.doubleValue() + GAP) / tiles.size() - GAP));
            row.getChildren().add(tile);
        }
        return row;
    }

    /// A tile that says what happens until its first data arrive.
    private ChartTile tile(LiveViewModel live, LiveChart chart) {
        ChartTile tile =
                new ChartTile(tools, chart.id(), text("live." + chart.name().toLowerCase(Locale.ROOT) + ".title"));
        tile.follow(live.chart(chart));
        live.step().subscribe(step -> {
            if (live.chart(chart).get() == null) {
                tile.host().setMessage(step.isEmpty() ? text("chart.waiting") : step);
            }
        });
        return tile;
    }

    void dispose() {
        tiles.forEach(ChartTile::dispose);
    }
}
