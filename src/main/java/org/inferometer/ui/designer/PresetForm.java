package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import atlantafx.base.theme.Tweaks;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.ui.designer.PresetViewModel.PresetChoice;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.ComboBoxes.DescribedCell;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.kordamp.ikonli.javafx.FontIcon;

/// Chooses a preset, says what it is for, and saves the form as one.
final class PresetForm extends VBox {
    private static final double PURPOSE_WIDTH = 400;
    private final DesignerViewModel designer;
    private final PresetViewModel model;
    private final Notifier notifier;
    private final TextField name = Panes.named("designer-experiment-name", new TextField());
    private final Label fault = Labels.wrapped("", StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
    private final VBox naming;
    private final MenuButton menu = Panes.named("designer-experiment-more",
            new MenuButton("", new FontIcon("mdmz-more_vert")), Styles.FLAT, Styles.BUTTON_ICON, Tweaks.NO_ARROW);

    PresetForm(DesignerViewModel designer, Notifier notifier) {
        super(4);
        this.designer = designer;
        this.model = designer.presets();
        this.notifier = notifier;
        naming = naming();
        ComboBox<PresetChoice> presets = Panes.named("designer-experiment", new ComboBox<>(model.choices()));
        presets.valueProperty().bindBidirectional(model.chosen());
        presets.setCellFactory(list -> new DescribedCell<>(PresetChoice::purpose, PURPOSE_WIDTH));
        ComboBoxes.showAll(presets);
        presets.setMaxWidth(Double.MAX_VALUE);
        HBox.setHgrow(presets, Priority.ALWAYS);
        presets.promptTextProperty().bind(designer.name());
        Label purpose = Labels.message("designer-experiment-purpose",
                Bindings.createStringBinding(this::state, model.chosen(), model.changed()), Styles.TEXT_MUTED,
                Styles.TEXT_SMALL);
        getChildren().addAll(Panes.row(4, presets, dressedMenu()), purpose, naming);
    }

    private String state() {
        PresetChoice chosen = model.chosen().get();
        return chosen == null ? "" : model.changed().get() ? text("designer.experiment-changed", chosen.name())
                : chosen.purpose();
    }

    private MenuButton dressedMenu() {
        menu.setTooltip(new Tooltip(text("designer.experiment-more")));
        menu.setAccessibleText(text("designer.experiment-more"));
        MenuItem save = Buttons.item("designer-experiment-save", text("designer.experiment-save"), this::ask);
        MenuItem reset = Buttons.item("designer-experiment-reset", "", () -> model.reset(notifier));
        reset.disableProperty().bind(model.chosen().isNull().or(model.changed().not()));
        MenuItem delete = Buttons.item("designer-experiment-delete", "", () -> model.delete(notifier));
        model.chosen().subscribe(chosen -> {
            reset.setText(chosen == null ? text("designer.experiment-reset-none")
                    : text("designer.experiment-reset", chosen.name()));
            delete.setText(chosen == null ? text("designer.experiment-delete-none")
                    : text("designer.experiment-delete", chosen.name()));
            delete.setDisable(chosen == null || !chosen.saved());
        });
        menu.getItems().addAll(save, reset, delete);
        menu.showingProperty().subscribe(shown -> {
            if (shown) {
                model.refresh(notifier);
            }
        });
        return menu;
    }

    /// The name to save under, in the form itself.
    private VBox naming() {
        name.setPromptText(text("designer.experiment-name"));
        name.setAccessibleText(text("designer.experiment-name"));
        HBox.setHgrow(name, Priority.ALWAYS);
        name.setOnAction(event -> save());
        name.textProperty().subscribe(typed -> fault.setText(""));
        fault.textProperty().subscribe(sentence -> Panes.show(fault, !sentence.isEmpty()));
        Button save =
                Buttons.of("designer-experiment-confirm", "mdmz-save", text("designer.experiment-confirm"), this::save);
        Button cancel = Buttons.icon("designer-experiment-cancel", "mdal-close", text("designer.experiment-cancel"),
                this::close);
        VBox box = new VBox(2, Panes.row(4, name, save, cancel), fault);
        box.addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.ESCAPE) {
                close();
                event.consume();
            }
        });
        Panes.show(box, false);
        return box;
    }

    private void ask() {
        PresetChoice chosen = model.chosen().get();
        name.setText(chosen != null && chosen.saved() ? chosen.name() : "");
        Panes.show(naming, true);
        name.requestFocus();
    }

    private void close() {
        Panes.show(naming, false);
        menu.requestFocus();
    }

    private void save() {
        designer.check();
        Optional<ExperimentSpec> spec = designer.spec();
        if (spec.isEmpty()) {
            fault.setText(text("notice.command-incomplete"));
            return;
        }
        model.save(name.getText().strip(), spec.get(), saved -> {
            close();
            notifier.done(text("notice.preset-saved", saved));
        }, fault::setText);
    }
}
