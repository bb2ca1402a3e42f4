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
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.input.DragEvent;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.engine.build.EngineEntry.State;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.quantising.EngineKind;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.EntryList;
import org.inferometer.ui.fx.EntryList.EntryLook;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
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
    private final EntryList<EngineRow> list;
    private final BorderPane root = Panes.named("engines", new BorderPane());

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
        this.list = new EntryList<>("engines", model,
                new EntryLook<>(EngineRow::name, EngineRow::smallLine, row -> chip(row.state())));
        this.interrupted = new InterruptedBuildsBar(model, questions);
        BooleanSupplier removal = () -> {
            EngineRow row = model.selected().get();
            return row != null && questions.confirmed(text("engines.remove-heading", row.name()),
                    text("engines.remove-detail", row.entry().folder()), text("engines.remove"), text("engines.keep"));
        };
        this.detail = new EngineDetail(model, new EnginePanes(model, prompts, dialogs), idle, design, copied, removal);
    }

    /// The view's root; called once.
    public Parent createView() {
        takeDrops();
        root.setTop(new VBox(toolbar(), interrupted.createView()));
        root.setCenter(list.beside(detail.createView(), LIST_SHARE));
        ToggleButton fold = Panes.named("engines-servers",
                new ToggleButton(text("engines.servers"), new FontIcon("mdal-dns")), Styles.FLAT, Styles.SMALL);
        fold.setTooltip(new Tooltip(text("engines.servers.tooltip")));
        Panes.showWhen(servers, fold.selectedProperty());
        HBox bar = Panes.styled(Panes.row(8, fold), StyleClasses.TIMELINE_BAR);
        root.setBottom(new VBox(bar, servers));
        return root;
    }

    /// Moves the focus to the list.
    public void focusFirst() {
        list.requestFocus();
    }

    /// Moves the focus to the filter.
    public void find() {
        list.filter().requestFocus();
    }

    /// Asks for a folder with recipes and adds its engines.
    public void add() {
        dialogs.folder(text("engines.add-title")).ifPresent(model::add);
    }

    private Node toolbar() {
        Button add = Buttons.of("engines-add", "mdal-add", text("engines.add"), this::add);
        add.setTooltip(new Tooltip(text("engines.add.tooltip")));
        MenuButton checkpoint = Panes.named("engines-checkpoint",
                new MenuButton(text("engines.checkpoint"), new FontIcon("mdal-input")));
        checkpoint.setTooltip(new Tooltip(text("engines.checkpoint.tooltip")));
        checkpoint.disableProperty().bind(model.task().isNotNull());
        checkpoint.getItems().addAll(
                new Menu(text("engines.checkpoint-folder"), null,
                        kinds(() -> dialogs.folder(text("engines.checkpoint-title")))),
                new Menu(text("engines.checkpoint-gguf"), null, kinds(() -> dialogs.open(text("engines.gguf-title"),
                        List.of(new FileType(text("engines.gguf-files"), "*.gguf"))))));
        Button again = Buttons.icon("engines-refresh", "mdmz-refresh", text("engines.refresh"), model::refresh);
        return Panes.styled(new EndsRow(list.head(FILTER_COLUMNS), Panes.row(12, checkpoint, add, again)),
                StyleClasses.TIMELINE_BAR);
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
        return Buttons.item("engines-kind", label, () -> place.get().ifPresent(chosen -> build(chosen, kinds)));
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

    /// A chip for a state.
    static Label chip(State state) {
        return switch (state) {
            case BUILT -> Chips.chip(text("engines.state-built"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case RECIPE_ONLY -> Chips.chip(text("engines.state-recipe"), "mdal-description", StyleClasses.CHIP_NEUTRAL);
            case DAMAGED -> Chips.damaged();
        };
    }

    /// A line for each interrupted build, with what can be done about it; takes no room without one.
    private static final class InterruptedBuildsBar {
        private final EnginesViewModel model;
        private final Questions questions;
        private final VBox lines = Panes.named("engines-interrupted", new VBox());

        InterruptedBuildsBar(EnginesViewModel model, Questions questions) {
            this.model = model;
            this.questions = questions;
        }

        Node createView() {
            model.interrupted().addListener((ListChangeListener<InterruptedBuild>) change -> show());
            show();
            return lines;
        }

        private void show() {
            lines.getChildren().setAll(model.interrupted().stream().map(this::line).toList());
        }

        private Node line(InterruptedBuild build) {
            boolean recipe = model.all().stream()
                    .anyMatch(row -> row.name().equals(build.engine()) && row.entry().recipe() != null);
            Label words = Labels.wrapped(text(recipe ? "engines.interrupted" : "engines.interrupted-checkpoint",
                    build.engine(), QuantityText.bytes(build.bytes())));
            HBox line = Panes.row(8, words, Panes.spacer());
            if (recipe) {
                Button resume = Buttons.of("engines-resume", "mdmz-play_arrow", text("engines.resume"),
                        () -> model.resume(build));
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
