package org.inferometer.ui.chart;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartData.RequestLookup;
import org.inferometer.report.charts.ChartData.RequestLookup.ChartRequest;
import org.inferometer.ui.chart.ChartReader.Readout;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.WindowWork;

/// The requests behind the values at the crosshair of a chart. They are found in the background, as the records may hold millions.
record RequestsAtCrosshair(ChartHost host, ChartTools tools) {
    private static final int MOST = 6;
    /// The farthest that a request may be from the value, as a share of it.
    private static final double NEAR = 0.05;

    /// A request and the series that it belongs to.
    record Found(String series, ChartRequest request) {
        String label() {
            return Messages.text("chart.show-request", series, request.describe());
        }
    }

    /// Whether the values of the chart are those of requests.
    boolean any() {
        ChartData chart = host.data();
        return chart != null && chart.requests() != RequestLookup.NONE;
    }

    /// Finds them, those nearest to the pointer first. The action is not called for a chart without requests.
    void find(Consumer<List<Found>> action) {
        ChartData chart = host.data();
        Optional<Readout> readout = host.crosshair().readout();
        if (chart == null || readout.isEmpty() || !any()) {
            return;
        }
        List<Readout.Row> rows = host.crosshair().nearestRows();
        tools.work().run(WindowWork.CHART,
                () -> rows.stream().limit(MOST).flatMap(row -> found(chart, readout.get(), row)).toList(), found -> {
                    if (!found.isEmpty()) {
                        action.accept(found);
                    }
                }, failure -> tools.notifier().problem(Messages.text("chart.no-request")));
    }

    private static Stream<Found> found(ChartData chart, Readout readout, Readout.Row row) {
        if (Double.isNaN(row.y())) {
            return Stream.empty();
        }
        boolean box = chart.marks() instanceof Marks.Boxes;
        return (box ? chart.requests().nearest(readout.head(), row.y())
                : chart.requests().nearest(row.name(), readout.x()))
                .filter(request -> box || isNear(request.value(), readout.x()))
                .map(request -> new Found(box ? readout.head() + " " + row.name() : row.name(), request)).stream();
    }

    static boolean isNear(double value, double asked) {
        return Math.abs(value - asked) <= NEAR * Math.abs(asked);
    }

    /// Writes under pinned values which request Enter opens.
    void hint() {
        if (host.crosshair().pinned()) {
            Optional<Readout> asked = host.crosshair().readout();
            find(found -> {
                if (host.crosshair().pinned() && host.crosshair().readout().equals(asked)) {
                    host.crosshair().hint(Messages.text("chart.request-hint", found.getFirst().request().describe()));
                }
            });
        }
    }

    /// Shows the nearest in the Timeline.
    void open() {
        find(found -> open(found.getFirst()));
    }

    void open(Found found) {
        tools.window().showRequest(found.request());
    }
}
