package org.inferometer.ui.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.inferometer.record.RunRecord;
import org.inferometer.report.timeline.RunTimeline;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.WindowWork;

/// Builds timelines in the background, one at a time: a new build cancels the previous one. Belongs to the UI thread.
final class TimelineBuilder {
    private static final double REPORT_SHARE = 0.02;
    private final BackgroundWork work;
    private final AtomicLong builds = new AtomicLong();

    TimelineBuilder(BackgroundWork work) {
        this.work = work;
    }

    /// Builds a sheet of these runs. The callbacks run on the UI thread; none does after a cancel.
    ///
    /// @param kept timelines that can be reused
    /// @param progress receives the share done, 0 to 1
    void start(List<RunChoice> chosen, List<RunTimeline> kept, DoubleConsumer progress, Consumer<TimelineSheet> done,
            Consumer<Throwable> failed) {
        long mine = builds.incrementAndGet();
        work.run(WindowWork.TIMELINE,
                () -> build(mine, chosen, kept, share -> ifNewest(mine, () -> progress.accept(share))),
                made -> ifNewest(mine, () -> done.accept(made)),
                failure -> ifNewest(mine, () -> failed.accept(failure)));
    }

    /// Cancels the build.
    void cancel() {
        builds.incrementAndGet();
    }

    private void ifNewest(long build, Runnable action) {
        if (build == builds.get()) {
            action.run();
        }
    }

    private TimelineSheet build(long mine, List<RunChoice> chosen, List<RunTimeline> kept, DoubleConsumer progress) {
        List<RunTimeline> panels = new ArrayList<>();
        double[] reported = {0};
        for (int i = 0; i < chosen.size(); i++) {
            int before = i;
            RunRecord wanted = chosen.get(i).run();
            Optional<RunTimeline> known = kept.stream().filter(timeline -> timeline.run() == wanted).findFirst();
            panels.add(known.orElseGet(() -> RunTimeline.of(wanted, share -> {
                if (mine != builds.get()) {
                    throw new CancellationException();
                }
                double whole = (before + share) / chosen.size();
                if (whole >= reported[0] + REPORT_SHARE || whole == 1) {
                    reported[0] = whole;
                    work.ui().later(() -> progress.accept(whole));
                }
            })));
        }
        return new TimelineSheet(panels, chosen.stream().map(RunChoice::label).toList());
    }
}
