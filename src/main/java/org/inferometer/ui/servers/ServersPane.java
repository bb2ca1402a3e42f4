package org.inferometer.ui.servers;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.function.Consumer;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.options.Selection;
import org.inferometer.target.TargetKind.ProbeCheck;
import org.inferometer.ui.fx.AddField;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.servers.KnownServers.KnownServer;
import org.inferometer.ui.servers.KnownServers.KnownServer.State;
import org.inferometer.ui.theme.StyleClasses;

/// The known servers, each with the checks of its last probe, and a field that adds one.
public final class ServersPane {
    private static final double MOST_HEIGHT = 260;

    private final KnownServers servers;
    private final Consumer<Selection> design;
    private final VBox rows = Panes.named("servers-list", new VBox(10));

    /// @param design puts a server into the designer's experiment
    public ServersPane(KnownServers servers, Consumer<Selection> design) {
        this.servers = servers;
        this.design = design;
    }

    /// The pane; called once.
    public Node createView() {
        servers.all().addListener((ListChangeListener<KnownServer>) change -> show());
        show();
        VBox content = Panes.styled(new VBox(8, Labels.wrapped(text("servers.lead"), Styles.TEXT_MUTED), rows,
                new AddField("servers", servers::add)), StyleClasses.VIEW_BODY);
        return Panes.named("servers", scroll(content));
    }

    private static Node scroll(Node content) {
        var scroll = Panes.scroll(content);
        scroll.setMaxHeight(MOST_HEIGHT);
        scroll.setPrefHeight(MOST_HEIGHT);
        return scroll;
    }

    private void show() {
        rows.getChildren().setAll(servers.all().stream().map(this::row).toList());
        if (servers.all().isEmpty()) {
            rows.getChildren().setAll(Labels.wrapped(text("servers.none"), Styles.TEXT_MUTED));
        }
    }

    private Node row(KnownServer server) {
        Label name = Labels.of(server.target().toString(), StyleClasses.TILE_TITLE);
        name.setMinWidth(0);
        name.setTooltip(new Tooltip(server.target().toString()));
        StackPane chip = new StackPane();
        VBox found = new VBox(4);
        HBox.setHgrow(name, Priority.SOMETIMES);
        Button probe = Buttons.of("", "mdmz-refresh", text("servers.probe"), () -> servers.probe(server));
        Button use = Buttons.of("", "mdmz-tune", text("servers.use"), () -> design.accept(server.target()));
        Button remove = Buttons.icon("", "mdal-close", text("servers.remove", server.target()),
                () -> servers.all().remove(server));
        server.state().subscribe(state -> {
            chip.getChildren().setAll(chip(state));
            found.getChildren().setAll(found(state));
            probe.setDisable(state instanceof State.Probing);
        });
        return new VBox(4, Panes.row(10, name, chip, Panes.spacer(), probe, use, remove), found);
    }

    private static Label chip(State state) {
        return switch (state) {
            case State.NotProbed() ->
                Chips.chip(text("servers.not-probed"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL);
            case State.Probing() ->
                Chips.chip(text("servers.probing"), "mdal-hourglass_empty", StyleClasses.CHIP_ACCENT);
            case State.Probed probed ->
                probed.usable() ? Chips.chip(text("servers.usable"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                        : Chips.chip(
                                counted("servers.failed",
                                        probed.checks().stream()
                                                .filter(check -> check.outcome() == ProbeCheck.Outcome.FAILED).count()),
                                "mdal-error", StyleClasses.CHIP_BAD);
            case State.Refused refused -> Chips.chip(text("servers.refused"), "mdal-error", StyleClasses.CHIP_BAD);
        };
    }

    /// What the last probe of a server found: its checks, or why there are none.
    static Node found(State state) {
        return switch (state) {
            case State.NotProbed() -> new VBox();
            case State.Probing() -> new VBox();
            case State.Refused(String why) -> Labels.wrapped(why);
            case State.Probed probed -> checks(probed);
        };
    }

    private static Node checks(State.Probed probed) {
        GridPane grid = Panes.grid(3, 12, 4);
        for (int row = 0; row < probed.checks().size(); row++) {
            ProbeCheck check = probed.checks().get(row);
            grid.addRow(row, Labels.fixed(check.name()), new StackPane(chip(check)), Labels.wrapped(check.sentence()));
        }
        return grid;
    }

    private static Label chip(ProbeCheck check) {
        return switch (check.outcome()) {
            case PASSED -> Chips.chip(text("servers.passed"), "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case FAILED -> Chips.chip(text("servers.check-failed"), "mdal-error", StyleClasses.CHIP_BAD);
            case ABSENT -> Chips.chip(text("servers.absent"), "mdal-block", StyleClasses.CHIP_NEUTRAL);
        };
    }
}
