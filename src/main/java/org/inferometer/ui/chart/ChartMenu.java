package org.inferometer.ui.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.input.KeyCombination;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Messages;

/// The menu of a chart: every gesture with its key.
final class ChartMenu {
    private ChartMenu() {}

    static ContextMenu of(ChartHost host, ChartTools tools) {
        ContextMenu menu = new ContextMenu(item("chart.export", "", host::export),
                item("chart.copy-image", "Shortcut+C", host::copyImage),
                item("chart.copy-data", "Shortcut+Shift+C", host::copyData), new SeparatorMenuItem());
        boolean zoomed = host.zoom().range().isPresent();
        menu.getItems().addAll(enabled(host.zoomable(), item("chart.zoom-in", "Plus", () -> host.zoomMiddle(2))),
                enabled(zoomed, item("chart.zoom-out", "Minus", () -> host.zoomMiddle(0.5))),
                enabled(zoomed, item("chart.pan-left", "Shift+Left", () -> host.zoom().pan(-0.5))),
                enabled(zoomed, item("chart.pan-right", "Shift+Right", () -> host.zoom().pan(0.5))),
                enabled(host.zoom().hasPrevious(),
                        item("chart.zoom-previous", "Backspace", () -> host.zoom().previous())),
                enabled(host.zoom().hasNext(), item("chart.zoom-next", "Alt+Right", () -> host.zoom().next())),
                enabled(zoomed, host.live() ? item("chart.follow-live", "End", () -> host.zoom().fit())
                        : item("chart.fit", "0", () -> host.zoom().fit())),
                new SeparatorMenuItem());
        if (host.crosshair().pinned()) {
            menu.getItems().add(item("chart.release", "Esc", () -> host.crosshair().release()));
        } else {
            menu.getItems().add(enabled(!host.tableShown(), item("chart.pin", "Enter", () -> host.crosshair().pin())));
        }
        CheckMenuItem table = new CheckMenuItem(Messages.text("chart.table"));
        table.setId("chart-table");
        table.setAccelerator(KeyCombination.valueOf("Shortcut+T"));
        table.setSelected(host.tableShown());
        table.setOnAction(event -> host.toggleTable());
        menu.getItems().addAll(table, item("chart.maximise", "F", host::toggleMaximised));
        series(host).ifPresent(menu.getItems()::add);
        host.requests().find(found -> menu.getItems().addAll(0, requests(host, found)));
        return menu;
    }

    private static List<MenuItem> requests(ChartHost host, List<RequestsAtCrosshair.Found> found) {
        List<MenuItem> items = new ArrayList<>();
        for (RequestsAtCrosshair.Found each : found) {
            items.add(
                    Buttons.item("chart-show-request-" + items.size(), each.label(), () -> host.requests().open(each)));
        }
        items.add(new SeparatorMenuItem());
        return items;
    }

    private static Optional<Menu> series(ChartHost host) {
        ChartData chart = host.data();
        List<SeriesSelection.Series> all = chart == null ? List.of() : SeriesSelection.of(chart);
        if (all.size() < 2) {
            return Optional.empty();
        }
        Menu menu = new Menu(Messages.text("chart.series"));
        menu.setId("chart-series");
        for (SeriesSelection.Series series : all) {
            CheckMenuItem item = new CheckMenuItem(series.name());
            item.setMnemonicParsing(false);
            item.setSelected(!host.selection().isHidden(series.name()));
            item.setOnAction(event -> host.chooseSeries(series.name(), false));
            menu.getItems().add(item);
        }
        return Optional.of(menu);
    }

    private static MenuItem enabled(boolean enabled, MenuItem item) {
        item.setDisable(!enabled);
        return item;
    }

    /// @param key empty for none
    private static MenuItem item(String key, String shortcut, Runnable action) {
        MenuItem item = Buttons.item(key.replace('.', '-'), Messages.text(key), action);
        if (!shortcut.isEmpty()) {
            item.setAccelerator(KeyCombination.valueOf(shortcut));
        }
        return item;
    }
}
