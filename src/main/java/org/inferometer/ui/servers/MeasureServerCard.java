package org.inferometer.ui.servers;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import javafx.util.Subscription;
import org.inferometer.options.Selection;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.servers.KnownServers.KnownServer;
import org.inferometer.ui.servers.KnownServers.KnownServer.State;
import org.inferometer.ui.theme.StyleClasses;

/// Measures a server from its address: checks it, says what it found, and runs a load against it.
public final class MeasureServerCard {
    private final KnownServers servers;
    private final BiConsumer<Selection, List<Integer>> measure;
    private final Consumer<Selection> design;
    private final TextField address = Panes.named("welcome-server", new TextField());
    private final Label fault = Labels.wrapped("", StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
    private final VBox found = new VBox(6);
    private final ComboBox<Users> users = ComboBoxes.of("welcome-server-users", Users::label);
    private final HBox actions;
    private Subscription shown = () -> {};
    private Optional<KnownServer> checked = Optional.empty();

    /// How many requests are in flight.
    private enum Users {
        ONE(List.of(1)), FEW(List.of(1, 2, 4, 8)), MANY(List.of(1, 4, 16, 64));

        private final List<Integer> inFlight;

        Users(List<Integer> inFlight) {
            this.inFlight = inFlight;
        }

        private String label() {
            return text("welcome.server.users." + name().toLowerCase(Locale.ROOT));
        }
    }

    /// @param measure runs a load on a server, with so many requests in flight
    /// @param design puts a server alone into the designer
    public MeasureServerCard(KnownServers servers, BiConsumer<Selection, List<Integer>> measure,
            Consumer<Selection> design) {
        this.servers = servers;
        this.measure = measure;
        this.design = design;
        users.getItems().setAll(Users.values());
        users.setValue(Users.FEW);
        users.setAccessibleText(text("welcome.server.users"));
        Button run = Buttons.of("welcome-server-measure", "mdmz-play_arrow", text("welcome.server.measure"),
                () -> checked.ifPresent(server -> this.measure.accept(server.target(), users.getValue().inFlight)));
        run.getStyleClass().add(Styles.ACCENT);
        Button settings = Buttons.of("welcome-server-design", "mdmz-tune", text("welcome.server.design"),
                () -> checked.ifPresent(server -> this.design.accept(server.target())));
        actions = Panes.row(8, users, run, settings);
    }

    /// The card; called once.
    public Node createView() {
        address.setPromptText(text("welcome.server.prompt"));
        address.setAccessibleText(text("welcome.server"));
        address.setOnAction(event -> check());
        address.textProperty().subscribe(typed -> forget());
        HBox.setHgrow(address, Priority.ALWAYS);
        Panes.show(fault, false);
        fault.setId("welcome-server-fault");
        return Panes.named("welcome-server-card",
                new VBox(8, Labels.of(text("welcome.server"), StyleClasses.CHOICE_TITLE),
                        Labels.wrapped(text("welcome.server.detail"), StyleClasses.CHOICE_DETAIL),
                        Panes.row(8, address,
                                Buttons.of("welcome-server-check", "mdal-check", text("welcome.server.check"),
                                        this::check)),
                        fault, found, actions),
                StyleClasses.CARD, StyleClasses.WELCOME_SERVER);
    }

    /// Another address has not been checked.
    private void forget() {
        checked = Optional.empty();
        shown.unsubscribe();
        found.getChildren().clear();
        say("");
        Panes.show(actions, false);
    }

    private void check() {
        forget();
        if (address.getText().isBlank()) {
            say(text("welcome.server.empty"));
            address.requestFocus();
            return;
        }
        try {
            KnownServer server = servers.probed(address.getText());
            checked = Optional.of(server);
            shown = server.state().subscribe(this::show);
        } catch (IllegalArgumentException e) {
            say(String.valueOf(e.getMessage()));
        }
    }

    private void show(State state) {
        found.getChildren().setAll(state instanceof State.Probing
                ? Labels.of(text("servers.probing"), Styles.TEXT_MUTED) : ServersPane.found(state));
        Panes.show(actions, state instanceof State.Probed probed && probed.usable());
    }

    private void say(String sentence) {
        fault.setText(sentence);
        Panes.show(fault, !sentence.isEmpty());
    }
}
