package org.inferometer.ui.fx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.scene.Scene;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.layout.Pane;
import org.inferometer.report.charts.ChartRenderer.Shade;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.TextSize;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxToolkit;
import org.testfx.util.WaitForAsyncUtils;

class RowHeightsTest {
    @BeforeAll
    static void startToolkit() throws Exception {
        FxToolkit.registerPrimaryStage();
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
        assertThat(heights).containsExactly(4 * 26.0 + 38, 4 * 26.0 + 38 + 14, 39.0, 4 * 39.0 + 38 + 14);
    }
}
