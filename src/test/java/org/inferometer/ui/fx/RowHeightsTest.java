package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.geometry.Orientation;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.control.ScrollBar;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Pane;
import javafx.scene.layout.VBox;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.theme.TextSize;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class RowHeightsTest {
    /// With borders.
    private static final double HEADING = 42;
    private static final double BAR = 8;

    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 150})
    void aTableThatScrollsSidewaysDoesNotScrollDown(int percent) throws Exception {
        List<Orientation> bars = WaitForAsyncUtils.asyncFx(() -> {
            TableView<String> table = new TableView<>();
            table.setId("run-table");
            table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
            table.getColumns().addAll(List.of(TableColumns.text("runs.cell", 300, row -> row),
                    TableColumns.text("runs.executor", 300, row -> row)));
            table.getItems().setAll("1", "2", "3", "4");
            RowHeights.fit(table, 4, ColumnWidths.keep(table, table.getColumns().getLast()).overflowing());
            Appearance appearance = new Appearance(Shade.LIGHT);
            appearance.setTextSize(new TextSize(percent));
            Scene scene = new Scene(new VBox(table), 400, 900);
            appearance.dress(scene);
            for (int pulse = 0; pulse < 4; pulse++) {
                scene.snapshot(null);
            }
            return table.lookupAll(".scroll-bar").stream().filter(Node::isVisible).map(ScrollBar.class::cast)
                    .map(ScrollBar::getOrientation).toList();
        }).get(20, TimeUnit.SECONDS);
        assertThat(bars).containsExactly(Orientation.HORIZONTAL);
    }

    @Test
    void rowsAndTheTableGrowWithTheTexts() throws Exception {
        List<Double> heights = WaitForAsyncUtils.asyncFx(() -> {
            TableView<String> table = new TableView<>();
            table.setId("engine-sources");
            table.getColumns().add(new TableColumn<>("File"));
            ReadOnlyBooleanWrapper scrolls = new ReadOnlyBooleanWrapper();
            RowHeights.fit(table, 4, scrolls.getReadOnlyProperty());
            Appearance appearance = new Appearance(Shade.LIGHT);
            Scene scene = new Scene(new Pane(table));
            appearance.dress(scene);
            scene.snapshot(null);
            double usual = table.getPrefHeight();
            scrolls.set(true);
            double withBar = table.getPrefHeight();
            appearance.setTextSize(new TextSize(150));
            scene.snapshot(null);
            return List.of(usual, withBar, table.getFixedCellSize(), table.getPrefHeight());
        }).get(20, TimeUnit.SECONDS);
        assertThat(heights).containsExactly(4 * 26.0 + HEADING, 4 * 26.0 + HEADING + BAR, 39.0,
                4 * 39.0 + HEADING + BAR);
    }
}
