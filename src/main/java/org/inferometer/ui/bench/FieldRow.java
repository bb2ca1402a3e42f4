package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Texts.text;

import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/// A labelled text field with what was understood, or what is wrong, under it.
final class FieldRow extends VBox {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("error");
    private final TextField input = new TextField();

    static FieldRow of(FieldViewModel<?> field) {
        FieldRow row = new FieldRow(text(field.key()), text(field.key() + ".help"), field.key(), field.error(), field.echo(), field::check);
        row.input.textProperty().bindBidirectional(field.text());
        return row;
    }

    static FieldRow of(String scheduler, OptionViewModel option) {
        String unit = option.description().unit();
        FieldRow row = new FieldRow(
                option.description().name(),
                option.description().help() + "\n" + option.description().range() + (unit.isEmpty() ? "" : " " + unit),
                scheduler + "." + option.description().name(),
                option.error(),
                null,
                option::check);
        row.input.textProperty().bindBidirectional(option.text());
        row.input.setPromptText(option.description().standard());
        return row;
    }

    private FieldRow(
            String name,
            String help,
            String id,
            ObservableValue<String> error,
            @org.jspecify.annotations.Nullable ObservableValue<String> echo,
            Runnable check) {
        getStyleClass().add("field-row");
        input.setId(id.replace('.', '-'));
        Label label = new Label(name);
        label.setLabelFor(input);
        label.getStyleClass().add("field-label");
        label.setTooltip(new Tooltip(help));
        label.setMinWidth(0);
        HBox.setHgrow(input, Priority.ALWAYS);
        input.setTooltip(new Tooltip(help));
        HBox line = new HBox(8, label, input);
        line.setAlignment(Pos.CENTER_LEFT);
        Label message = new Label();
        message.setId(input.getId() + "-message");
        message.setWrapText(true);
        message.getStyleClass().add("field-message");
        Runnable show = () -> {
            boolean wrong = !error.getValue().isEmpty();
            message.setText(wrong ? error.getValue() : echo == null ? "" : echo.getValue());
            message.setManaged(!message.getText().isEmpty());
            message.setVisible(message.isManaged());
            message.pseudoClassStateChanged(WRONG, wrong);
            input.pseudoClassStateChanged(WRONG, wrong);
        };
        error.addListener((observed, before, now) -> show.run());
        if (echo != null) {
            echo.addListener((observed, before, now) -> show.run());
        }
        input.focusedProperty().addListener((observed, before, now) -> {
            if (!now) {
                check.run();
            }
        });
        show.run();
        getChildren().addAll(line, message);
    }
}
