package org.inferometer.ui.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.IntStream;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.scene.control.Label;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartData;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.theme.StyleClasses;

/// The rows of a chart as a table: the first 10,000, with the count of all.
final class ChartTableView extends VBox {
    static final int MOST_ROWS = 10_000;
    private static final String NUMBER = "-?\\d+\\.\\d+(E-?\\d+)?";
    private static final MathContext SIX_DIGITS = new MathContext(6);
    private final TableView<List<String>> rows = new TableView<>();
    private final Label count = new Label();
    private List<String> header = List.of();

    ChartTableView() {
        setManaged(false);
        getStyleClass().add(StyleClasses.CHART_TABLE);
        count.getStyleClass().add(StyleClasses.TILE_FOOTER);
        VBox.setVgrow(rows, Priority.ALWAYS);
        getChildren().addAll(rows, count);
    }

    void show(ChartData chart) {
        List<List<String>> shown = ChartTable.rows(chart).limit(MOST_ROWS + 1L).toList();
        if (!shown.getFirst().equals(header)) {
            header = shown.getFirst();
            rows.getColumns().setAll(columns(shown.size() > 1 ? shown.get(1) : List.of()));
        }
        rows.setItems(FXCollections.observableList(shown.subList(1, shown.size())));
        long all = ChartTable.count(chart);
        count.setText(all > MOST_ROWS ? Messages.text("chart.table.part", shown.size() - 1, all)
                : Messages.counted("chart.table.count", all));
    }

    /// @param first the first row, by which columns of figures are known
    private List<TableColumn<List<String>, String>> columns(List<String> first) {
        return IntStream.range(0, header.size()).mapToObj(i -> {
            TableColumn<List<String>, String> column = new TableColumn<>(header.get(i));
            column.setSortable(false);
            column.setCellValueFactory(row -> new ReadOnlyStringWrapper(readable(row.getValue().get(i))));
            if (i < first.size() && first.get(i).matches(NUMBER)) {
                column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
            }
            return column;
        }).toList();
    }

    /// Six digits of a number: "226.667" of "226.66666666666669". Copied data keep all.
    static String readable(String cell) {
        return cell.matches(NUMBER)
                ? new BigDecimal(cell).round(SIX_DIGITS).stripTrailingZeros().toPlainString().replace('-', '−') : cell;
    }
}
