package org.inferometer.ui.devices;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// How much equal experiments differ on this machine, and the button that learns it.
final class NoiseCard extends VBox {
    NoiseCard(NoiseViewModel model) {
        super(8);
        setId("device-noise");
        getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
        Label sentence = Labels.wrapped("");
        sentence.setId("device-noise-sentence");
        sentence.textProperty().bind(model.sentence());
        Button start = Buttons.of("device-noise-start", "mdmz-straighten", text("noise.start"), model::start);
        start.setTooltip(new Tooltip(text("noise.start.tooltip")));
        Panes.showWhen(start, model.running().not());
        Button cancel = Buttons.of("device-noise-cancel", "mdal-cancel", text("noise.cancel"), model::cancel);
        Panes.showWhen(cancel, model.running());
        getChildren().addAll(Labels.of(text("noise.title"), StyleClasses.PANE_TITLE),
                Labels.wrapped(text("noise.lead"), Styles.TEXT_MUTED), sentence, Panes.row(8, start, cancel));
        model.refresh();
    }
}
