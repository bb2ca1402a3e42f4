package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.TableColumn;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineCalibration;
import org.inferometer.engine.EngineCalibration.Part;
import org.inferometer.engine.EngineInspection;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightSources;
import org.inferometer.engine.WeightSources.SourceFile;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.RowHeights;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// One engine: its actions, facts, memory needs and tensors.
final class EngineDetail {
    private static final int MOST_ERRORS = 12;
    private static final int MOST_SOURCES = 6;
    private final EnginesViewModel model;
    private final ObservableValue<String> idle;
    private final Consumer<String> design;
    private final Consumer<String> copied;
    private final BooleanSupplier removal;
    private final MemoryPane memory = new MemoryPane();
    private final TensorTable tensors;
    private final EnginePanes panes;
    private final StackPane root = Panes.named("engine-detail", new StackPane());

    /// @param panes try a built engine
    /// @param idle why engines cannot be removed now; empty while they can
    /// @param design puts an engine into the designer's experiment
    /// @param copied copies a command line
    /// @param removal asks whether the selected engine is removed
    EngineDetail(EnginesViewModel model, EnginePanes panes, ObservableValue<String> idle, Consumer<String> design,
            Consumer<String> copied, BooleanSupplier removal) {
        this.model = model;
        this.panes = panes;
        this.idle = idle;
        this.design = design;
        this.copied = copied;
        this.removal = removal;
        this.tensors = new TensorTable(model.tensorValues());
    }

    Node createView() {
        root.setMinWidth(0);
        model.selected().subscribe(now -> show(now));
        return root;
    }

    private void show(@Nullable EngineRow row) {
        if (row == null) {
            root.getChildren().setAll(Labels.centred(text("engines.none-selected"), Styles.TEXT_MUTED));
            return;
        }
        Label name = Panes.named("engine-name", Labels.of(row.name(), StyleClasses.PANE_TITLE));
        VBox column = Panes.styled(new VBox(14, Panes.row(12, name, EnginesView.chip(row.state())), actions(row)),
                StyleClasses.VIEW_BODY);
        column.setMinWidth(0);
        if (!row.problem().isEmpty()) {
            column.getChildren().add(Labels.wrapped(row.problem(), StyleClasses.CALLOUT_WARNING));
        }
        row.inspection().ifPresent(inside -> {
            column.getChildren().add(Panes.section(text("engines.facts"), facts(row, inside)));
            if (row.state() == State.BUILT) {
                column.getChildren().add(Panes.section(text("engines.prompt"), panes.prompt(row.name())));
                column.getChildren().add(Panes.section(text("engines.quality"), panes.quality(row)));
            }
            column.getChildren().add(Panes.section(text("engines.memory"), memory.show(inside)));
            row.calibration().ifPresent(
                    errors -> column.getChildren().add(Panes.section(text("engines.calibration"), calibrated(errors))));
            if (inside.sources() != null) {
                column.getChildren().add(Panes.section(text("engines.sources"), sources(inside.sources())));
            }
            column.getChildren()
                    .add(Panes.section(text("engines.tensors", inside.tensors().size()), tensors.show(row, inside)));
        });
        // Below what scrolls, so that it is seen wherever the work was begun.
        Node scrolled = Panes.scroll(column);
        VBox.setVgrow(scrolled, Priority.ALWAYS);
        root.getChildren().setAll(new VBox(scrolled, progress()));
    }

    private Node actions(EngineRow row) {
        boolean built = row.state() == State.BUILT;
        boolean hasRecipe = row.entry().recipe() != null;
        Button build = Buttons.of("engine-build", "mdal-build",
                text(built || row.state() == State.DAMAGED ? "engines.rebuild" : "engines.build"), model::build);
        row.inspection().ifPresent(inside -> build.setTooltip(
                new Tooltip(text("engines.build-needs", QuantityText.bytes(inside.memory().weightBytes())))));
        build.disableProperty()
                .bind(model.task().isNotNull().or(new javafx.beans.property.SimpleBooleanProperty(!hasRecipe)));
        if (!built && hasRecipe) {
            build.getStyleClass().add(Styles.ACCENT);
        }
        Button verify = Buttons.of("engine-verify", "mdmz-verified_user", text("engines.verify"), model::verify);
        verify.setTooltip(new Tooltip(text("engines.verify.tooltip")));
        verify.disableProperty().bind(model.task().isNotNull()
                .or(new javafx.beans.property.SimpleBooleanProperty(row.state() == State.RECIPE_ONLY)));
        Button use = Buttons.of("engine-use", "mdmz-tune", text("engines.use"), () -> design.accept(row.name()));
        use.setDisable(row.state() == State.DAMAGED);
        Button copy = Buttons.icon("engine-copy", "mdal-content_copy", text("engines.copy"),
                () -> copied.accept("inferometer engines inspect " + row.name()));
        Button remove = Buttons.icon("engine-remove", "mdal-delete_outline",
                text(row.ofWorkspace() ? "engines.remove" : "engines.not-removable"), () -> {
                    if (removal.getAsBoolean()) {
                        model.remove();
                    }
                });
        remove.disableProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> !row.ofWorkspace() || !idle.getValue().isEmpty() || model.task().get() != null, idle,
                        model.task()));
        return Panes.row(8, build, verify, use, Panes.spacer(), copy, remove);
    }

    private Node progress() {
        ProgressBar bar = Panes.named("engine-progress", new ProgressBar());
        bar.progressProperty().bind(model.progress());
        bar.setPrefWidth(220);
        Label words = Labels.fixed("");
        words.textProperty().bind(Bindings.createStringBinding(() -> {
            EngineTask task = model.task().get();
            return task == null ? "" : text(switch (task.kind()) {
                case BUILD -> "engines.building";
                case VERIFY -> "engines.verifying";
                case JUDGE -> "engines.judging";
            }, task.engine(), Math.round(100 * model.progress().get()));
        }, model.task(), model.progress()));
        Button cancel = Buttons.of("engine-cancel", "mdal-cancel", text("engines.cancel"), model::cancel);
        HBox row = Panes.styled(Panes.row(12, words, bar, cancel), StyleClasses.TIMELINE_BAR);
        Panes.showWhen(row, model.task().isNotNull());
        return row;
    }

    private static Node facts(EngineRow row, EngineInspection inside) {
        ModelShape shape = inside.shape();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("origin", inside.model() + ", " + inside.origin());
        facts.put("family", shape.family().name().toLowerCase(Locale.ROOT) + ", " + inside.precision().name());
        facts.put("layers", text("engines.fact-layers-text", shape.layers(), shape.hidden(), shape.intermediate()));
        facts.put("attention", text("engines.fact-attention-text", shape.heads(), shape.kvHeads(), shape.headDim(),
                shape.maxPositions()));
        facts.put("parameters", text("engines.fact-parameters-text", parameters(inside.parameters()),
                QuantityText.significant(inside.bitsPerWeight()), shape.vocabulary()));
        facts.put("weights", text("engines.fact-weights-text", QuantityText.bytes(inside.memory().weightBytes()),
                QuantityText.bytes(inside.memory().weightBytesPerDecodeStep())));
        facts.put("parts", inside.parts().stream().map(EngineDetail::part).collect(Collectors.joining("; ")));
        facts.put("kv", text("engines.fact-kv-text", QuantityText.bytes(inside.memory().kvBytesPerToken(Float.BYTES)),
                QuantityText.bytes(inside.memory().kvBytesPerToken(Short.BYTES))));
        row.entry().descriptor().map(built -> built.defaults().text()).filter(limits -> !limits.isEmpty())
                .ifPresent(limits -> facts.put("limits", text("engines.fact-limits-text", limits)));
        facts.put("layout", inside.layout());
        facts.put("folder", row.entry().folder().toString());
        return grid(facts);
    }

    private static Node grid(Map<String, String> facts) {
        GridPane grid = Panes.grid(2, 16, 4);
        facts.forEach((key, fact) -> {
            Label value = Panes.named("engine-" + key, Labels.wrapped(fact));
            Label name = Labels.fixed(text("engines.fact-" + key), Styles.TEXT_MUTED);
            GridPane.setValignment(name, javafx.geometry.VPos.TOP);
            grid.addRow(grid.getRowCount(), name, value);
        });
        return grid;
    }

    private static String part(EngineInspection.PartSize part) {
        return part.scaleBytes() == 0 ? text("engines.fact-part", part.part().label(), QuantityText.bytes(part.bytes()))
                : text("engines.fact-part-scales", part.part().label(), QuantityText.bytes(part.bytes()),
                        QuantityText.bytes(part.scaleBytes()));
    }

    /// "15.2 M", "1.10 G".
    private static String parameters(long count) {
        return count >= 1_000_000_000L ? QuantityText.significant(count / 1e9) + " G"
                : QuantityText.significant(count / 1e6) + " M";
    }

    /// The error of each layer's projections in an engine whose scales a text helped to choose.
    private static Node calibrated(EngineCalibration calibration) {
        return new VBox(8, Panes.named("engine-calibration", Labels.wrapped(calibration.sentence())), table(
                "engine-errors", calibration.parts(), MOST_ERRORS,
                List.of(TableColumns.numbers("engines.error-layer", 70, Part::layer, String::valueOf),
                        TableColumns.text("engines.error-inputs", 180, Part::inputs),
                        TableColumns.numbers("engines.error-strength", 100, Part::strength, QuantityText::significant),
                        TableColumns.numbers("engines.error-nearest", 150, Part::nearestError, EngineDetail::percent),
                        TableColumns.numbers("engines.error-calibrated", 120, Part::error, EngineDetail::percent))));
    }

    private static String percent(double share) {
        return QuantityText.significant(100 * share) + " %";
    }

    /// The checkpoint's files that an engine's weights were read from.
    private static Node sources(WeightSources sources) {
        return table("engine-sources", sources.files(), MOST_SOURCES,
                List.of(TableColumns.text("engines.source-file", 260, SourceFile::name),
                        TableColumns.numbers("engines.source-bytes", 90, SourceFile::bytes, QuantityText::bytes),
                        TableColumns.text("engines.source-sha256", 480, SourceFile::sha256)));
    }

    /// A table that is as high as its rows, up to a limit.
    private static <R> TableView<R> table(String id, List<R> rows, int most, List<TableColumn<R, ?>> columns) {
        TableView<R> table = TableColumns.table(id);
        table.setItems(FXCollections.observableList(rows));
        table.getColumns().setAll(columns);
        RowHeights.fit(table, Math.min(most, rows.size()), ColumnWidths.keep(table, columns.getLast()).overflowing());
        return table;
    }
}
