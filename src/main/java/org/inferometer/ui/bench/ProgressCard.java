package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.LiveViewModel.LiveTime;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// Progress of the experiment: run i of n, phase, times, and the throughput of all runs.
final class ProgressCard extends VBox {
    ProgressCard(BenchViewModel model) {
        LiveViewModel live = model.live();
        setId("live-progress");
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.PROGRESS_CARD);
        Label headline = Labels.bound("live-headline", live.time().map(LiveTime::headline), StyleClasses.HEADLINE);
        headline.setMinWidth(0);
        Labels.tellWhole(headline);
        Label phase = Labels.bound("live-phase", live.time().map(LiveTime::phase), StyleClasses.CHIP,
                StyleClasses.CHIP_ACCENT);
        phase.visibleProperty().bind(live.time().map(time -> !time.phase().isEmpty()));
        phase.setMinWidth(Region.USE_PREF_SIZE);
        Label elapsed = Labels.bound("live-elapsed", live.time().map(LiveTime::elapsed), StyleClasses.FIGURE);
        elapsed.setMinWidth(Region.USE_PREF_SIZE);
        Label remaining = Labels.bound("live-remaining", live.time().map(LiveTime::remaining), Styles.TEXT_MUTED);
        remaining.setMinWidth(Region.USE_PREF_SIZE);
        RunStrip strip = new RunStrip(live);
        Panes.showWhen(strip, live.mode().map(mode -> mode != LiveMode.BLACKOUT));
        getChildren().addAll(new EndsRow(Panes.row(10, headline, phase),
                Panes.row(10, elapsed, remaining, new MarkerField(model), modes(live))), strip);
    }

    private static MenuButton modes(LiveViewModel live) {
        MenuButton button = Panes.named("live-mode", new MenuButton(), Styles.SMALL, Styles.FLAT);
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setTooltip(new Tooltip(text("live.mode.help")));
        button.textProperty().bind(live.mode().map(LiveMode::label));
        for (LiveMode mode : LiveMode.values()) {
            button.getItems()
                    .add(Buttons.item("live-mode-" + mode.key(),
                            text("live.mode.item", mode.label(), text("live.mode." + mode.key() + ".help")),
                            () -> live.choose(mode)));
        }
        return button;
    }

    /// Marks the moment, then offers the marker's text: Enter keeps it, Escape and an empty text remove the marker.
    private static final class MarkerField extends HBox {
        private static final int COLUMNS = 14;
        private final BenchViewModel model;
        private final TextField field = Panes.named("live-marker-text", new TextField(), Styles.SMALL);

        MarkerField(BenchViewModel model) {
            super(6);
            setAlignment(Pos.CENTER_LEFT);
            this.model = model;
            Button add = Panes.styled(Buttons.of("live-marker", "mdal-flag", text("marker.add"), model::addMarker),
                    Styles.SMALL, Styles.FLAT);
            add.setTooltip(new Tooltip(text("marker.help")));
            field.setAccessibleText(text("marker.text"));
            field.setPrefColumnCount(COLUMNS);
            Panes.showWhen(field, model.marking().map(text -> true).orElse(false));
            model.marking().subscribe(text -> {
                if (text != null) {
                    field.setText(text);
                    field.requestFocus();
                    field.selectAll();
                }
            });
            field.setOnAction(event -> end(field.getText()));
            field.setOnKeyPressed(event -> {
                if (event.getCode() == KeyCode.ESCAPE) {
                    end("");
                    event.consume();
                }
            });
            field.focusedProperty().addListener((observed, before, now) -> {
                if (!now && model.marking().get() != null) {
                    model.nameMarker(field.getText());
                }
            });
            getChildren().addAll(field, add);
        }

        private void end(String name) {
            model.nameMarker(name);
            getChildren().getLast().requestFocus();
        }
    }
}
