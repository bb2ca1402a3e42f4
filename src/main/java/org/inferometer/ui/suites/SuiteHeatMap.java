package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.stream.DoubleStream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.suite.figures.SuiteMatrix;
import org.inferometer.suite.figures.SuiteMatrix.Figure;
import org.inferometer.suite.figures.SuiteMatrix.Row;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// One figure of all tests of a session under all loads. A cell has its value and its difference from the first test; its colour is
/// darker the larger the value is.
final class SuiteHeatMap {
    private static final double GAP = 12;
    private static final double MOST_HEIGHT = 220;
    private static final double NAME_WIDTH = 300;
    private static final double CELL_WIDTH = 116;
    private static final double CELL_HEIGHT = 38;
    private static final double FAINTEST = 0.06;
    private static final double STRONGEST = 0.5;

    private final SuitesViewModel model;
    private final ObjectProperty<Figure> figure = new SimpleObjectProperty<>(Figure.MEDIAN_TTFT);
    private final VBox pane = Panes.named("suite-heat-map", new VBox(8), StyleClasses.DETAIL_PANE);

    SuiteHeatMap(SuitesViewModel model) {
        this.model = model;
    }

    Node createView() {
        pane.setPadding(new Insets(GAP));
        model.session().matrices().subscribe(now -> show());
        figure.subscribe(now -> show());
        return pane;
    }

    private void show() {
        SuiteMatrix matrix = model.session().matrices().get().get(figure.get());
        Panes.show(pane, matrix != null && !matrix.rows().isEmpty());
        if (matrix == null || matrix.rows().isEmpty()) {
            pane.getChildren().clear();
            return;
        }
        ComboBox<Figure> chosen =
                ComboBoxes.of("suite-figure", each -> text("suites.figure", each.label(), each.unit()));
        chosen.getItems().setAll(Figure.values());
        chosen.setValue(figure.get());
        chosen.setAccessibleText(text("suites.figure-choice"));
        chosen.valueProperty().addListener((observed, before, now) -> figure.set(now));
        Row first = matrix.rows().getFirst();
        boolean single = matrix.rows().stream().anyMatch(row -> row.runs() < 2);
        Label note = Labels.of(
                text(figure.get().higherIsBetter() ? "suites.more-is-better" : "suites.less-is-better", first.test())
                        + (single ? " " + text("suites.single-runs") : ""),
                Styles.TEXT_MUTED);
        note.setMinWidth(0);
        pane.getChildren().setAll(Panes.row(12, chosen, note), scroll(grid(matrix, first)));
    }

    private static Node scroll(Node grid) {
        ScrollPane scroll = Panes.styled(Panes.scroll(grid), StyleClasses.PLAIN_SCROLL);
        scroll.setMaxHeight(MOST_HEIGHT);
        return scroll;
    }

    private static GridPane grid(SuiteMatrix matrix, Row first) {
        GridPane grid = new GridPane(2, 2);
        for (int column = 0; column < matrix.loads().size(); column++) {
            Label head = Labels.of(matrix.loads().get(column).text(), StyleClasses.COLUMN_HEAD);
            head.setPrefWidth(CELL_WIDTH);
            head.setAlignment(Pos.CENTER);
            grid.add(head, column + 1, 0);
        }
        double least = extreme(matrix, false);
        double most = extreme(matrix, true);
        for (int i = 0; i < matrix.rows().size(); i++) {
            Row row = matrix.rows().get(i);
            Label name = Labels.of(row.test(), StyleClasses.MIDDLE_CUT);
            name.setPrefWidth(NAME_WIDTH);
            name.setTooltip(new Tooltip(row.test()));
            grid.add(name, 0, i + 1);
            for (int column = 0; column < matrix.loads().size(); column++) {
                Double value = row.values().get(matrix.loads().get(column));
                if (value != null) {
                    Double base = row == first ? null : first.values().get(matrix.loads().get(column));
                    double share =
                            most > least ? (Math.log(value) - Math.log(least)) / (Math.log(most) - Math.log(least)) : 0;
                    grid.add(cell(value, base, share), column + 1, i + 1);
                }
            }
        }
        return grid;
    }

    /// Over all positive values of a table.
    private static double extreme(SuiteMatrix matrix, boolean largest) {
        DoubleStream values = matrix.rows().stream().flatMap(row -> row.values().values().stream())
                .mapToDouble(Double::doubleValue).filter(value -> value > 0);
        return (largest ? values.max() : values.min()).orElse(1);
    }

    private static Node cell(double value, @Nullable Double base, double share) {
        Region colour = Panes.styled(new Region(), StyleClasses.HEAT);
        colour.setOpacity(FAINTEST + Math.clamp(share, 0, 1) * (STRONGEST - FAINTEST));
        VBox texts = new VBox(Labels.of(QuantityText.significant(value), StyleClasses.TILE_TITLE));
        if (base != null && base > 0) {
            texts.getChildren().add(Labels.of(difference(value / base - 1), Styles.TEXT_SMALL));
        }
        texts.setAlignment(Pos.CENTER);
        StackPane cell = new StackPane(colour, texts);
        cell.setPrefSize(CELL_WIDTH, CELL_HEIGHT);
        return cell;
    }

    /// "▲ 12 %", "▼ 5 %", "± 0 %".
    private static String difference(double share) {
        long percent = Math.round(share * 100);
        return (percent > 0 ? "▲ " : percent < 0 ? "▼ " : "± ") + Math.abs(percent) + " %";
    }
}
