package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.transformation.FilteredList;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.EngineInspection.TensorView;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;

/// The tensors of an engine's file.
final class TensorTable {
    private static final int VISIBLE_ROWS = 11;

    private final TextField filter = SearchFields.of("engine-tensor-filter", text("engines.tensor-filter"));
    private final TensorValuesModel values;
    private final Node histogram;

    TensorTable(TensorValuesModel values) {
        this.values = values;
        this.histogram = new TensorValuesPane(values).node();
    }

    /// @param row of the list, which says whether there are values
    Node show(EngineRow row, EngineInspection engine) {
        values.clear();
        FilteredList<TensorView> rows = new FilteredList<>(FXCollections.observableList(engine.tensors()));
        filter.setText("");
        TableView<TensorView> table = new TableView<>();
        table.setId("engine-tensors");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
        table.setPlaceholder(new Label(text("engines.no-tensor")));
        table.getColumns().setAll(List.of(TableColumns.text("engines.tensor-name", 222, TensorView::name),
                TableColumns.text("engines.tensor-type", 70, tensor -> tensor.dtype().name().toLowerCase(Locale.ROOT)),
                TableColumns.text("engines.tensor-shape", 110,
                        tensor -> tensor.shape().stream().map(String::valueOf).collect(Collectors.joining(" × "))),
                TableColumns.numbers("engines.tensor-bytes", 90, TensorView::bytes, QuantityText::bytes),
                TableColumns.text("engines.tensor-meaning", 330, TensorView::meaning)));
        WeightSources sources = engine.sources();
        if (sources != null) {
            table.getColumns().add(TableColumns.text("engines.tensor-source", 330,
                    tensor -> sources.sentence(tensor.weight()).orElse("")));
        }
        RowHeights.fit(table, VISIBLE_ROWS, ColumnWidths.keep(table, table.getColumns().getLast()).overflowing());
        table.setItems(rows);
        filter.textProperty().subscribe(wanted -> rows.setPredicate(tensor -> LetterCase
                .lower(tensor.name() + " " + tensor.meaning()).contains(LetterCase.lower(wanted.strip()))));
        HBox.setHgrow(filter, Priority.ALWAYS);
        return new VBox(8, Panes.row(8, filter, reader(row, table)), histogram, table);
    }

    private Button reader(EngineRow row, TableView<TensorView> table) {
        ReadOnlyObjectProperty<TensorView> chosen = table.getSelectionModel().selectedItemProperty();
        Button read = Buttons.of("engine-tensor-values", "mdal-bar_chart", text("engines.values"), () -> {
            TensorView tensor = chosen.get();
            if (tensor != null) {
                values.read(row.entry().folder(), tensor.weight());
            }
        });
        read.setMinWidth(Region.USE_PREF_SIZE);
        read.setTooltip(new Tooltip(text("engines.values.tooltip")));
        BooleanBinding none = chosen.isNull().or(values.reading());
        if (row.state() == State.BUILT) {
            read.disableProperty().bind(none);
        } else {
            read.setDisable(true);
        }
        return read;
    }
}
