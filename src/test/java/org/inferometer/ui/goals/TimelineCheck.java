package org.inferometer.ui.goals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.ui.goals.WindowFigure.Statistic;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineCanvas;
import org.inferometer.ui.timeline.TimelineViewModel;

/// Opens the timeline of a large run, and zooms from the whole run to 10 µs and back.
final class TimelineCheck {
    private static final String GOAL = "G12";
    private static final double STEP = 1.25;
    private static final long CLOSEST_NANOS = 10_000;
    private static final long SPANS_OF_REQUEST = 3;
    private static final long GOAL_SPANS = 5_000_000;
    private static final int MOST_SHAPES = 20_000;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private final List<Integer> shapes = new ArrayList<>();
    private boolean out;
    private int rounds;

    TimelineCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        FxProbe probe = window.probe();
        ExperimentRecord record = window.open().record();
        int steps = record.runs().getFirst().observations().steps().size();
        TimelineViewModel timeline = window.content().timeline();
        long began = probe.clock().nanos();
        probe.run(() -> window.content().showTimeline(record, 0));
        FxProbe.Reached ready = probe.until("timeline built",
                () -> timeline.stage().get() == TimelineViewModel.LoadState.FAILED
                        || (timeline.stage().get() == TimelineViewModel.LoadState.READY
                                && window.node("#timeline-canvas") instanceof TimelineCanvas));
        String problem = probe.call(() -> timeline.problem().get());
        if (!problem.isEmpty()) {
            return List.of(WindowFigure.notMeasured(GOAL, "timeline_open", "timeline of a run in memory", problem));
        }
        double opened = (probe.pulse(window.scene()) - began) / 1e9;
        TimelineCanvas canvas = (TimelineCanvas) probe.call(() -> window.node("#timeline-canvas"));
        PulseWork work = new PulseWork(probe.clock(), () -> step(timeline), () -> shapes.add(canvas.shapes()));
        probe.run(work::start);
        probe.until("zoomed", () -> rounds >= options.times());
        probe.run(work::stop);
        probe.run(() -> window.content().results().close());
        String size = String.format(Locale.ROOT, "%,d requests and %,d steps; the goal is for 5,000,000 spans.",
                options.requests(), steps);
        double[] counts = shapes.stream().mapToDouble(Integer::doubleValue).toArray();
        return List.of(new WindowFigure(GOAL, "timeline_open", "timeline of a run in memory", "s", Statistic.MEDIAN,
                SPANS_OF_REQUEST * options.requests() + steps >= GOAL_SPANS ? 3.0 : null, new double[]{opened}, size),
                new WindowFigure(GOAL, "timeline_stall", "longest stall meanwhile", "ms", Statistic.MAX, 50.0,
                        new double[]{ready.stallNanos() / 1e6}, ""),
                new WindowFigure(GOAL, "timeline_zoom", "zoom step, work per pulse", "ms", Statistic.P95, 16.0,
                        work.millis(), "Whole run to 10 µs and back."),
                new WindowFigure(GOAL, "timeline_shapes", "shapes painted in a frame", "", Statistic.MAX,
                        (double) MOST_SHAPES, counts, "Rectangles, lines and texts."));
    }

    private void step(TimelineViewModel timeline) {
        TimeWindow shown = timeline.visible().window().get();
        if (!out && shown.length() <= CLOSEST_NANOS) {
            out = true;
        }
        long before = shown.length();
        timeline.visible().zoom(out ? STEP : 1 / STEP, shown.from() + shown.length() / 3);
        if (out && timeline.visible().window().get().length() == before) {
            out = false;
            rounds++;
        }
    }
}
