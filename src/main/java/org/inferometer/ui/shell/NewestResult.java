package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunObservations;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultRow;
import org.inferometer.ui.results.ResultTools;
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

    /// Finds the newest result with a recorded run, in the background. Belongs to the UI thread.
    static final class LatestRun {
        private final ResultsViewModel results;
        private final ResultTools tools;
        private final LatestWork work;

        /// Receives what was found, on the UI thread.
        interface FoundListener {
            /// @param run index of the newest run with requests or steps
            void found(ExperimentRecord record, int run);
        }

        private record Found(ExperimentRecord record, int run) {}

        LatestRun(ResultsViewModel results, ResultTools tools, BackgroundWork work) {
            this.results = results;
            this.tools = tools;
            this.work = new LatestWork(work);
        }

        /// Nothing is called without such a run, or if a later search began.
        void find(FoundListener listener) {
            List<Path> folders = results.readable().stream().map(ResultRow::folder).toList();
            work.run(WindowWork.OPEN_RESULT, () -> search(folders),
                    found -> found.ifPresent(newest -> listener.found(newest.record(), newest.run())), failure -> {});
        }

        private Optional<Found> search(List<Path> folders) {
            for (Path folder : folders) {
                Optional<Found> found = newestRun(folder);
                if (found.isPresent()) {
                    return found;
                }
            }
            return Optional.empty();
        }

        private Optional<Found> newestRun(Path folder) {
            ExperimentRecord record;
            try {
                record = tools.open(folder);
            } catch (IOException e) {
                // The list of results shows what is wrong with it.
                return Optional.empty();
            }
            for (int run = record.runs().size() - 1; run >= 0; run--) {
                RunObservations seen = record.runs().get(run).observations();
                if (!seen.requests().isEmpty() || !seen.steps().isEmpty()) {
                    return Optional.of(new Found(record, run));
                }
            }
            return Optional.empty();
        }
    }
}
