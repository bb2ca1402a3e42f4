package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
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
        Label headline = Labels.bound("live-headline", live.headline(), StyleClasses.HEADLINE);
        headline.setMinWidth(0);
        Labels.tellWhole(headline);
        Label phase = Labels.bound("live-phase", live.phase(), StyleClasses.CHIP, StyleClasses.CHIP_ACCENT);
        phase.visibleProperty().bind(live.phase().isNotEmpty());
        phase.setMinWidth(Region.USE_PREF_SIZE);
        Label elapsed = Labels.fixed("", StyleClasses.FIGURE);
        elapsed.textProperty().bind(live.elapsed());
        Label remaining = Labels.bound("live-remaining", live.remaining(), Styles.TEXT_MUTED);
        remaining.setMinWidth(Region.USE_PREF_SIZE);
        RunStrip strip = new RunStrip(live);
        Panes.showWhen(strip, live.mode().map(mode -> mode != LiveMode.BLACKOUT));
        getChildren().addAll(new EndsRow(Panes.row(10, headline, phase),
                Panes.row(10, elapsed, remaining, new MarkerField(model), modes(live))), strip);
    }

    private static MenuButton modes(LiveViewModel live) {
        MenuButton button = new MenuButton();
        button.setId("live-mode");
        button.getStyleClass().addAll(Styles.SMALL, Styles.FLAT);
        button.setMinWidth(Region.USE_PREF_SIZE);
        button.setTooltip(new Tooltip(text("live.mode.help")));
        button.textProperty().bind(live.mode().map(LiveMode::label));
        for (LiveMode mode : LiveMode.values()) {
            MenuItem item =
                    new MenuItem(text("live.mode.item", mode.label(), text("live.mode." + mode.key() + ".help")));
            item.setOnAction(event -> live.choose(mode));
            button.getItems().add(item);
        }
        return button;
    }
}
