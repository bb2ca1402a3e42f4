package org.inferometer.ui.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javafx.scene.control.Label;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentManifest.ExperimentTimes;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.ui.results.ResultTable.ResultList;
import org.inferometer.ui.results.SideChooser.ResultLabels;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.inferometer.ui.twin.LibraryTwin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class ResultListTest {
    private static final Instant STARTED = Instant.parse("2026-11-20T09:15:07Z");
    private static final Instant IMPORTED = Instant.parse("2026-11-24T00:47:41Z");

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void rowsShowTheDateByWhichTheyAreSorted() {
        ExperimentManifest own = Experiments.manifest("own", Experiments.QUICK, RunStatus.COMPLETE, null, STARTED);
        ExperimentManifest imported = new ExperimentManifest(own.formatVersion(), own.id(), own.spec(), own.plan(),
                own.machine(), new ExperimentTimes(STARTED, null, IMPORTED), own.outcome(), false);

        assertThat(ResultList.small(row(Optional.of(own)))).isEqualTo(ResultTable.minute(STARTED) + " · 4 cells");
        assertThat(ResultList.small(row(Optional.of(imported)))).isEqualTo("imported " + ResultTable.minute(IMPORTED));
        assertThat(new ResultLabels(List.of()).of(row(Optional.of(imported))))
                .isEqualTo("quick · " + ResultTable.minute(IMPORTED) + " · tiny-fp8, tiny-int4 · naive, continuous");
    }

    @Test
    void damagedResultSaysThatItCannotBeRead() {
        assertThat(ResultList.small(row(Optional.empty()))).isEqualTo("Cannot be read");
    }

    @Test
    void rowsWithoutVerdictShowWhy() {
        assertThat(state(RunStatus.COMPLETE, Verdict.Grade.INVALID)).contains("Invalid");
        assertThat(state(RunStatus.INTERRUPTED, null)).contains("Interrupted");
        assertThat(state(RunStatus.COMPLETE, null)).isEmpty();
        assertThat(ResultList.state(row(Optional.empty())).map(Label::getText)).contains("Damaged");
    }

    @Test
    void openResultStaysSelectedWhenRowsChange(@TempDir Path folder) throws Exception {
        LibraryTwin own = new LibraryTwin(folder);
        for (String id : List.of("first", "second")) {
            own.add(Experiments.record(folder.resolve(id),
                    Experiments.manifest(id, Experiments.QUICK, RunStatus.COMPLETE, Verdict.Grade.VALID, STARTED),
                    List.of()));
        }
        List<String> selected = WaitForAsyncUtils.asyncFx(() -> {
            ResultsViewModel results = new ResultsViewModel(own.tools(), new InlineUi().work());
            results.refresh();
            ResultList list = new ResultList(results, Label::new);
            List<String> shown = new ArrayList<>();
            results.open(folder.resolve("second"));
            list.follow();
            shown.add(selected(list));
            results.filter().search().set("nothing like this");
            shown.add(selected(list));
            results.filter().clear();
            shown.add(selected(list));
            own.add(Experiments.record(folder.resolve("third"), Experiments.manifest("third", Experiments.QUICK,
                    RunStatus.COMPLETE, Verdict.Grade.VALID, STARTED.plusSeconds(1)), List.of()));
            results.refresh();
            shown.add(selected(list));
            return shown;
        }).get(20, TimeUnit.SECONDS);

        assertThat(selected).containsExactly("second", "none", "second", "second");
    }

    private static String selected(ResultList list) {
        ResultRow row = list.createView().getSelectionModel().getSelectedItem();
        return row == null ? "none" : String.valueOf(row.folder().getFileName());
    }

    private static Optional<String> state(RunStatus status, Verdict.@Nullable Grade grade) {
        return ResultList.state(row(Optional.of(Experiments.manifest("r", Experiments.QUICK, status, grade, STARTED))))
                .map(Label::getText);
    }

    private static ResultRow row(Optional<ExperimentManifest> manifest) {
        return new ResultRow(ResultRow.Origin.OWN, Path.of("r"), manifest, manifest.isEmpty() ? "no such file" : "");
    }
}
