package org.inferometer.ui.goals;

import java.util.List;
import java.util.Locale;
import javafx.event.Event;
import javafx.geometry.Point2D;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import org.inferometer.ui.chart.ChartHost;
import org.inferometer.ui.goals.WindowFigure.Statistic;

/// Moves the crosshair over the charts of a large result in each pulse.
final class PacingCheck {
    private static final String GOAL = "G3";
    private static final int MOST_CHARTS = 6;
    private static final int PULSES_PER_CHART = 60;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private int pulses;

    PacingCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        FxProbe probe = window.probe();
        window.open();
        probe.run(() -> window.selectTab("detail-tab-charts"));
        probe.until("charts drawn", () -> window.charts("#result-detail").size() >= Math.min(MOST_CHARTS, 4));
        probe.pulse(window.scene());
        List<ChartHost> charts = probe.call(() -> window.charts("#result-detail").stream().limit(MOST_CHARTS).toList());
        PulseWork work = new PulseWork(probe.clock(), () -> move(charts), () -> {});
        long end = probe.clock().nanos() + options.seconds() * 1_000_000_000L;
        probe.run(work::start);
        long stall = probe.until("the time is over", () -> probe.clock().nanos() >= end).stallNanos();
        probe.run(work::stop);
        double[] latencies = new double[options.times()];
        for (int i = 0; i < options.times(); i++) {
            long moved = probe.clock().nanos();
            probe.run(() -> move(charts));
            latencies[i] = (probe.pulse(window.scene()) - moved) / 1e6;
        }
        probe.run(() -> window.content().results().close());
        String note = String.format(Locale.ROOT, "%d charts of a result of %,d requests for %d s; no experiment runs.",
                charts.size(), options.requests(), options.seconds());
        double[] millis = work.millis();
        return List.of(samples("pulse_p95", "work per pulse", Statistic.P95, 8, millis, note),
                samples("pulse_p99", "work per pulse", Statistic.P99, 16, millis, ""),
                samples("pulse_max", "work per pulse", Statistic.MAX, 50, millis, ""),
                samples("pulse_stall", "longest stall meanwhile", Statistic.MAX, 100, new double[]{stall / 1e6},
                        "Asked 2 ms after each answer."),
                samples("crosshair", "mouse move to the end of its pulse", Statistic.P95, 33, latencies, ""));
    }

    private void move(List<ChartHost> charts) {
        ChartHost chart = charts.get(pulses / PULSES_PER_CHART % charts.size());
        double share = (0.5 + pulses % PULSES_PER_CHART) / PULSES_PER_CHART;
        pulses++;
        Point2D at = chart.localToScene(share * chart.getWidth(), chart.getHeight() / 2);
        Event.fireEvent(chart, new MouseEvent(MouseEvent.MOUSE_MOVED, at.getX(), at.getY(), at.getX(), at.getY(),
                MouseButton.NONE, 0, false, false, false, false, false, false, false, false, false, false, null));
    }

    private static WindowFigure samples(String id, String name, Statistic statistic, double target, double[] millis,
            String note) {
        return new WindowFigure(GOAL, id, name, "ms", statistic, target, millis, note);
    }
}
