package org.inferometer.ui.engines;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.EngineCalibration.Part;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;

/// The error of each layer's projections in an engine whose scales a text helped to choose.
final class CalibrationPane {
    private static final int MOST_ROWS = 12;

    private CalibrationPane() {}

    static Node of(EngineCalibration calibration) {
        Label sentence = Labels.wrapped(calibration.sentence());
        sentence.setId("engine-calibration");
        TableView<Part> table = new TableView<>(FXCollections.observableList(calibration.parts()));
        table.setId("engine-errors");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
        table.getColumns()
                .setAll(List.of(TableColumns.numbers("engines.error-layer", 70, Part::layer, String::valueOf),
                        TableColumns.text("engines.error-inputs", 180, Part::inputs),
                        TableColumns.numbers("engines.error-strength", 100, Part::strength, QuantityText::significant),
                        TableColumns.numbers("engines.error-nearest", 150, Part::nearestError,
                                CalibrationPane::percent),
                        TableColumns.numbers("engines.error-calibrated", 120, Part::error, CalibrationPane::percent)));
        RowHeights.fit(table, Math.min(MOST_ROWS, calibration.parts().size()),
                ColumnWidths.keep(table, table.getColumns().getLast()).overflowing());
        return new VBox(8, sentence, table);
    }

    private static String percent(double share) {
        return QuantityText.significant(100 * share) + " %";
    }
}
