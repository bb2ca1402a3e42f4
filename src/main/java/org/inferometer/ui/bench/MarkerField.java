package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.HBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Panes;

/// Marks the moment, then offers the marker's text: Enter keeps it, Escape and an empty text remove the marker.
final class MarkerField extends HBox {
    private static final int COLUMNS = 14;
    private final BenchViewModel model;
    private final TextField field = new TextField();

    MarkerField(BenchViewModel model) {
        super(6);
        setAlignment(Pos.CENTER_LEFT);
        this.model = model;
        Button add = Buttons.of("live-marker", "mdal-flag", text("marker.add"), model::addMarker);
        add.getStyleClass().addAll(Styles.SMALL, Styles.FLAT);
        add.setTooltip(new Tooltip(text("marker.help")));
        field.setId("live-marker-text");
        field.setAccessibleText(text("marker.text"));
        field.setPrefColumnCount(COLUMNS);
        field.getStyleClass().add(Styles.SMALL);
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
