package org.inferometer.ui.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.results.ResultsViewModel;
import org.inferometer.ui.shell.NewestResult.LatestRun;
import org.inferometer.ui.timeline.TimelineViewModel;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewestResultTest {
    private final LibraryTwin library;
    private final ResultsViewModel results;
    private final TimelineViewModel timeline;
    private final NewestResult newest;
    private final List<String> problems = new ArrayList<>();
    private boolean timelineShown;

    NewestResultTest(@TempDir Path folder) {
        library = new LibraryTwin(folder);
        results = new ResultsViewModel(library.tools(), new InlineUi().work());
        timeline = new TimelineViewModel(new InlineUi().work());
        newest = new NewestResult(results, timeline, new LatestRun(results, library.tools(), new InlineUi().work()),
                new Notifier() {
                    @Override
                    public void done(String sentence) {}

                    @Override
                    public void problem(String sentence) {
                        problems.add(sentence);
                    }
                }, () -> timelineShown);
        results.opened().addListener((observed, before, now) -> newest.resultOpened(now));
        results.opening().addListener((observed, before, now) -> {
            if (!now) {
                newest.openingEnded();
            }
        });
        results.loading().addListener((observed, before, now) -> {
            if (!now) {
                newest.listed();
            }
        });
    }

    private void addWithoutRuns(String id, Instant when) {
        library.add(Experiments.record(library.folder().resolve(id),
                Experiments.manifest(id, Experiments.QUICK, RunStatus.COMPLETE, Verdict.Grade.VALID, when), List.of()));
    }

    private void addWithRuns() {
        library.add(Experiments.virtual(library.folder().resolve("virtual")));
    }

    @Test
    void theNewestResultOpensOnRequestWithItsTimeline() {
        addWithoutRuns("old", Instant.EPOCH);
        addWithRuns();
        results.refresh();
        timelineShown = true;
        newest.open();
        assertThat(results.opened().get().record().folder()).isEqualTo(library.folder().resolve("virtual"));
        assertThat(timeline.name()).isEqualTo("schedulers");
    }

    @Test
    void anotherViewKeepsTheTimelineAsItWas() {
        addWithRuns();
        results.refresh();
        newest.open();
        assertThat(results.opened().get()).isNotNull();
        assertThat(timeline.run().get()).isNull();
    }

    @Test
    void aSentenceSaysThatNothingIsThere() {
        results.refresh();
        newest.open();
        assertThat(problems).containsExactly("There is no result. Run an experiment first (F5).");
        addWithRuns();
        results.refresh();
        assertThat(results.opened().get()).as("the request was answered").isNull();
    }

    @Test
    void anEmptyTimelineTakesTheOpenResult() {
        addWithRuns();
        results.refresh();
        results.open(library.folder().resolve("virtual"));
        newest.fillTimeline();
        assertThat(timeline.run().get()).isEqualTo(timeline.runs().getFirst());
    }

    @Test
    void anEmptyTimelineTakesTheNewestRecordedRun() {
        addWithRuns();
        addWithoutRuns("newer", Instant.parse("2026-12-01T00:00:00Z"));
        results.refresh();
        timelineShown = true;
        newest.fillTimeline();
        assertThat(timeline.name()).isEqualTo("schedulers");
        assertThat(timeline.run().get()).isEqualTo(timeline.runs().getLast());
        assertThat(results.opened().get()).isNull();
    }

    @Test
    void aShownRunStays() {
        addWithRuns();
        results.refresh();
        results.open(library.folder().resolve("virtual"));
        newest.fillTimeline();
        timeline.run().set(timeline.runs().get(1));
        newest.fillTimeline();
        assertThat(timeline.run().get()).isEqualTo(timeline.runs().get(1));
    }
}
