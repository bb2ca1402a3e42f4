package org.inferometer.ui.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.canvas.Canvas;
import javafx.scene.layout.Pane;
import org.inferometer.record.RunRecord;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

/// Measures the Timeline of five million steps: building it, and zoom steps from the whole run to 10 µs and back. Started by hand: it
/// prints the times in milliseconds and the most rectangles of a frame.
public final class TimelineCost {
    private static final int STEPS = 5_000_000;
    private static final double WIDTH = 1600;
    private static final double HEIGHT = 900;
    private static final double ZOOM = 1.25;

    private TimelineCost() {}

    /// Needs 8 GB of heap for the record itself.
    public static void main(String[] arguments) throws Exception {
        FxToolkit.registerPrimaryStage();
        RunRecord run = RunTimelineRecords.large(STEPS, 4, 2);
        long before = System.nanoTime();
        TimelineSheet sheet = new TimelineSheet(List.of(RunTimelineRecords.timeline(run)), List.of("1"));
        System.out.printf("built in %.0f ms%n", (System.nanoTime() - before) / 1e6);
        System.out.println(WaitForAsyncUtils.asyncFx(() -> zoom(sheet)).get(300, TimeUnit.SECONDS));
        System.exit(0);
    }

    private static String zoom(TimelineSheet sheet) {
        TimelineColors inks = new TimelineColors(() -> {});
        Canvas canvas = new Canvas(WIDTH, HEIGHT);
        Scene scene = new Scene(new Pane(inks, canvas), WIDTH, HEIGHT);
        double[] millis = new double[10_000];
        int frames = 0;
        long most = 0;
        for (int round = 0; round < 3; round++) {
            frames = 0;
            TimeWindow window = sheet.all();
            long at = window.from() + window.length() / 3;
            for (boolean in : new boolean[]{true, false}) {
                while (in ? window.length() > 10_000 : window.length() < sheet.all().length()) {
                    window = window.zoomed(in ? 1 / ZOOM : ZOOM, at, sheet.all());
                    TimelineFrame frame = new TimelineFrame(sheet,
                            new TimeScale(window, TimelinePainter.GUTTER, WIDTH - TimelinePainter.GUTTER, 1), HEIGHT, 0,
                            null, false, null, TimelineFrame.NO_POINTER, TimelineDisplay.ALL);
                    long began = System.nanoTime();
                    new TimelinePainter(new CanvasSurface(canvas.getGraphicsContext2D(), inks), frame).paint();
                    millis[frames++] = (System.nanoTime() - began) / 1e6;
                    most = Math.max(most, TimelineImage.drawing(frame, inks).shapes().size());
                }
            }
            // Takes the commands of the canvas, as a pulse does.
            scene.snapshot(null);
        }
        double[] sorted = Arrays.copyOf(millis, frames);
        Arrays.sort(sorted);
        return String.format("%d zoom steps: P50 %.1f, P95 %.1f, max %.1f ms; at most %d shapes", frames,
                sorted[frames / 2], sorted[frames * 95 / 100], sorted[frames - 1], most);
    }
}
