package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.RunRecord;
import org.inferometer.record.Verdict;
import org.inferometer.report.compare.CellLabels;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The runs of an experiment with notes, and the verdict conditions of the selected run.
final class RunTable {
    private static final int MOST_VISIBLE_ROWS = 12;

    private RunTable() {}

    /// @param showTimeline takes the index of a run
    /// @param memory stores column widths
    /// @param showDevices shows the Devices view, which some remedies need
    static Region createView(OpenedExperiment opened, IntConsumer showTimeline, Settings memory, Runnable showDevices) {
        ExperimentRecord experiment = opened.record();
        TableView<RunRecord> table = table(opened, memory);
        Consumer<RunRecord> show = run -> showTimeline.accept(experiment.runs().indexOf(run));
        Button timeline = Buttons.of("run-timeline", "mdmz-timeline", text("action.show-timeline"),
                () -> show.accept(table.getSelectionModel().getSelectedItem()));
        timeline.disableProperty().bind(table.getSelectionModel().selectedItemProperty().isNull());
        TableColumns.onOpen(table, show, (row, shown) -> {});
        VBox judged = Panes.named("run-verdict", new VBox(10), StyleClasses.CARD, StyleClasses.SECTION_CARD);
        table.getSelectionModel().selectedItemProperty()
                .addListener((observed, before, now) -> explain(judged, now, showDevices));
        explain(judged, null, showDevices);
        // An invalid run is selected first.
        int first = worst(experiment.runs());
        table.getSelectionModel().select(first);
        table.scrollTo(first);
        return new VBox(10, Panes.row(10, timeline, Labels.of(text("runs.hint"), Styles.TEXT_MUTED, Styles.TEXT_SMALL)),
                table, judged);
    }

    private static TableView<RunRecord> table(OpenedExperiment opened, Settings memory) {
        ExperimentRecord experiment = opened.record();
        TableView<RunRecord> table = TableColumns.table("run-table");
        CellLabels labels = CellLabels.of(experiment.manifest());
        TableColumn<RunRecord, String> executor =
                TableColumns.text("runs.executor", 170, run -> run.manifest().system().executor());
        table.getColumns()
                .addAll(List.of(
                        TableColumns.text("runs.number", 50,
                                run -> Integer.toString(run.manifest().plan().index().run() + 1)),
                        TableColumns.text("runs.cell", 220, run -> labels.of(run.manifest().plan())),
                        TableColumns.text("runs.repetition", 110,
                                run -> Integer.toString(run.manifest().plan().index().repetition() + 1)),
                        TableColumns.nodes("runs.status", 120, run -> Chips.of(run.manifest().status())),
                        TableColumns.text("runs.requests", 110, run -> requests(opened, run)), executor,
                        TableColumns.nodes("runs.verdict", 110, RunTable::verdict)));
        TableColumn<RunRecord, String> last = executor;
        if (experiment.runs().stream().anyMatch(run -> !notes(run).isEmpty())) {
            last = TableColumns.text("runs.notes", 200, RunTable::notes);
            table.getColumns().add(last);
        }
        table.getColumns().forEach(column -> column.setSortable(false));
        ColumnWidths widths = ColumnWidths.keep(table, last).remember(memory, "columns.runs");
        table.getItems().setAll(experiment.runs());
        table.setPlaceholder(new Label(text("runs.none")));
        RowHeights.fit(table, Math.clamp(experiment.runs().size(), 1, MOST_VISIBLE_ROWS), widths.overflowing());
        return table;
    }

    private static int worst(List<RunRecord> runs) {
        for (int i = 0; i < runs.size(); i++) {
            Verdict judged = runs.get(i).manifest().outcome().verdict();
            if (judged != null && judged.grade() == Verdict.Grade.INVALID) {
                return i;
            }
        }
        return 0;
    }

    /// Shows the verdict conditions of the selected run.
    private static void explain(VBox judged, @Nullable RunRecord run, Runnable showDevices) {
        Verdict verdict = run == null ? null : run.manifest().outcome().verdict();
        boolean reported = run != null && verdict != null && !verdict.conditions().isEmpty();
        Panes.show(judged, reported);
        judged.getChildren().clear();
        if (run != null && verdict != null) {
            judged.getChildren().setAll(Labels.of(text("runs.verdict-title", run.manifest().plan().index().run() + 1),
                    StyleClasses.TILE_TITLE), VerdictList.createView(verdict, showDevices));
        }
    }

    private static String requests(OpenedExperiment opened, RunRecord run) {
        OpenedExperiment.Ended ended = opened.ended().get(opened.record().runs().indexOf(run));
        return text("runs.ok-of", ended.ok(), ended.measured());
    }

    private static Node verdict(RunRecord run) {
        Verdict judged = run.manifest().outcome().verdict();
        return judged == null ? new Label("–") : Chips.of(judged.grade());
    }

    private static String notes(RunRecord run) {
        String failure = run.manifest().outcome().failure();
        String notes = String.join(" ", run.notes());
        return failure.isEmpty() ? notes : (failure + " " + notes).strip();
    }
}
