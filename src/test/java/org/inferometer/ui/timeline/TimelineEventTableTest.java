package org.inferometer.ui.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.scene.Scene;
import javafx.scene.control.ComboBox;
import javafx.scene.control.TableView;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.report.timeline.RunTimelineEvent;
import org.inferometer.report.timeline.RunTimelineRecords;
import org.inferometer.ui.twin.Experiments;
import org.inferometer.ui.twin.InlineUi;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class TimelineEventTableTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @Test
    void whereTwoRunsAreShownTheEventsOfEitherCanBeRead() throws Exception {
        WaitForAsyncUtils.asyncFx(() -> {
            ExperimentManifest manifest =
                    Experiments.manifest("made", Experiments.QUICK, RunStatus.COMPLETE, null, Instant.EPOCH);
            TimelineViewModel model = new TimelineViewModel(new InlineUi().work());
            model.open(new ExperimentRecord(Path.of("made"), manifest,
                    List.of(RunTimelineRecords.small(), RunTimelineRecords.large(30, 2, 3)), List.of()), 0);
            model.visible().showAll();
            TimelineEventTable pane = new TimelineEventTable(model);
            new Scene(pane, 900, 300);
            pane.applyCss();
            pane.layout();
            ComboBox<?> runs = (ComboBox<?>) pane.lookup("#timeline-event-run");
            @SuppressWarnings("unchecked") TableView<RunTimelineEvent> table =
                    (TableView<RunTimelineEvent>) pane.lookup("#timeline-event-table");
            assertThat(runs.isVisible()).isFalse();
            model.compared().set(model.runs().get(1));
            model.visible().showAll();
            TimelineSheet sheet = model.sheet().get();
            assertThat(runs.isVisible()).isTrue();
            assertThat(runs.getItems()).extracting(Object::toString).isEqualTo(sheet.titles());
            assertThat(table.getItems()).isNotEmpty().isEqualTo(sheet.panels().get(0).events().all());
            runs.getSelectionModel().select(1);
            assertThat(table.getItems()).isEqualTo(sheet.panels().get(1).events().all());
            model.compared().set(null);
            assertThat(runs.isVisible()).isFalse();
            assertThat(table.getItems()).isEqualTo(model.sheet().get().panels().getFirst().events().all());
            return true;
        }).get(20, TimeUnit.SECONDS);
    }
}
