package org.inferometer.ui.machines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.AddField;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.machines.OtherMachines.OtherMachine.State;
import org.inferometer.ui.theme.StyleClasses;

/// The other machines with what they have, a field that adds one, and the Slurm of this machine.
public final class MachinesCard extends VBox {
    private static final double NAME_WIDTH = 220;

    private final OtherMachines machines;
    private final VBox rows = Panes.named("machines-list", new VBox(8));

    public MachinesCard(OtherMachines machines) {
        super(8);
        this.machines = machines;
        setId("machines");
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
        machines.all().addListener((ListChangeListener<OtherMachine>) change -> show());
        show();
        Label slurm = Labels.message("machines-slurm", machines.cluster());
        getChildren().addAll(Labels.of(text("machines.title"), StyleClasses.PANE_TITLE),
                Labels.wrapped(text("machines.lead"), Styles.TEXT_MUTED), rows, new AddField("machines", machines::add),
                Labels.of(text("machines.cluster"), StyleClasses.GROUP_TITLE), slurm);
        machines.askCluster();
    }

    private void show() {
        rows.getChildren().setAll(machines.all().stream().map(this::row).toList());
        if (machines.all().isEmpty()) {
            rows.getChildren().setAll(Labels.wrapped(text("machines.none"), Styles.TEXT_MUTED));
        }
    }

    private Node row(OtherMachine machine) {
        Label name = Labels.of(machine.label(), StyleClasses.TILE_TITLE);
        name.setTooltip(new Tooltip(machine.written()));
        name.setMinWidth(NAME_WIDTH);
        name.setPrefWidth(NAME_WIDTH);
        StackPane chip = new StackPane();
        Label facts = Labels.wrapped("", Styles.TEXT_MUTED);
        HBox.setHgrow(facts, Priority.ALWAYS);
        Button again = Buttons.of("", "mdmz-refresh", "", () -> machines.ask(machine));
        Button remove = Buttons.icon("", "mdal-close", text("machines.remove", machine.written()),
                () -> machines.all().remove(machine));
        machine.state().subscribe(state -> {
            chip.getChildren().setAll(chip(state));
            again.setText(text(state instanceof State.NotAsked ? "machines.ask" : "machines.again"));
            facts.setText(facts(state));
            again.setDisable(state instanceof State.Asking);
        });
        HBox row = Panes.row(10, name, chip, facts, again, remove);
        return row;
    }

    private static Label chip(State state) {
        return switch (state) {
            case State.NotAsked() ->
                Chips.chip(text("machines.not-asked"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
            case State.Asking() ->
                Chips.chip(text("machines.asking"), "mdal-hourglass_empty", StyleClasses.CHIP_ACCENT);
            case State.Ready ready -> Chips.chip(text("machines.ready"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case State.Unreachable lost ->
                Chips.chip(text("machines.unreachable"), "mdal-error", StyleClasses.CHIP_BAD);
        };
    }

    private static String facts(State state) {
        return switch (state) {
            case State.NotAsked() -> "";
            case State.Asking() -> "";
            case State.Ready ready -> ready.facts();
            case State.Unreachable(String why) -> why;
        };
    }
}
