package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.util.function.BooleanSupplier;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.jspecify.annotations.Nullable;

/// Which result opens by itself: the newest on request, and in an empty Timeline the open result or the newest run. Belongs to the JavaFX
/// thread.
final class NewestResult {
    private final ResultsViewModel results;
    private final TimelineViewModel timeline;
    private final LatestRun latestRun;
    private final Notifier notifier;
    private final BooleanSupplier timelineShown;
    private boolean awaited;

    /// @param timelineShown whether the Timeline is the view that is shown
    NewestResult(ResultsViewModel results, TimelineViewModel timeline, LatestRun latestRun, Notifier notifier,
            BooleanSupplier timelineShown) {
        this.results = results;
        this.timeline = timeline;
        this.latestRun = latestRun;
        this.notifier = notifier;
        this.timelineShown = timelineShown;
    }

    /// Opens the newest result, after the list of results if that is being read.
    void open() {
        awaited = true;
        if (!results.loading().get()) {
            openFirst();
        }
    }

    private void openFirst() {
        results.newest().ifPresentOrElse(results::open, () -> {
            awaited = false;
            notifier.problem(text("timeline.no-results"));
        });
    }

    /// Fills a Timeline in which no run is open.
    void fillTimeline() {
        if (timeline.run().get() != null) {
            return;
        }
        OpenedExperiment opened = results.opened().get();
        if (opened != null) {
            timeline.open(opened.record(), 0);
        } else {
            findLatestRun();
        }
    }

    private void findLatestRun() {
        latestRun.find((record, run) -> {
            if (isTimelineEmpty()) {
                timeline.open(record, run);
            }
        });
    }

    private boolean isTimelineEmpty() {
        return timelineShown.getAsBoolean() && timeline.run().get() == null;
    }

    /// The list of results was read.
    void listed() {
        if (awaited && !results.opening().get()) {
            openFirst();
        } else if (isTimelineEmpty()) {
            findLatestRun();
        }
    }

    /// A result was opened, or could not be.
    void openingEnded() {
        if (awaited && results.opened().get() == null) {
            awaited = false;
            if (!results.problem().get().isEmpty()) {
                notifier.problem(results.problem().get());
            }
        }
    }

    /// Another result is open; null after it was closed.
    void resultOpened(@Nullable OpenedExperiment opened) {
        if (opened != null && timelineShown.getAsBoolean() && awaited) {
            timeline.open(opened.record(), 0);
        }
        awaited &= opened == null;
    }
}
