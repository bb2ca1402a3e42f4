package org.inferometer.ui.shell;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.results.bundle.SavedLook;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.results.ComparisonViewModel;
import org.inferometer.ui.results.OpenedExperiment;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.ui.results.ResultsView;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.results.ShownResults;
import org.inferometer.ui.results.ShownResults.TimelinePart;
import org.inferometer.ui.timeline.RunChoice;
import org.inferometer.ui.timeline.TimeWindow;
import org.inferometer.ui.timeline.TimelineState;
import org.inferometer.ui.timeline.TimelineViewModel;

/// Takes down what the window shows of results, and brings it back: the result, then its comparison, then the Timeline, each once it
/// was read. Belongs to the JavaFX thread.
final class ShownState {
    private final ResultTools tools;
    private final BackgroundWork work;
    private final ResultsViewModel results;
    private final ComparisonViewModel comparison;
    private final ResultsView view;
    private final TimelineViewModel timeline;
    private final TimelineState timelineState;
    private Optional<ShownResults> pending = Optional.empty();
    private boolean resultAwaited;

    ShownState(ResultTools tools, BackgroundWork work, ResultsViewModel results, ComparisonViewModel comparison,
            ResultsView view, TimelineViewModel timeline) {
        this.tools = tools;
        this.work = work;
        this.results = results;
        this.comparison = comparison;
        this.view = view;
        this.timeline = timeline;
        timelineState = new TimelineState(timeline);
        results.opening().addListener((observed, before, now) -> {
            if (!now && resultAwaited) {
                resultAwaited = false;
                pending.ifPresent(this::resultRead);
            }
        });
        // Who opens another result meanwhile is not led back.
        results.opened().addListener((observed, before, now) -> {
            if (now != null && !resultAwaited && pending.isPresent()
                    && !pending.get().opened().equals(Optional.of(plain(now.record().folder())))) {
                pending = Optional.empty();
            }
        });
    }

    /// Whether nothing else was asked for meanwhile.
    private boolean isPending(ShownResults shown) {
        return pending.filter(awaited -> awaited == shown).isPresent();
    }

    /// What is shown; while something is brought back, all of it.
    ShownResults now() {
        return pending.orElseGet(() -> {
            OpenedExperiment opened = results.opened().get();
            return new ShownResults(Optional.ofNullable(opened).map(open -> plain(open.record().folder())),
                    comparison.parts(), comparison.anyway().get(), timelinePart(),
                    new SavedLook(view.look(), view.comparisonLook(), timelineState.look()));
        });
    }

    private Optional<TimelinePart> timelinePart() {
        RunChoice chosen = timeline.run().get();
        if (chosen == null || timeline.sheet().get() == null) {
            return Optional.empty();
        }
        TimeWindow window = timeline.visible().window().get();
        return timeline.folder().map(
                folder -> new TimelinePart(plain(folder), timeline.runs().indexOf(chosen), window.from(), window.to()));
    }

    /// Whether the Timeline will be filled.
    boolean awaitsTimeline() {
        return pending.flatMap(ShownResults::timeline).isPresent();
    }

    /// Shows it step by step. What cannot be read is left out.
    void show(ShownResults shown) {
        pending = Optional.of(shown);
        shown.opened().ifPresentOrElse(folder -> {
            resultAwaited = true;
            results.open(folder);
        }, () -> resultRead(shown));
    }

    private void resultRead(ShownResults shown) {
        if (!isPending(shown)) {
            return;
        }
        OpenedExperiment opened = results.opened().get();
        boolean asWanted = opened != null && shown.opened().equals(Optional.of(plain(opened.record().folder())));
        if (asWanted) {
            view.show(shown.look().page());
        } else if (shown.opened().isPresent() && results.problem().get().isEmpty()) {
            // The user closed it or opened another one.
            pending = Optional.empty();
            return;
        }
        if (shown.compared().isEmpty()) {
            comparison.close();
            comparisonRead(shown);
            return;
        }
        work.run(WindowWork.OWN, () -> tools.rows(shown.compared()), sides -> {
            if (isPending(shown) && sides.size() > 1 && results.opened().get() == opened) {
                comparison.open(sides, shown.anyway());
                view.show(shown.look().comparison());
            }
            comparisonRead(shown);
        }, failure -> comparisonRead(shown));
    }

    private void comparisonRead(ShownResults shown) {
        if (!isPending(shown)) {
            return;
        }
        TimelinePart part = shown.timeline().orElse(null);
        OpenedExperiment opened = results.opened().get();
        if (part == null) {
            pending = Optional.empty();
        } else if (opened != null && plain(opened.record().folder()).equals(part.folder())) {
            openTimeline(opened.record(), part, shown);
        } else {
            work.run(WindowWork.OPEN_RESULT, () -> tools.open(part.folder()),
                    record -> openTimeline(record, part, shown), failure -> end(shown), () -> end(shown));
        }
    }

    private void openTimeline(ExperimentRecord record, TimelinePart part, ShownResults shown) {
        if (!isPending(shown)) {
            return;
        }
        pending = Optional.empty();
        timelineState.open(record, part.run(), new TimeWindow(part.fromNanos(), part.toNanos()),
                shown.look().timeline());
    }

    private void end(ShownResults shown) {
        if (isPending(shown)) {
            pending = Optional.empty();
        }
    }

    private static Path plain(Path folder) {
        return folder.toAbsolutePath().normalize();
    }
}
