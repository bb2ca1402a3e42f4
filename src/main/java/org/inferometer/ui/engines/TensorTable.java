package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.transformation.FilteredList;
import javafx.geometry.Pos;
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
import org.inferometer.engine.TensorStatistics;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

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
        TableView<TensorView> table = TableColumns.table("engine-tensors");
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

    /// Figures and histogram of a weight's values.
    private static final class TensorValuesPane {
        private static final double HEIGHT = 90;
        private static final double MOST_BAR_WIDTH = 20;

        private final TensorValuesModel model;
        private final VBox root = Panes.named("tensor-values", new VBox(8));

        TensorValuesPane(TensorValuesModel model) {
            this.model = model;
            model.values().addListener((observed, before, now) -> show());
            model.problem().addListener((observed, before, now) -> show());
            model.reading().subscribe(now -> show());
        }

        Node node() {
            return root;
        }

        private void show() {
            TensorValuesModel.@Nullable Values values = model.values().get();
            root.getChildren().clear();
            if (model.reading().get()) {
                root.getChildren().add(Labels.of(text("engines.values-reading"), Styles.TEXT_MUTED));
            } else if (!model.problem().get().isEmpty()) {
                root.getChildren().add(Labels.wrapped(model.problem().get(), StyleClasses.CALLOUT_WARNING));
            } else if (values != null) {
                Label figures = Panes.named("tensor-figures", Labels.wrapped(sentence(values)));
                TensorStatistics found = values.statistics();
                root.getChildren().addAll(figures, bars(found), axis(found));
            }
            Panes.show(root, !root.getChildren().isEmpty());
        }

        private static String sentence(TensorValuesModel.Values values) {
            TensorStatistics found = values.statistics();
            return text("engines.values-figures", values.weight(), found.count(),
                    QuantityText.significant(found.meanAbsolute()), QuantityText.significant(found.standardDeviation()),
                    QuantityText.significant(100.0 * found.zeros() / found.count()));
        }

        private static Node bars(TensorStatistics found) {
            HBox bars = new HBox(1);
            bars.setAlignment(Pos.BOTTOM_LEFT);
            bars.setMinHeight(HEIGHT);
            bars.setAccessibleText(text("engines.values-histogram", QuantityText.significant(found.min()),
                    QuantityText.significant(found.max())));
            long most = Collections.max(found.bins());
            for (int bin = 0; bin < TensorStatistics.BINS; bin++) {
                long count = found.bins().get(bin);
                Region bar = Panes.styled(new Region(), StyleClasses.LENGTH_BAR);
                bar.setMinHeight(count == 0 ? 0 : Math.max(1, HEIGHT * count / most));
                bar.setMaxHeight(bar.getMinHeight());
                Region space = new Region();
                VBox column = new VBox(space, bar);
                VBox.setVgrow(space, Priority.ALWAYS);
                column.setPrefWidth(MOST_BAR_WIDTH);
                column.setMaxWidth(MOST_BAR_WIDTH);
                Tooltip.install(column,
                        new Tooltip(text("engines.values-bin", QuantityText.significant(found.binStart(bin)),
                                QuantityText.significant(found.binStart(bin + 1)), count)));
                HBox.setHgrow(column, Priority.ALWAYS);
                bars.getChildren().add(column);
            }
            bars.setMaxWidth(TensorStatistics.BINS * (MOST_BAR_WIDTH + 1));
            return bars;
        }

        private static Node axis(TensorStatistics found) {
            HBox axis = Panes.row(4,
                    Labels.fixed(QuantityText.significant(found.min()), Styles.TEXT_MUTED, Styles.TEXT_SMALL),
                    Panes.spacer(),
                    Labels.fixed(QuantityText.significant(found.max()), Styles.TEXT_MUTED, Styles.TEXT_SMALL));
            axis.setMaxWidth(TensorStatistics.BINS * (MOST_BAR_WIDTH + 1));
            return axis;
        }
    }
}
