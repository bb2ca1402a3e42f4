package org.inferometer.ui.results;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.Text;
import org.inferometer.report.ReportTable;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.TableColumns.OverflowCell;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// Shows a [TextTable]: names at the left, figures right-aligned.
final class ReportTableView {
    private static final double NARROWEST = 60;
    private static final double WIDEST_NAME = 420;
    private static final double WIDEST = 320;
    private static final double BORDERS = 2;
    private static final double BAR = 14;
    private static final int MOST_VISIBLE_ROWS = 12;

    private ReportTableView() {}

    static TableView<List<String>> createView(ReportTable table) {
        return createView(table, MOST_VISIBLE_ROWS);
    }

    /// @param visibleRows the table scrolls when it has more
    static TableView<List<String>> createView(ReportTable table, int visibleRows) {
        TableView<List<String>> view =
                Panes.styled(new TableView<>(), Styles.DENSE, StyleClasses.TEXT_TABLE, StyleClasses.REPORT_TABLE);
        List<List<String>> rows = table.rows().stream().map(ReportTable.Row::cells).toList();
        List<List<String>> figures = rows.stream().filter(row -> !heads(row, table.columns().size())).toList();
        for (int i = 0; i < table.columns().size(); i++) {
            view.getColumns().add(column(table.columns().get(i), i, figures));
        }
        view.getItems().setAll(rows);
        view.setPlaceholder(new Label(""));
        ColumnWidths widths = ColumnWidths.keep(view, elastic(table, view));
        RowHeights.fit(view, Math.min(visibleRows, rows.size()), widths.overflowing());
        // It ends with its last column: an empty one would look like a missing figure.
        double bar = rows.size() > visibleRows ? BAR : 0;
        view.maxWidthProperty().bind(widths.widest().add(BORDERS + bar));
        return view;
    }

    /// Whether a row is a heading of those below.
    private static boolean heads(List<String> row, int columns) {
        return row.size() == 1 && columns > 1;
    }

    /// The first cell of a row. A heading runs over the empty cells beside it.
    private static final class FirstCell extends OverflowCell<List<String>> {
        private final Label heading = Labels.fixed("", StyleClasses.ROW_HEADING);
        private @Nullable Node clip;
        private boolean heads;

        private FirstCell() {
            // The skin clips a cell to its column.
            clipProperty().addListener((observed, before, now) -> {
                clip = now == null ? clip : now;
                showWhole();
            });
        }

        private void showWhole() {
            setClip(heads ? null : clip);
        }

        @Override
        protected void updateItem(@Nullable String item, boolean empty) {
            super.updateItem(item, empty);
            heads = !empty && getIndex() >= 0 && getIndex() < getTableView().getItems().size()
                    && heads(getTableView().getItems().get(getIndex()), getTableView().getColumns().size());
            heading.setText(heads ? item : "");
            setGraphic(heads ? heading : null);
            if (heads) {
                setText(null);
            }
            showWhole();
        }
    }

    /// A column of sentences at the end takes the remaining width, else the names.
    private static TableColumn<List<String>, ?> elastic(ReportTable table, TableView<List<String>> view) {
        return table.columns().getLast().align() == ReportTable.Align.RIGHT ? view.getColumns().getFirst()
                : view.getColumns().getLast();
    }

    private static TableColumn<List<String>, String> column(ReportTable.Column shown, int index,
            List<List<String>> rows) {
        // A heading has one cell.
        Function<List<String>, String> cell = row -> index < row.size() ? row.get(index) : "";
        TableColumn<List<String>, String> column = new TableColumn<>(shown.headerWithUnit());
        column.setCellValueFactory(row -> new ReadOnlyStringWrapper(cell.apply(row.getValue())));
        column.setCellFactory(cells -> index == 0 ? new FirstCell() : new OverflowCell<>());
        column.setSortable(false);
        column.setReorderable(false);
        if (shown.align() == ReportTable.Align.RIGHT) {
            column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
        }
        double whole = TextWidths.column(shown.headerWithUnit(), rows.stream().map(cell));
        column.setPrefWidth(Math.clamp(whole, NARROWEST, index == 0 ? WIDEST_NAME : WIDEST));
        column.setMinWidth(48);
        if (index == 0) {
            // A figure must not stand far from its name.
            column.setMaxWidth(Math.max(column.getPrefWidth(), WIDEST_NAME));
        }
        return column;
    }

    /// Measures text in the font of the window.
    public static final class TextWidths {
        // Font size of the root style and padding of a cell, in pixels.
        private static final double SIZE = 14;
        private static final double BESIDE = 20;

        private TextWidths() {}

        /// Width of a column, in pixels, in which no heading or cell is cut.
        public static double column(String heading, Stream<String> cells) {
            Font plain = Font.font(Font.getDefault().getFamily(), SIZE);
            Font bold = Font.font(Font.getDefault().getFamily(), FontWeight.BOLD, SIZE);
            return Math.ceil(Math.max(width(heading, bold),
                    cells.distinct().mapToDouble(cell -> width(cell, plain)).max().orElse(0))) + BESIDE;
        }

        private static double width(String words, Font font) {
            Text text = new Text(words);
            text.setFont(font);
            return text.getLayoutBounds().getWidth();
        }
    }
}
