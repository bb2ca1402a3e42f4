package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.input.DragEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.quantising.EngineKind;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// Engines as a list beside what the selected one holds and needs.
public final class EnginesView {
    private static final int FILTER_COLUMNS = 20;
    private static final double LIST_SHARE = 0.24;

    private final EnginesViewModel model;
    private final FileDialogs dialogs;
    private final CalibrationDialog calibration;
    private final EngineDetail detail;
    private final Node servers;
    private final InterruptedBuildsBar interrupted;
    private final ListView<EngineRow> list = new ListView<>();
    private final TextField filter = SearchFields.of("engines-filter", text("engines.filter"));
    private final BorderPane root = new BorderPane();

    /// @param calibration asks for a text where a kind of engine needs one
    /// @param idle why engines cannot be removed now; empty while they can
    /// @param design puts an engine into the designer's experiment
    /// @param copied copies the command line of an action
    /// @param prompts tries engines
    /// @param servers what stands below the engines, shown on request
    public EnginesView(EnginesViewModel model, FileDialogs dialogs, CalibrationDialog calibration, Questions questions,
            ObservableValue<String> idle, Consumer<String> design, Consumer<String> copied, Node servers,
            PromptViewModel prompts) {
        this.model = model;
        this.servers = servers;
        this.dialogs = dialogs;
        this.calibration = calibration;
        this.interrupted = new InterruptedBuildsBar(model, questions);
        BooleanSupplier removal = () -> {
            EngineRow row = model.selected().get();
            return row != null && questions.confirmed(text("engines.remove-heading", row.name()),
                    text("engines.remove-detail", row.entry().folder()), text("engines.remove"), text("engines.keep"));
        };
        this.detail = new EngineDetail(model, new PromptPane(prompts), new QualityPane(model, dialogs), idle, design,
                copied, removal);
    }

    /// The view's root; called once.
    public Parent createView() {
        root.setId("engines");
        takeDrops();
        root.setTop(new VBox(toolbar(), interrupted.createView()));
        SplitPane split = new SplitPane(list(), detail.createView());
        split.setId("engines-split");
        split.setDividerPositions(LIST_SHARE);
        split.getStyleClass().add(StyleClasses.RESULTS_SPLIT);
        SplitPane.setResizableWithParent(split.getItems().getFirst(), false);
        root.setCenter(split);
        ToggleButton fold = new ToggleButton(text("engines.servers"), new FontIcon("mdal-dns"));
        fold.setId("engines-servers");
        fold.getStyleClass().addAll(Styles.FLAT, Styles.SMALL);
        fold.setTooltip(new Tooltip(text("engines.servers.tooltip")));
        Panes.showWhen(servers, fold.selectedProperty());
        HBox bar = Panes.row(8, fold);
        bar.getStyleClass().add(StyleClasses.TIMELINE_BAR);
        root.setBottom(new VBox(bar, servers));
        return root;
    }

    /// Moves the focus to the list.
    public void focusFirst() {
        list.requestFocus();
    }

    /// Moves the focus to the filter.
    public void find() {
        filter.requestFocus();
    }

    /// Asks for a folder with recipes and adds its engines.
    public void add() {
        dialogs.folder(text("engines.add-title")).ifPresent(model::add);
    }

    private Node toolbar() {
        filter.setPrefColumnCount(FILTER_COLUMNS);
        filter.textProperty().bindBidirectional(model.filter());
        Label count = Labels.of("", Styles.TEXT_MUTED);
        count.setId("engines-count");
        ListChangeListener<EngineRow> counting =
                change -> count.setText(text("engines.count", model.rows().size(), model.all().size()));
        model.rows().addListener(counting);
        model.all().addListener(counting);
        Button add = Buttons.of("engines-add", "mdal-add", text("engines.add"), this::add);
        add.setTooltip(new Tooltip(text("engines.add.tooltip")));
        MenuButton checkpoint = new MenuButton(text("engines.checkpoint"), new FontIcon("mdal-input"));
        checkpoint.setId("engines-checkpoint");
        checkpoint.setTooltip(new Tooltip(text("engines.checkpoint.tooltip")));
        checkpoint.disableProperty().bind(model.task().isNotNull());
        checkpoint.getItems().addAll(
                new Menu(text("engines.checkpoint-folder"), null,
                        kinds(() -> dialogs.folder(text("engines.checkpoint-title")))),
                new Menu(text("engines.checkpoint-gguf"), null, kinds(() -> dialogs.open(text("engines.gguf-title"),
                        List.of(new FileType(text("engines.gguf-files"), "*.gguf"))))));
        Button again = Buttons.icon("engines-refresh", "mdmz-refresh", text("engines.refresh"), model::refresh);
        count.setMinWidth(Region.USE_PREF_SIZE);
        EndsRow bar =
                new EndsRow(Panes.row(12, Labels.fixed(text("view.engines"), StyleClasses.PANE_TITLE), filter, count),
                        Panes.row(12, checkpoint, add, again));
        bar.getStyleClass().add(StyleClasses.TIMELINE_BAR);
        return bar;
    }

    /// One item for each kind, and one for those that need no text.
    private MenuItem[] kinds(Supplier<Optional<Path>> place) {
        List<MenuItem> items = new ArrayList<>();
        for (EngineKind kind : EngineKind.values()) {
            items.add(fromCheckpoint(kind.label(), EnumSet.of(kind), place));
        }
        Set<EngineKind> nearest = EnumSet.complementOf(EnumSet.of(EngineKind.INT4_AWQ));
        items.add(fromCheckpoint(text("engines.checkpoint-all"), nearest, place));
        return items.toArray(MenuItem[]::new);
    }

    private MenuItem fromCheckpoint(String label, Set<EngineKind> kinds, Supplier<Optional<Path>> place) {
        MenuItem item = new MenuItem(label);
        item.setOnAction(event -> place.get().ifPresent(chosen -> build(chosen, kinds)));
        return item;
    }

    private void build(Path checkpoint, Set<EngineKind> kinds) {
        if (kinds.stream().anyMatch(EngineKind::isCalibrated)) {
            calibration.ask(root.getScene().getWindow(), chosen -> model.build(checkpoint, kinds, chosen));
        } else {
            model.build(checkpoint, kinds, CalibrationChoice.bundled());
        }
    }

    /// A checkpoint that is dropped asks for the kinds of engines.
    private void takeDrops() {
        root.setOnDragOver(event -> {
            if (model.task().get() == null && dropped(event).isPresent()) {
                event.acceptTransferModes(TransferMode.COPY);
                event.consume();
            }
        });
        root.setOnDragDropped(event -> {
            Optional<Path> place = dropped(event);
            place.ifPresent(path -> {
                ContextMenu menu = new ContextMenu(kinds(() -> Optional.of(path)));
                menu.show(root, event.getScreenX(), event.getScreenY());
            });
            event.setDropCompleted(place.isPresent());
            event.consume();
        });
    }

    private static Optional<Path> dropped(DragEvent event) {
        return event.getDragboard().getFiles().stream().limit(1).map(File::toPath).filter(Checkpoint::isOne)
                .findFirst();
    }

    private Node list() {
        list.setId("engines-list");
        list.getStyleClass().addAll(Styles.DENSE, StyleClasses.RESULT_LIST);
        list.setItems(model.rows());
        list.setAccessibleText(text("view.engines"));
        list.setCellFactory(view -> new Cell());
        list.setPlaceholder(placeholder());
        model.rows().addListener((ListChangeListener<EngineRow>) change -> list.setPlaceholder(placeholder()));
        model.loading().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        model.problem().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        list.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> {
            if (now != null) {
                model.selected().set(now);
            }
        });
        model.selected().addListener((observed, before, now) -> {
            if (now != null && list.getSelectionModel().getSelectedItem() != now) {
                list.getSelectionModel().select(now);
            }
        });
        VBox.setVgrow(list, Priority.ALWAYS);
        VBox pane = new VBox(list);
        pane.getStyleClass().add(StyleClasses.RESULTS_LIST);
        pane.setId("engines-side");
        return pane;
    }

    private Node placeholder() {
        if (model.loading().get()) {
            ProgressIndicator busy = new ProgressIndicator();
            busy.setMaxSize(28, 28);
            return busy;
        }
        String problem = model.problem().get();
        return Labels.centred(!problem.isEmpty() ? problem : model.all().isEmpty() ? text("engines.none-here")
                : text("engines.none-match", model.all().size()), Styles.TEXT_MUTED);
    }

    /// A chip for a state.
    static Label chip(State state) {
        return switch (state) {
            case BUILT -> Chips.chip(text("engines.state-built"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case RECIPE_ONLY -> Chips.chip(text("engines.state-recipe"), "mdal-description", StyleClasses.CHIP_NEUTRAL);
            case DAMAGED -> Chips.damaged();
        };
    }

    /// Name over what it is and its state.
    private static final class Cell extends ListCell<EngineRow> {
        @Override
        protected void updateItem(@Nullable EngineRow row, boolean empty) {
            super.updateItem(row, empty);
            setText(null);
            setPrefWidth(0);
            if (empty || row == null) {
                setGraphic(null);
                setTooltip(null);
                return;
            }
            Label name = Labels.of(row.name(), StyleClasses.TILE_TITLE, StyleClasses.MIDDLE_CUT);
            name.setMinWidth(0);
            Label line = Labels.of(row.smallLine(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            line.setMinWidth(0);
            setGraphic(new VBox(2, name, Panes.row(6, line, Panes.spacer(), chip(row.state()))));
            setTooltip(new Tooltip(row.name() + "\n" + row.smallLine()));
        }
    }

    /// A line for each interrupted build, with what can be done about it; takes no room without one.
    private static final class InterruptedBuildsBar {
        private final EnginesViewModel model;
        private final Questions questions;
        private final VBox lines = new VBox();

        InterruptedBuildsBar(EnginesViewModel model, Questions questions) {
            this.model = model;
            this.questions = questions;
        }

        Node createView() {
            lines.setId("engines-interrupted");
            model.interrupted().addListener((ListChangeListener<InterruptedBuild>) change -> show());
            show();
            return lines;
        }

        private void show() {
            lines.getChildren().setAll(model.interrupted().stream().map(this::line).toList());
        }

        private Node line(InterruptedBuild build) {
            boolean recipe =
                    model.all().stream().anyMatch(row -> row.name().equals(build.engine()) && row.entry().recipe() != null);
            Label words = Labels.wrapped(text(recipe ? "engines.interrupted" : "engines.interrupted-checkpoint",
                    build.engine(), QuantityText.bytes(build.bytes())));
            HBox line = Panes.row(8, words, Panes.spacer());
            if (recipe) {
                Button resume =
                        Buttons.of("engines-resume", "mdmz-play_arrow", text("engines.resume"), () -> model.resume(build));
                resume.disableProperty().bind(model.task().isNotNull());
                line.getChildren().add(resume);
            }
            Button delete = Buttons.of("engines-discard", "mdal-delete", text("engines.discard"), () -> {
                if (questions.confirmed(text("engines.discard-heading", build.engine()),
                        text("engines.discard-detail", QuantityText.bytes(build.bytes())), text("engines.discard"),
                        text("engines.keep"))) {
                    model.discard(build);
                }
            });
            delete.getStyleClass().add(Styles.FLAT);
            delete.disableProperty().bind(model.task().isNotNull());
            line.getChildren().add(delete);
            line.getStyleClass().add(StyleClasses.TIMELINE_BAR);
            return line;
        }
    }
}
