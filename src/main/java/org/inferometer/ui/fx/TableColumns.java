package org.inferometer.ui.fx;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.scene.Node;
import javafx.scene.control.TableCell;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableRow;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import org.inferometer.results.bundle.SavedLook.TableLook;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Makes columns of tables. The key of a column is its heading in the message bundle and its id.
public final class TableColumns {
    private TableColumns() {}

    /// A dense table without rows.
    public static <R> TableView<R> table(String id) {
        return Panes.named(id, new TableView<>(), Styles.DENSE, StyleClasses.TEXT_TABLE);
    }

    /// A column of text; a tooltip shows text that is cut.
    public static <R> TableColumn<R, String> text(String key, double width, Function<R, String> value) {
        TableColumn<R, String> column = named(key, width, value);
        column.setCellFactory(view -> new OverflowCell<>());
        return column;
    }

    /// A column of sentences, over as many lines as they need.
    public static <R> TableColumn<R, String> sentences(String key, double width, Function<R, String> value) {
        TableColumn<R, String> column = text(key, width, value);
        column.setCellFactory(view -> new WrappedCell<>());
        return column;
    }

    /// A column that is sorted by its values and shows their text.
    public static <R, T> TableColumn<R, T> values(String key, double width, Function<R, T> value,
            Function<T, String> text) {
        TableColumn<R, T> column = named(key, width, value);
        column.setCellFactory(view -> new TableCell<>() {
            @Override
            protected void updateItem(@Nullable T item, boolean empty) {
                super.updateItem(item, empty);
                setText(empty || item == null ? null : text.apply(item));
            }
        });
        return column;
    }

    /// A right-aligned column that is sorted by its values.
    public static <R, T> TableColumn<R, T> numbers(String key, double width, Function<R, T> value,
            Function<T, String> text) {
        TableColumn<R, T> column = values(key, width, value, text);
        column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
        return column;
    }

    /// A column of nodes, which cannot be sorted.
    public static <R> TableColumn<R, R> nodes(String key, double width, Function<R, Node> node) {
        TableColumn<R, R> column = named(key, width, row -> row);
        column.setSortable(false);
        column.setCellFactory(view -> new TableCell<>() {
            @Override
            protected void updateItem(@Nullable R item, boolean empty) {
                super.updateItem(item, empty);
                setGraphic(empty || item == null ? null : node.apply(item));
            }
        });
        return column;
    }

    /// Opens a row by a double click or Enter.
    ///
    /// @param changed called for the item that a row shows from now on; null for none
    public static <R> void onOpen(TableView<R> table, Consumer<R> open, RowListener<R> changed) {
        table.setRowFactory(view -> {
            TableRow<R> row = new TableRow<>();
            row.setOnMouseClicked(event -> {
                if (event.getClickCount() == 2 && !row.isEmpty()) {
                    open.accept(row.getItem());
                }
            });
            row.itemProperty().addListener((observed, before, now) -> changed.shows(row, now));
            return row;
        });
        table.setOnKeyPressed(event -> {
            R selected = table.getSelectionModel().getSelectedItem();
            if (event.getCode() == KeyCode.ENTER && selected != null) {
                open.accept(selected);
                event.consume();
            }
        });
    }

    /// Is called when a row shows another item.
    public interface RowListener<R> {
        /// @param item null for an empty row
        void shows(TableRow<R> row, @Nullable R item);
    }

    private static <R, T> TableColumn<R, T> named(String key, double width, Function<R, T> value) {
        TableColumn<R, T> column = new TableColumn<>(Messages.text(key));
        column.setId(key);
        column.setPrefWidth(width);
        column.setCellValueFactory(row -> new ReadOnlyObjectWrapper<>(value.apply(row.getValue())));
        return column;
    }

    /// The order of its columns and rows.
    public static TableLook order(TableView<?> table) {
        List<String> columns =
                table.getColumns().stream().map(column -> Optional.ofNullable(column.getId()).orElse("")).toList();
        if (table.getSortOrder().isEmpty()) {
            return new TableLook(String.valueOf(table.getId()), columns, "", false);
        }
        TableColumn<?, ?> by = table.getSortOrder().getFirst();
        return new TableLook(String.valueOf(table.getId()), columns, Optional.ofNullable(by.getId()).orElse(""),
                by.getSortType() == TableColumn.SortType.DESCENDING);
    }

    /// Brings an order back. Columns that it does not name come last; names that the table does not have are ignored.
    public static <R> void order(TableView<R> table, TableLook look) {
        List<TableColumn<R, ?>> columns = new ArrayList<>(table.getColumns());
        columns.sort(Comparator.comparingInt(column -> place(look.columns(), column)));
        if (!columns.equals(table.getColumns())) {
            table.getColumns().setAll(columns);
        }
        columns.stream().filter(
                column -> column.isSortable() && !look.sorted().isEmpty() && look.sorted().equals(column.getId()))
                .findFirst().ifPresent(column -> {
                    column.setSortType(
                            look.descending() ? TableColumn.SortType.DESCENDING : TableColumn.SortType.ASCENDING);
                    table.getSortOrder().setAll(List.of(column));
                });
    }

    private static int place(List<String> ids, TableColumn<?, ?> column) {
        int place = column.getId() == null ? -1 : ids.indexOf(column.getId());
        return place < 0 ? ids.size() : place;
    }

    /// A text cell that is as high as its text at the column's width.
    ///
    /// @param <R> a row
    private static final class WrappedCell<R> extends TableCell<R, String> {
        /// An empty cell.
        WrappedCell() {
            setWrapText(true);
        }

        @Override
        protected void updateItem(@Nullable String item, boolean empty) {
            super.updateItem(item, empty);
            setText(empty ? null : item);
        }

        /// A row asks without a width, which would be the height of one line.
        @Override
        protected double computePrefHeight(double width) {
            return super.computePrefHeight(width > 0 || getTableColumn() == null ? width : getTableColumn().getWidth());
        }
    }

    /// A text cell with a tooltip when its text is cut.
    ///
    /// @param <R> a row
    public static class OverflowCell<R> extends TableCell<R, String> {
        /// An empty cell.
        public OverflowCell() {
            textTruncatedProperty().addListener((observed, before, now) -> explain());
            textProperty().addListener((observed, before, now) -> explain());
        }

        @Override
        protected void updateItem(@Nullable String item, boolean empty) {
            super.updateItem(item, empty);
            setText(empty ? null : item);
        }

        private void explain() {
            if (!isTextTruncated() || getText() == null) {
                setTooltip(null);
                return;
            }
            Tooltip whole = new Tooltip(getText());
            whole.setWrapText(true);
            whole.setMaxWidth(480);
            setTooltip(whole);
        }
    }
}
