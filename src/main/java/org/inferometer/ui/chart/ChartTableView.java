package org.inferometer.ui.chart;

import atlantafx.base.theme.Styles;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The rows of a chart as a table: the first 10,000, with the count of all.
final class ChartTableView extends VBox {
    static final int MOST_ROWS = 10_000;
    private static final String NUMBER = "-?\\d+\\.\\d+(E-?\\d+)?";
    private static final MathContext THREE_DIGITS = new MathContext(3);
    private static final int DIGITS = 5;
    private final TableView<List<String>> rows = Panes.styled(new TableView<>(), Styles.DENSE);
    private final Label count = Panes.styled(new Label(), StyleClasses.TILE_FOOTER);
    private List<String> header = List.of();
    private int[] decimals = {};

    ChartTableView() {
        setManaged(false);
        getStyleClass().add(StyleClasses.CHART_TABLE);
        VBox.setVgrow(rows, Priority.ALWAYS);
        getChildren().addAll(rows, count);
    }

    void show(ChartData chart) {
        List<List<String>> shown = ChartTable.rows(chart).limit(MOST_ROWS + 1L).toList();
        if (!shown.getFirst().equals(header)) {
            header = shown.getFirst();
            rows.getColumns().setAll(columns(shown.size() > 1 ? shown.get(1) : List.of()));
        }
        decimals = IntStream.range(0, header.size())
                .map(i -> decimals(shown.stream().skip(1).map(row -> row.get(i)).toList())).toArray();
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
            column.setCellValueFactory(row -> new ReadOnlyStringWrapper(readable(row.getValue().get(i), decimals[i])));
            if (i < first.size() && first.get(i).matches(NUMBER)) {
                column.getStyleClass().add(StyleClasses.FIGURES_COLUMN);
            }
            return column;
        }).toList();
    }

    /// Decimals of a column of numbers: those that its values have, but no more than give its largest value five digits.
    static int decimals(List<String> cells) {
        List<BigDecimal> numbers = cells.stream().filter(cell -> cell.matches(NUMBER)).map(BigDecimal::new).toList();
        int whole = numbers.stream().mapToInt(number -> number.precision() - number.scale()).max().orElse(0);
        int most = Math.max(0, DIGITS - Math.max(whole, 1));
        return numbers.stream()
                .mapToInt(number -> number.setScale(most, RoundingMode.HALF_EVEN).stripTrailingZeros().scale()).max()
                .stream().map(scale -> Math.max(scale, 0)).findFirst().orElse(0);
    }

    /// A number with the decimals of its column; one that would read 0 keeps three digits. Copied data keep all.
    static String readable(String cell, int decimals) {
        if (!cell.matches(NUMBER)) {
            return cell;
        }
        BigDecimal number = new BigDecimal(cell);
        BigDecimal rounded = number.setScale(decimals, RoundingMode.HALF_EVEN);
        boolean lost = rounded.signum() == 0 && number.signum() != 0;
        return (lost ? number.round(THREE_DIGITS) : rounded).toPlainString().replace('-', '−');
    }
}
