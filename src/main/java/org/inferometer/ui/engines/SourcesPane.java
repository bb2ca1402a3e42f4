package org.inferometer.ui.engines;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.control.TableView;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSources.SourceFile;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;

/// The checkpoint's files that an engine's weights were read from.
final class SourcesPane {
    private static final int MOST_ROWS = 6;

    private SourcesPane() {}

    static Node of(WeightSources sources) {
        TableView<SourceFile> table = new TableView<>(FXCollections.observableList(sources.files()));
        table.setId("engine-sources");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
        table.getColumns()
                .setAll(List.of(TableColumns.text("engines.source-file", 260, SourceFile::name),
                        TableColumns.numbers("engines.source-bytes", 90, SourceFile::bytes, QuantityText::bytes),
                        TableColumns.text("engines.source-sha256", 480, SourceFile::sha256)));
        RowHeights.fit(table, Math.min(MOST_ROWS, sources.files().size()),
                ColumnWidths.keep(table, table.getColumns().getLast()).overflowing());
        return table;
    }
}
