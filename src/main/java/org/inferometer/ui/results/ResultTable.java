package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.transformation.SortedList;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.SelectionMode;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableRow;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.OverflowCell;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The table of experiments.
public final class ResultTable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private ResultTable() {}

    /// @param memory keeps the widths that a person dragged
    static TableView<ResultRow> createView(ResultsViewModel model, Consumer<ResultRow> open, Settings memory) {
        TableView<ResultRow> table = new TableView<>();
        table.setId("results-table");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.RESULTS_TABLE);
        SortedList<ResultRow> sorted = new SortedList<>(model.rows());
        sorted.comparatorProperty().bind(table.comparatorProperty());
        table.setItems(sorted);
        table.getColumns().add(column("results.date", 172, ResultRow::started, ResultTable::stamp));
        table.getColumns().add(nodes("results.name", 190, ResultTable::name));
        table.getColumns().add(words("results.engines", 160, ResultRow::engines));
        TableColumn<ResultRow, String> schedulers = words("results.schedulers", 150, ResultRow::schedulers);
        table.getColumns().add(schedulers);
        table.getColumns().add(counts("results.cells", 60, ResultRow::cells));
        table.getColumns().add(counts("results.runs", 60, ResultRow::runs));
        table.getColumns().add(figures("results.best", 104, row -> row.bestTokensPerSecond().orElse(Double.NaN)));
        table.getColumns()
                .add(nodes("results.status", 118, row -> row.status().map(Chips::of).orElseGet(Chips::damaged)));
        table.getColumns().add(
                nodes("results.verdict", 106, row -> row.grade().<Node>map(Chips::of).orElseGet(() -> ungraded(row))));
        ColumnWidths.keep(table, schedulers).remember(memory, "columns.results");
        table.getSelectionModel().setSelectionMode(SelectionMode.MULTIPLE);
        table.setRowFactory(view -> {
            TableRow<ResultRow> row = new TableRow<>();
            row.setOnMouseClicked(event -> {
                if (event.getClickCount() == 2 && !row.isEmpty()) {
                    open.accept(row.getItem());
                }
            });
            row.itemProperty().addListener((observed, before, now) -> row
                    .setTooltip(now == null || now.problem().isEmpty() ? null : new Tooltip(now.problem())));
            return row;
        });
        table.setOnKeyPressed(event -> {
            ResultRow chosen = table.getSelectionModel().getSelectedItem();
            if (event.getCode() == KeyCode.ENTER && chosen != null) {
                open.accept(chosen);
                event.consume();
            }
        });
        keepSelection(table, model);
        return table;
    }

    /// What was chosen before the shelves are read again is chosen afterwards, where it is still there.
    private static void keepSelection(TableView<ResultRow> table, ResultsViewModel model) {
        Set<Path> chosen = new HashSet<>();
        model.loading().addListener((observed, before, now) -> {
            if (now) {
                chosen.clear();
                table.getSelectionModel().getSelectedItems().forEach(row -> chosen.add(row.folder()));
            } else if (table.getSelectionModel().isEmpty()) {
                for (int i = 0; i < table.getItems().size(); i++) {
                    if (chosen.contains(table.getItems().get(i).folder())) {
                        table.getSelectionModel().select(i);
                    }
                }
            }
        });
    }

    private static Node name(ResultRow row) {
        Label name = new Label(row.name());
        name.setTooltip(new Tooltip(String.valueOf(row.folder().getFileName())));
        HBox box = new HBox(6, name);
        box.setAlignment(javafx.geometry.Pos.CENTER_LEFT);
        box.getChildren().addAll(ResultTags.of(row.origin(), row.imported()));
        return box;
    }

    private static Label ungraded(ResultRow row) {
        return Labels.of(row.imported() ? text("results.not-judged") : "–", Styles.TEXT_MUTED);
    }

    /// "2026-11-20 09:15:07"; a dash for an unknown instant.
    public static String stamp(Instant instant) {
        return instant.equals(Instant.MIN) ? "–" : STAMP.format(instant);
    }

    private static TableColumn<ResultRow, String> words(String key, double width, Function<ResultRow, String> value) {
        TableColumn<ResultRow, String> column = column(key, width, value, words -> words);
        column.setCellFactory(view -> new OverflowCell<>());
        return column;
    }

    private static <T> TableColumn<ResultRow, T> column(String key, double width, Function<ResultRow, T> value,
            Function<T, String> words) {
        TableColumn<ResultRow, T> column = named(key, width);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(value.apply(row.getValue())));
        column.setCellFactory(view -> new TableCell<>() {
            @Override
            protected void updateItem(@Nullable T item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? null : words.apply(item));
            }
        });
        return column;
    }

    private static TableColumn<ResultRow, Integer> counts(String key, double width,
            Function<ResultRow, Integer> value) {
        TableColumn<ResultRow, Integer> column =
                column(key, width, value, number -> number == 0 ? "–" : Integer.toString(number));
        column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
        return column;
    }

    private static TableColumn<ResultRow, Double> figures(String key, double width, Function<ResultRow, Double> value) {
        TableColumn<ResultRow, Double> column =
                column(key, width, value, number -> number.isNaN() ? "–" : QuantityText.significant(number));
        column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
        return column;
    }

    private static TableColumn<ResultRow, ResultRow> nodes(String key, double width, Function<ResultRow, Node> node) {
        TableColumn<ResultRow, ResultRow> column = named(key, width);
        column.setSortable(false);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(row.getValue()));
        column.setCellFactory(view -> new TableCell<>() {
            @Override
            protected void updateItem(@Nullable ResultRow item, boolean empty) {
                super.updateItem(item, empty);
                setGraphic(empty || item == null ? null : node.apply(item));
            }
        });
        return column;
    }

    private static <T> TableColumn<ResultRow, T> named(String key, double width) {
        TableColumn<ResultRow, T> column = new TableColumn<>(text(key));
        column.setId(key);
        column.setPrefWidth(width);
        return column;
    }
}
