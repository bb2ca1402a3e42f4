package org.inferometer.ui.goals;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.ui.goals.WindowFigure.Statistic;

/// Memory of the idle window, of an open result, and its growth while results are opened and closed.
final class MemoryCheck {
    private static final String GOAL = "G7";
    private static final Duration ECHO = Duration.ofMillis(50);
    private static final int GOAL_SECONDS = 8 * 3600;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;

    MemoryCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        window.probe().calm(ECHO);
        JavaHeap.usedMebibytes(window);
        OptionalDouble resident = JavaHeap.residentMebibytes();
        List<Double> opened = new ArrayList<>();
        // The first one loads classes.
        window.open();
        window.close();
        for (int i = 0; i < options.times(); i++) {
            double before = JavaHeap.usedMebibytes(window);
            window.open();
            opened.add(JavaHeap.usedMebibytes(window) - before);
            window.close();
        }
        double before = JavaHeap.usedMebibytes(window);
        long end = window.probe().clock().nanos() + options.seconds() * 1_000_000_000L;
        int openings = 0;
        while (window.probe().clock().nanos() < end) {
            window.open();
            window.close();
            openings++;
        }
        double growth = 100 * (JavaHeap.usedMebibytes(window) - before) / before;
        String size = String.format(Locale.ROOT, "%,d requests; heap after 3 collections.", options.requests());
        return List.of(resident.isEmpty()
                ? WindowFigure.notMeasured(GOAL, "memory_idle", "idle, memory in RAM",
                        "This system has no /proc/self/status.")
                : new WindowFigure(GOAL, "memory_idle", "idle, memory in RAM", "MiB", Statistic.MAX, 250.0,
                        new double[]{resident.getAsDouble()}, "After 3 collections, before a result is opened."),
                new WindowFigure(GOAL, "memory_open", "heap of an open result", "MiB", Statistic.MAX, 120.0,
                        opened.stream().mapToDouble(Double::doubleValue).toArray(), size),
                new WindowFigure(GOAL, "memory_growth", "growth of the heap", "%", Statistic.MAX,
                        options.seconds() >= GOAL_SECONDS ? 5.0 : null, new double[]{growth}, String.format(Locale.ROOT,
                                "%d openings in %d s; the goal is for 8 h.", openings, options.seconds())));
    }
}
