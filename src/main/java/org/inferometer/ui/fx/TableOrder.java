package org.inferometer.ui.fx;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import org.inferometer.results.bundle.SavedLook.TableLook;

/// Takes down the order of a table's columns and rows, and brings it back.
public final class TableOrder {
    private TableOrder() {}

    /// The order of a table.
    public static TableLook read(TableView<?> table) {
        List<String> columns =
                table.getColumns().stream().map(column -> Optional.ofNullable(column.getId()).orElse("")).toList();
        if (table.getSortOrder().isEmpty()) {
            return new TableLook(String.valueOf(table.getId()), columns, "", false);
        }
        TableColumn<?, ?> by = table.getSortOrder().getFirst();
        return new TableLook(String.valueOf(table.getId()), columns, Optional.ofNullable(by.getId()).orElse(""),
                by.getSortType() == TableColumn.SortType.DESCENDING);
    }

    /// Gives a table an order. Columns that it does not name come last; names that the table does not have are ignored.
    public static <R> void show(TableView<R> table, TableLook look) {
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
}
