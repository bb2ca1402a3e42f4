package org.inferometer.ui.goals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import org.inferometer.ui.goals.WindowFigure.Statistic;

/// Opens the large result again and again: figures, charts, table, every sorting of it, and the longest stall meanwhile.
final class OpeningCheck {
    private static final String GOAL = "G9";
    private static final int SCROLLS = 8;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private final List<Double> figures = new ArrayList<>();
    private final List<Double> charts = new ArrayList<>();
    private final List<Double> table = new ArrayList<>();
    private final List<Double> sorting = new ArrayList<>();
    private final List<Double> stalls = new ArrayList<>();
    private final List<Double> scrolling = new ArrayList<>();
    private final List<Double> sortingStalls = new ArrayList<>();

    OpeningCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        long collecting = JavaHeap.collectingMillis();
        for (int i = 0; i < options.times(); i++) {
            round();
        }
        String collected = String.format(Locale.ROOT, "%d openings; garbage collection took %.1f s of them.",
                options.times(), (JavaHeap.collectingMillis() - collecting) / 1e3);
        String size = String.format(Locale.ROOT, "%,d requests, files in the page cache.", options.requests());
        return List.of(samples("open_figures", "open: first figures", "s", 0.3, Statistic.MEDIAN, figures, size),
                samples("open_charts", "open: charts", "s", 1.5, Statistic.MEDIAN, charts, size),
                samples("open_table", "open: table of requests scrolled", "s", 2, Statistic.MEDIAN, table,
                        "The tab is chosen when the charts are drawn."),
                samples("open_scroll", "scroll the table to another place", "ms", 50, Statistic.MAX, scrolling,
                        SCROLLS + " places, each until it is laid out."),
                samples("open_sort", "sort the table by a column", "s", 1, Statistic.MAX, sorting, "Every column."),
                samples("open_stall", "longest stall while opening", "ms", 50, Statistic.MAX, stalls, collected),
                samples("open_sort_stall", "longest stall while sorting", "ms", 50, Statistic.MAX, sortingStalls, ""));
    }

    private void round() throws InterruptedException {
        FxProbe probe = window.probe();
        long began = probe.clock().nanos();
        probe.run(() -> window.content().openResult(window.large()));
        FxProbe.Reached shown = probe.until("figures shown",
                () -> window.node("#result-preview") != null || window.node("#result-detail") != null);
        figures.add((probe.pulse(window.scene()) - began) / 1e9);
        FxProbe.Reached drawn = probe.until("charts drawn",
                () -> window.content().results().opened().get() != null && window.chartsDrawn("#result-detail"));
        charts.add((probe.pulse(window.scene()) - began) / 1e9);
        probe.run(() -> window.selectTab("detail-tab-requests"));
        FxProbe.Reached listed = probe.until("requests listed",
                () -> window.node("#requests-table") instanceof TableView<?> rows && !rows.getItems().isEmpty());
        probe.run(() -> requests().scrollTo(requests().getItems().size() / 2));
        table.add((probe.pulse(window.scene()) - began) / 1e9);
        stalls.add(Math.max(shown.stallNanos(), Math.max(drawn.stallNanos(), listed.stallNanos())) / 1e6);
        scroll();
        int columns = probe.call(() -> (int) requests().getColumns().stream().filter(TableColumn::isSortable).count());
        for (int i = 0; i < columns; i++) {
            sort(requests(), i);
        }
        probe.run(() -> window.content().results().close());
        probe.until("result closed", () -> window.node("#result-detail") == null);
    }

    private void scroll() throws InterruptedException {
        FxProbe probe = window.probe();
        for (int i = 0; i < SCROLLS; i++) {
            double part = (i % 2 == 0 ? i + 1 : SCROLLS - i) / (double) (SCROLLS + 1);
            long began = probe.clock().nanos();
            probe.run(() -> requests().scrollTo((int) (requests().getItems().size() * part)));
            scrolling.add((probe.pulse(window.scene()) - began) / 1e6);
        }
    }

    private <R> void sort(TableView<R> rows, int column) throws InterruptedException {
        FxProbe probe = window.probe();
        long began = probe.clock().nanos();
        Object before = probe.call(() -> {
            Object items = rows.getItems();
            TableColumn<R, ?> by = rows.getColumns().get(column);
            by.setSortType(TableColumn.SortType.DESCENDING);
            rows.getSortOrder().setAll(List.of(by));
            return items;
        });
        FxProbe.Reached sorted = probe.until("table sorted", () -> rows.getItems() != before);
        sorting.add((probe.pulse(window.scene()) - began) / 1e9);
        sortingStalls.add(sorted.stallNanos() / 1e6);
    }

    private TableView<?> requests() {
        return (TableView<?>) Objects.requireNonNull(window.node("#requests-table"));
    }

    private static WindowFigure samples(String id, String name, String unit, double target, Statistic statistic,
            List<Double> values, String note) {
        return new WindowFigure(GOAL, id, name, unit, statistic, target,
                values.stream().mapToDouble(Double::doubleValue).toArray(), note);
    }
}
