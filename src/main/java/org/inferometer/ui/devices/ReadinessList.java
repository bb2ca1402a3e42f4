package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
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
        GridPane grid = grid("device-checks");
        for (int row = 0; row < checks.size(); row++) {
            ReadinessCheck check = checks.get(row);
            grid.addRow(row, Labels.fixed(check.name()), chip(check.state()), Labels.wrapped(check.reason()));
        }
        return card("devices.readiness", "devices.readiness.lead", grid);
    }

    /// The backends.
    static Node ofBackends(List<BackendFact> backends) {
        GridPane grid = grid("device-backends");
        for (int row = 0; row < backends.size(); row++) {
            BackendFact backend = backends.get(row);
            Label chip =
                    backend.usable() ? Chips.chip(text("devices.usable"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                            : Chips.chip(text("devices.unusable"), "mdal-block", StyleClasses.CHIP_NEUTRAL);
            grid.addRow(row, Labels.fixed(backend.name()), start(chip), Labels.wrapped(backend.text()));
        }
        return card("devices.backends", "devices.backends.lead", grid);
    }

    private static Node chip(ReadinessCheck.State state) {
        return start(switch (state) {
            case READY -> Chips.chip(text("devices.ready"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case ATTENTION -> Chips.chip(text("devices.attention"), "mdmz-warning", StyleClasses.CHIP_WARN);
            case ABSENT -> Chips.chip(text("devices.absent"), "mdal-block", StyleClasses.CHIP_NEUTRAL);
            case NOT_CHECKED -> Chips.chip(text("devices.not-checked"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
        });
    }

    private static Node card(String titleKey, String leadKey, Node content) {
        VBox card = new VBox(8, Labels.of(text(titleKey), StyleClasses.PANE_TITLE),
                Labels.wrapped(text(leadKey), Styles.TEXT_MUTED), content);
        card.getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
        return card;
    }

    private static GridPane grid(String id) {
        GridPane grid = Panes.grid(3, 12, 6);
        grid.setId(id);
        return grid;
    }

    private static Node start(Label chip) {
        StackPane pane = new StackPane(chip);
        pane.setAlignment(Pos.CENTER_LEFT);
        pane.setMinWidth(Region.USE_PREF_SIZE);
        return pane;
    }
}
