package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Texts.text;

import java.util.function.Function;
import java.util.function.IntConsumer;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.benchmark.ExperimentRecord;
import org.inferometer.benchmark.RunRecord;
import org.inferometer.measurement.Verdict;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Remembered;
import org.inferometer.ui.fx.WholeTextCell;
import org.inferometer.ui.theme.Chips;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The runs of an experiment, with what their reader had to say.
final class RunTable {
    private RunTable() {}

    /// @param showTimeline shows the run at a place among the experiment's runs over time
    /// @param memory keeps the widths that a person dragged
    static Node createView(ExperimentRecord experiment, IntConsumer showTimeline, Remembered memory) {
        TableView<RunRecord> table = new TableView<>();
        table.setId("run-table");
        table.getStyleClass().add("dense");
        table.getColumns().add(words("runs.number", 50, run -> Integer.toString(run.manifest().plan().run() + 1)));
        table.getColumns().add(words("runs.cell", 280, run -> run.manifest().plan().cell().label()));
        table.getColumns().add(words("runs.repetition", 92, run -> Integer.toString(run.manifest().plan().repetition() + 1)));
        table.getColumns().add(nodes("runs.status", 130, run -> Chips.of(run.manifest().status())));
        table.getColumns().add(words("runs.requests", 110, RunTable::requests));
        table.getColumns().add(words("runs.executor", 150, run -> run.manifest().executor()));
        table.getColumns().add(nodes("runs.verdict", 110, RunTable::verdict));
        TableColumn<RunRecord, String> notes = words("runs.notes", 200, RunTable::notes);
        table.getColumns().add(notes);
        ColumnWidths.keep(table, notes).remember(memory, "columns.runs");
        table.getItems().setAll(experiment.runs());
        table.setPlaceholder(new Label(text("runs.none")));
        VBox.setVgrow(table, Priority.ALWAYS);
        Runnable show = () -> showTimeline.accept(table.getSelectionModel().getSelectedIndex());
        Button timeline = new Button(text("action.show-timeline"), new FontIcon("mdmz-timeline"));
        timeline.setId("run-timeline");
        timeline.disableProperty().bind(table.getSelectionModel().selectedItemProperty().isNull());
        timeline.setOnAction(event -> show.run());
        Label hint = new Label(text("runs.hint"));
        hint.getStyleClass().addAll("muted", "small-text");
        HBox bar = new HBox(10, timeline, hint);
        bar.setAlignment(Pos.CENTER_LEFT);
        table.getSelectionModel().selectFirst();
        table.setOnMouseClicked(event -> {
            if (event.getClickCount() == 2 && !table.getSelectionModel().isEmpty()) {
                show.run();
            }
        });
        table.setOnKeyPressed(event -> {
            if (event.getCode() == KeyCode.ENTER && !table.getSelectionModel().isEmpty()) {
                show.run();
            }
        });
        VBox box = new VBox(8, bar, table);
        VBox.setVgrow(box, Priority.ALWAYS);
        return box;
    }

    private static String requests(RunRecord run) {
        long measured = run.observations().requests().stream().filter(request -> !request.warmUp()).count();
        long ok = run.observations().requests().stream().filter(request -> !request.warmUp() && request.ok()).count();
        return text("runs.ok-of", ok, measured);
    }

    private static Node verdict(RunRecord run) {
        Verdict judged = run.manifest().verdict();
        return judged == null ? new Label("–") : Chips.of(judged.grade());
    }

    private static String notes(RunRecord run) {
        String failure = run.manifest().failure();
        String notes = String.join(" ", run.notes());
        return failure.isEmpty() ? notes : (failure + " " + notes).strip();
    }

    private static TableColumn<RunRecord, String> words(String key, double width, Function<RunRecord, String> value) {
        TableColumn<RunRecord, String> column = new TableColumn<>(text(key));
        column.setId(key);
        column.setPrefWidth(width);
        column.setCellFactory(view -> new WholeTextCell<>());
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(value.apply(row.getValue())));
        return column;
    }

    private static TableColumn<RunRecord, RunRecord> nodes(String key, double width, Function<RunRecord, Node> node) {
        TableColumn<RunRecord, RunRecord> column = new TableColumn<>(text(key));
        column.setId(key);
        column.setPrefWidth(width);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(row.getValue()));
        column.setCellFactory(view -> new TableCell<>() {
            @Override
            protected void updateItem(@Nullable RunRecord item, boolean empty) {
                super.updateItem(item, empty);
                setGraphic(empty || item == null ? null : node.apply(item));
            }
        });
        return column;
    }
}
