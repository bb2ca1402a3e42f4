package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Side;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.results.bundle.SavedLook.ChartLook;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.PartLooks;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// A chart with title, toolbar and footer. What was measured, when and where stands around it; alone over the window it says so itself.
public final class ChartTile extends VBox {
    private final ChartHost host;
    private final Label title = new Label();
    private final Label footer = Panes.styled(new Label(), StyleClasses.TILE_FOOTER);
    private final Button maximise;
    private boolean maximised;
    private final String origin;

    /// @param id names the tile's nodes: "live-throughput"
    /// @param heading shown until the first data arrive
    public ChartTile(ChartTools tools, String id, String heading) {
        origin = tools.origin();
        setId(id);
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.CHART_TILE);
        host = new ChartHost(tools);
        host.setId(id + "-chart");
        title.setText(heading);
        title.getStyleClass().add(StyleClasses.TILE_TITLE);
        title.setMinWidth(0);
        title.setWrapText(true);
        footer.setMinWidth(0);
        footer.setWrapText(true);
        footer.setMinHeight(Region.USE_PREF_SIZE);
        Labels.tellWhole(footer);
        Button export = Buttons.icon(id + "-export", "mdal-get_app", Messages.text("chart.export"), host::export);
        Button more = Buttons.icon(id + "-more", "mdmz-more_vert", Messages.text("chart.more"), () -> {});
        more.setOnAction(event -> host.withVisible(data -> host.menu().show(more, Side.BOTTOM, 0, 0)));
        maximise = Buttons.icon(id + "-maximise", "mdal-fullscreen", Messages.text("chart.maximise.tooltip"),
                this::toggleMaximised);
        host.setMaximiser(this::toggleMaximised);
        List.of(export, maximise, more).forEach(button -> button.getStyleClass().add(StyleClasses.TILE_TOOL));
        HBox.setHgrow(title, Priority.ALWAYS);
        title.setMaxWidth(Double.MAX_VALUE);
        HBox header = Panes.row(0, title, export, maximise, more);
        header.setMinHeight(Region.USE_PREF_SIZE);
        header.getStyleClass().add(StyleClasses.TILE_HEADER);
        header.setOnMouseClicked(event -> {
            if (event.getButton() == MouseButton.PRIMARY && event.getClickCount() == 2) {
                toggleMaximised();
            }
        });
        addEventHandler(KeyEvent.KEY_PRESSED, this::key);
        VBox.setVgrow(host, Priority.ALWAYS);
        getChildren().addAll(header, host, footer);
        setMinSize(200, 140);
    }

    /// The charts of a page, with one crosshair.
    ///
    /// @param prefix of the ids of the tiles
    public static List<ChartTile> of(ChartTools tools, String prefix, List<ChartData> charts) {
        ChartGroup group = new ChartGroup();
        return charts.stream().map(chart -> {
            ChartTile tile = new ChartTile(tools, prefix + chart.id(), chart.title());
            tile.join(group);
            tile.setData(chart);
            return tile;
        }).toList();
    }

    /// One legend for the largest group of charts with the same series, so that their plots have its room; it hides a series in all of them.
    /// Empty if no two charts have the same.
    ///
    /// @param tiles with their data
    public static Optional<Node> sharedLegend(List<ChartTile> tiles) {
        Map<List<SeriesSelection.Series>, List<ChartHost>> groups = new LinkedHashMap<>();
        for (ChartTile tile : tiles) {
            ChartData data = tile.host().data();
            List<SeriesSelection.Series> series = data == null ? List.of() : SeriesSelection.of(data);
            if (series.size() > 1) {
                groups.computeIfAbsent(series, same -> new ArrayList<>()).add(tile.host());
            }
        }
        // Marks that are named where they stand have no entries to show.
        return groups.values().stream().filter(hosts -> hosts.size() > 1).max((one, other) -> one.size() - other.size())
                .flatMap(hosts -> hosts.stream().filter(ChartTile::hasLines).findFirst()
                        .map(first -> share(first, hosts)));
    }

    private static boolean hasLines(ChartHost host) {
        return host.data() != null && host.data().marks() instanceof Marks.Lines;
    }

    private static Node share(ChartHost first, List<ChartHost> hosts) {
        ChartLegend legend = Panes.named("shared-legend", new ChartLegend());
        legend.setManaged(true);
        hosts.forEach(host -> host.share(first, hosts));
        first.feed(legend);
        return legend;
    }

    /// Shows new data; null goes back to waiting.
    public void setData(@Nullable ChartData chart) {
        if (chart != null) {
            title.setText(chart.title());
            footer.setText(maximised ? chart.from(origin).footer() : chart.footer());
        } else {
            // The footer belongs to the previous chart.
            footer.setText("");
        }
        host.setData(chart);
    }

    /// Follows a view model's chart from now on.
    public void follow(ObservableValue<@Nullable ChartData> charts) {
        host.setLive(true);
        charts.subscribe(now -> setData(now));
    }

    /// Shows the crosshair together with the other charts of a group that have the same x axis.
    public void join(ChartGroup group) {
        host.join(group);
    }

    /// The looks of the charts of a page.
    public static PartLooks<ChartTile, ChartLook> looks() {
        return new PartLooks<>(ChartLook::chart, tile -> tile.host.look(tile.getId()),
                (tile, look) -> tile.host.begin(look));
    }

    /// The chart itself.
    public ChartHost host() {
        return host;
    }

    /// Removes the chart's listeners; a maximised tile goes back first.
    public void dispose() {
        restore();
        host.dispose();
    }

    /// F maximises and restores; Esc restores.
    private void key(KeyEvent event) {
        boolean plain = !event.isShortcutDown() && !event.isShiftDown() && !event.isAltDown();
        if (plain && event.getCode() == KeyCode.F) {
            toggleMaximised();
            event.consume();
        } else if (event.getCode() == KeyCode.ESCAPE && restore()) {
            event.consume();
        }
    }

    private void toggleMaximised() {
        ContentArea area = ContentArea.around(this);
        if (area != null && !restore()) {
            area.maximise(this);
            host.requestFocus();
        }
    }

    private boolean restore() {
        ContentArea area = ContentArea.around(this);
        boolean over = area != null && area.isMaximised(this);
        if (area != null && over) {
            area.restore();
            host.requestFocus();
        }
        return over;
    }

    /// Names what its button does now.
    void setMaximised(boolean over) {
        maximised = over;
        String text = Messages.text(maximised ? "chart.restore.tooltip" : "chart.maximise.tooltip");
        maximise.setGraphic(new FontIcon(maximised ? "mdal-fullscreen_exit" : "mdal-fullscreen"));
        maximise.getTooltip().setText(text);
        maximise.setAccessibleText(text);
        host.setMaximised(maximised);
        ChartData shown = host.data();
        if (shown != null) {
            footer.setText(maximised ? shown.from(origin).footer() : shown.footer());
        }
    }
}
