package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.twin.Experiments;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class RunTableTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    private static <T> T onFx(Callable<T> action) throws Exception {
        return WaitForAsyncUtils.asyncFx(action).get(20, TimeUnit.SECONDS);
    }

    /// Four runs; the second has a verdict of its own.
    private static ExperimentRecord record(@Nullable Verdict ofTheSecond, List<String> notes) {
        ExperimentManifest manifest =
                Experiments.manifest("made", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH);
        List<RunRecord> runs =
                new ArrayList<>(manifest.plan().stream().map(plan -> Experiments.runRecord(plan, manifest)).toList());
        RunRecord old = runs.get(1);
        RunManifest was = old.manifest();
        RunManifest judged = was.ended(new RunManifest.RunOutcome(was.status(), was.outcome().failure(),
                was.outcome().droppedSamples(), ofTheSecond));
        runs.set(1, new RunRecord(old.folderName(), judged, old.observations(), notes));
        return new ExperimentRecord(Path.of("made"), manifest, runs, List.of());
    }

    private static Parent shown(ExperimentRecord record) {
        Region view =
                RunTable.createView(OpenedExperiment.of(ResultRow.Origin.OWN, record, SchedulerRegistry.standard()),
                        run -> {}, new Settings(Path.of("no-such-folder", "settings")), () -> {});
        new Scene(view, 1166, 600);
        view.applyCss();
        view.layout();
        return view;
    }

    @SuppressWarnings("unchecked")
    private static TableView<RunRecord> table(Parent view) {
        return (TableView<RunRecord>) view.lookup("#run-table");
    }

    private static List<String> words(Parent view) {
        return view.lookup("#run-verdict").lookupAll(".label").stream().map(node -> ((Label) node).getText()).toList();
    }

    /// Comparing whole records would hold the window up, and numbers would stand as 1, 10, 2.
    @Test
    void theRunsStayInTheOrderInWhichTheyRan() throws Exception {
        onFx(() -> {
            assertThat(table(shown(record(null, List.of("noted")))).getColumns()).hasSize(8)
                    .noneMatch(TableColumn::isSortable);
            return null;
        });
    }

    @Test
    void theFirstRunThatCannotBeReliedOnIsChosenAndSaysWhy() throws Exception {
        onFx(() -> {
            Parent view = shown(record(Experiments.verdict(Verdict.Grade.INVALID), List.of()));
            assertThat(table(view).getSelectionModel().getSelectedIndex()).isEqualTo(1);
            assertThat(view.lookup("#run-verdict").isVisible()).isTrue();
            assertThat(words(view)).startsWith("Verdict conditions of run 2", "Send lateness p99 within 1 ms",
                    "not met · 4.8\u00a0ms · Close other programs or lower the rate.");
            table(view).getSelectionModel().select(0);
            assertThat(words(view)).startsWith("Verdict conditions of run 1", "Send lateness p99 within 1 ms",
                    "met · 0.21\u00a0ms");
            return true;
        });
    }

    @Test
    void ofARunThatNobodyJudgedNothingIsSaid() throws Exception {
        onFx(() -> {
            Parent view = shown(record(null, List.of()));
            table(view).getSelectionModel().select(1);
            assertThat(view.lookup("#run-verdict").isVisible()).isFalse();
            return true;
        });
    }

    @Test
    void notesHaveAColumnOnlyWhereThereAreAny() throws Exception {
        List<String> without = List.of("#", "Cell", "Repetition", "Status", "Requests", "Executor", "Verdict");
        List<String> with = List.of("#", "Cell", "Repetition", "Status", "Requests", "Executor", "Verdict", "Notes");
        onFx(() -> {
            assertThat(table(shown(record(null, List.of()))).getColumns()).extracting(TableColumn::getText)
                    .isEqualTo(without);
            assertThat(table(shown(record(null, List.of("Half of it is missing.")))).getColumns())
                    .extracting(TableColumn::getText).isEqualTo(with);
            return true;
        });
    }
}
