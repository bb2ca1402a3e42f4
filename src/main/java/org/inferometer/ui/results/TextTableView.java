package org.inferometer.ui.results;

import java.util.List;
import javafx.beans.binding.Bindings;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Region;
import org.inferometer.report.FigureText;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.OverflowCell;
import org.inferometer.ui.fx.TextWidths;

/// Shows a [TextTable]: names at the left, figures right-aligned.
final class TextTableView {
    private static final double ROW_HEIGHT = 34;
    private static final double HEADER_HEIGHT = 38;
    private static final double SCROLL_BAR = 14;
    private static final double NARROWEST = 60;
    private static final double WIDEST_NAME = 420;
    private static final double WIDEST = 320;
    private static final int MOST_VISIBLE_ROWS = 12;

    private TextTableView() {}

    static TableView<List<String>> createView(TextTable table) {
        return createView(table, MOST_VISIBLE_ROWS);
    }

    /// @param visibleRows more than these are scrolled to
    static TableView<List<String>> createView(TextTable table, int visibleRows) {
        TableView<List<String>> view = new TableView<>();
        view.getStyleClass().addAll("dense", "text-table");
        for (int i = 0; i < table.header().size(); i++) {
            int column = i;
            TableColumn<List<String>, String> made = new TableColumn<>(table.header().get(i));
            made.setCellValueFactory(
                    row -> new ReadOnlyStringWrapper(column < row.getValue().size() ? row.getValue().get(column) : ""));
            made.setSortable(false);
            made.setReorderable(false);
            boolean figures = i > 0
                    && table.rows().stream().allMatch(row -> column >= row.size() || looksLikeFigure(row.get(column)));
            if (figures) {
                made.getStyleClass().add("figures-column");
            }
            made.setCellFactory(cells -> new OverflowCell<>());
            made.setPrefWidth(width(table, column));
            made.setMinWidth(48);
            if (i == 0) {
                // A figure must not stand far from its name.
                made.setMaxWidth(Math.max(made.getPrefWidth(), WIDEST_NAME));
            }
            view.getColumns().add(made);
        }
        view.getItems().setAll(table.rows());
        Label none = new Label("");
        none.setAlignment(Pos.CENTER);
        view.setPlaceholder(none);
        view.setFixedCellSize(ROW_HEIGHT);
        double height = ROW_HEIGHT * Math.min(visibleRows, table.rows().size()) + HEADER_HEIGHT;
        view.setMinHeight(Region.USE_PREF_SIZE);
        view.setPrefHeight(height);
        if (!view.getColumns().isEmpty()) {
            view.prefHeightProperty()
                    .bind(Bindings.when(ColumnWidths.keep(view, view.getColumns().getFirst()).overflowing())
                            .then(height + SCROLL_BAR).otherwise(height));
        }
        return view;
    }

    private static double width(TextTable table, int column) {
        double whole = TextWidths.column(table.header().get(column),
                table.rows().stream().filter(row -> column < row.size()).map(row -> row.get(column)));
        return Math.clamp(whole, NARROWEST, column == 0 ? WIDEST_NAME : WIDEST);
    }

    private static boolean looksLikeFigure(String cell) {
        return cell.isEmpty() || cell.equals("-") || cell.equals(FigureText.NOT_RECORDED) || cell.startsWith("n <")
                || cell.equals("–") || Character.isDigit(cell.charAt(0))
                || (cell.length() > 1 && "+-−≈<".indexOf(cell.charAt(0)) >= 0);
    }
}
