package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javafx.beans.binding.Bindings;
import javafx.collections.ListChangeListener;
import javafx.scene.control.ComboBox;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.theme.StyleClasses;

/// Chooses the machine that the experiment runs on. Takes no room while only this machine is known.
final class MachineRow extends VBox {
    private final MachineChoice model;
    private final ComboBox<Optional<OtherMachine>> machine = ComboBoxes.of("designer-machine",
            each -> each.map(OtherMachine::label).orElseGet(() -> text("designer.machine-here")));

    MachineRow(MachineChoice model) {
        super(4);
        this.model = model;
        machine.setAccessibleText(text("designer.machine"));
        list();
        machine.setValue(Optional.ofNullable(model.chosen().get()));
        machine.valueProperty().addListener((observed, before, now) -> {
            if (now != null) {
                model.choose(now.orElse(null));
            }
        });
        model.chosen().addListener((observed, before, now) -> machine.setValue(Optional.ofNullable(now)));
        model.known().addListener((ListChangeListener<OtherMachine>) change -> list());
        getChildren().setAll(FieldRow.labelled(text("designer.machine"), machine),
                Labels.message("designer-machine-message", model.message(), StyleClasses.FIELD_MESSAGE));
        Panes.showWhen(this, Bindings.isNotEmpty(model.known()));
    }

    private void list() {
        List<Optional<OtherMachine>> all = new ArrayList<>();
        all.add(Optional.empty());
        model.known().forEach(each -> all.add(Optional.of(each)));
        machine.getItems().setAll(all);
        machine.setValue(Optional.ofNullable(model.chosen().get()));
    }
}
