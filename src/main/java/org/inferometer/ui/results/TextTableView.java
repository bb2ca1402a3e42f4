package org.inferometer.ui.results;

import java.util.List;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import org.inferometer.report.FigureText;

/// Shows a [TextTable]: names at the left, figures right-aligned.
final class TextTableView {
    private static final double ROW_HEIGHT = 34;
    private static final double SIGN_WIDTH = 8;
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
            made.setCellValueFactory(row -> new ReadOnlyStringWrapper(column < row.getValue().size() ? row.getValue().get(column) : ""));
            made.setSortable(false);
            made.setReorderable(false);
            boolean figures = i > 0 && table.rows().stream().allMatch(row -> column >= row.size() || looksLikeFigure(row.get(column)));
            if (figures) {
                made.getStyleClass().add("figures-column");
            }
            made.setPrefWidth(i == 0 ? 250 : figures ? 110 : wide(table, column));
            made.setMinWidth(i == 0 ? 180 : 60);
            view.getColumns().add(made);
        }
        view.getItems().setAll(table.rows());
        view.setColumnResizePolicy(table.header().size() <= 10 ? TableView.CONSTRAINED_RESIZE_POLICY_FLEX_LAST_COLUMN : TableView.UNCONSTRAINED_RESIZE_POLICY);
        Label none = new Label("");
        none.setAlignment(Pos.CENTER);
        view.setPlaceholder(none);
        view.setFixedCellSize(ROW_HEIGHT);
        double height = ROW_HEIGHT * (Math.min(visibleRows, table.rows().size()) + 1) + 20;
        view.setMinHeight(height);
        view.setPrefHeight(height);
        return view;
    }

    private static double wide(TextTable table, int column) {
        int signs = table.rows().stream().filter(row -> column < row.size()).mapToInt(row -> row.get(column).length()).max().orElse(0);
        return Math.clamp(signs * SIGN_WIDTH, 110, 320);
    }

    private static boolean looksLikeFigure(String cell) {
        return cell.isEmpty() || cell.equals("-") || cell.equals(FigureText.NOT_RECORDED) || cell.startsWith("n <") || cell.equals("–") || Character.isDigit(cell.charAt(0))
                || (cell.length() > 1 && "+-−≈<".indexOf(cell.charAt(0)) >= 0);
    }
}
