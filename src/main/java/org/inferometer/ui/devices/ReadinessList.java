package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.function.Function;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.report.DevicesText.MachineView.BackendFact;
import org.inferometer.telemetry.ReadinessCheck;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// Readiness checks and backends: name, state and reason.
final class ReadinessList {
    private ReadinessList() {}

    /// All checks in one chip.
    static Label summary(List<ReadinessCheck> checks) {
        long wanting = checks.stream().filter(check -> check.state() == ReadinessCheck.State.ATTENTION).count();
        return wanting == 0 ? Chips.chip(text("devices.fit"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                : Chips.chip(counted("devices.wanting", wanting), "mdmz-warning", StyleClasses.CHIP_WARN);
    }

    /// The checks of the machine.
    static Node ofChecks(List<ReadinessCheck> checks) {
        return card("device-checks", "devices.readiness", checks, check -> row(check.name(), switch (check.state()) {
            case READY -> Chips.chip(text("devices.ready"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case ATTENTION -> Chips.chip(text("devices.attention"), "mdmz-warning", StyleClasses.CHIP_WARN);
            case ABSENT -> Chips.chip(text("devices.absent"), "mdal-block", StyleClasses.CHIP_NEUTRAL);
            case NOT_CHECKED -> Chips.chip(text("devices.not-checked"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
        }, check.reason()));
    }

    static Node ofBackends(List<BackendFact> backends) {
        return card("device-backends", "devices.backends", backends, backend -> row(backend.name(),
                backend.usable() ? Chips.chip(text("devices.usable"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                        : Chips.chip(text("devices.unusable"), "mdal-block", StyleClasses.CHIP_NEUTRAL),
                backend.text()));
    }

    private static Node[] row(String name, Label chip, String reason) {
        StackPane state = new StackPane(chip);
        state.setAlignment(Pos.CENTER_LEFT);
        state.setMinWidth(Region.USE_PREF_SIZE);
        return new Node[]{Labels.fixed(name), state, Labels.wrapped(reason)};
    }

    /// @param key of the title; that of the lead has the ending ".lead"
    private static <E> Node card(String id, String key, List<E> entries, Function<E, Node[]> row) {
        GridPane grid = Panes.named(id, Panes.grid(3, 12, 6));
        entries.forEach(entry -> grid.addRow(grid.getRowCount(), row.apply(entry)));
        return Panes.styled(
                new VBox(8, Labels.of(text(key), StyleClasses.PANE_TITLE),
                        Labels.wrapped(text(key + ".lead"), Styles.TEXT_MUTED), grid),
                StyleClasses.CARD, StyleClasses.SECTION_CARD);
    }
}
