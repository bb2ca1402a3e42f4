package org.inferometer.ui.chart;

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
            rows.getColumns().setAll(columns());
        }
        rows.setItems(FXCollections.observableList(shown.subList(1, shown.size())));
        long all = ChartTable.count(chart);
        count.setText(all > MOST_ROWS ? Messages.text("chart.table.part", shown.size() - 1, all)
                : Messages.text("chart.table.count", all));
    }

    private List<TableColumn<List<String>, String>> columns() {
        return IntStream.range(0, header.size()).mapToObj(i -> {
            TableColumn<List<String>, String> column = new TableColumn<>(header.get(i));
            column.setSortable(false);
            column.setCellValueFactory(row -> new ReadOnlyStringWrapper(row.getValue().get(i)));
            return column;
        }).toList();
    }
}
