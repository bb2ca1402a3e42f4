package org.inferometer.ui.goals;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.ui.goals.WindowFigure.Statistic;
import org.inferometer.ui.shell.DesktopWindow;
import org.inferometer.ui.timeline.TimelineViewModel;

/// Opens and closes a result, its tabs and its timeline again and again, shows every view, and counts what stays in memory.
final class LeakCheck {
    private static final String GOAL = "G8";
    private static final List<String> TABS =
            List.of("detail-tab-charts", "detail-tab-runs", "detail-tab-requests", "detail-tab-definitions");
    private static final long TIMERS_NANOS = 3_000_000_000L;
    private final MeasuredWindow window;
    private final WindowCheck.Length options;
    private final List<WeakReference<?>> roots = new ArrayList<>();

    LeakCheck(MeasuredWindow window, WindowCheck.Length options) {
        this.window = window;
        this.options = options;
    }

    List<WindowFigure> measure() throws InterruptedException {
        // The first ones load classes; the timeline keeps the last one, which is not counted.
        round(false);
        round(false);
        double before = JavaHeap.usedMebibytes(window);
        for (int i = 0; i < options.times(); i++) {
            round(true);
        }
        round(false);
        double after = JavaHeap.usedMebibytes(window);
        // Timers that a pane started, such as the one of a resize, end within this time.
        long end = window.probe().clock().nanos() + TIMERS_NANOS;
        while (kept() > 0 && window.probe().clock().nanos() < end) {
            after = JavaHeap.usedMebibytes(window);
        }
        double kept = kept();
        String note = String.format(Locale.ROOT,
                "Panes, records and timelines of %d openings; every view shown each time.", options.times());
        return List.of(
                new WindowFigure(GOAL, "leaks", "closed roots still in memory, of " + roots.size(), "", Statistic.MAX,
                        0.0, new double[]{kept}, note),
                new WindowFigure(GOAL, "leak_heap", "growth of the heap per opening", "KiB", Statistic.MAX, null,
                        new double[]{(after - before) * 1024 / options.times()}, ""));
    }

    private long kept() {
        return roots.stream().filter(root -> root.get() != null).count();
    }

    private void round(boolean counted) throws InterruptedException {
        FxProbe probe = window.probe();
        ExperimentRecord record = window.open().record();
        for (String tab : TABS) {
            probe.run(() -> window.selectTab(tab));
            probe.pulse(window.scene());
        }
        DesktopWindow content = window.content();
        TimelineViewModel timeline = content.timeline();
        probe.run(() -> content.showTimeline(record, 0));
        probe.until("timeline built", () -> timeline.stage().get() == TimelineViewModel.LoadState.READY);
        for (Runnable view : List.<Runnable>of(content::showTimeline, content::showBench, content::showDevices,
                content::showReport, content::showResults)) {
            probe.run(view);
            probe.pulse(window.scene());
        }
        if (counted) {
            roots.add(new WeakReference<>(record));
            roots.add(new WeakReference<>(probe.call(() -> window.node("#result-detail"))));
            roots.add(new WeakReference<>(probe.call(() -> timeline.sheet().get())));
        }
        window.close();
    }
}
