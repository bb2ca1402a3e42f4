package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.value.ObservableValue;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionKind;

/// A labelled text field with what was understood, or what is wrong, under it.
final class FieldRow extends VBox {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("error");
    private static final double OPTION_WIDTH = 84;
    private static final int LONG_NAME = 16;
    private final TextField input = new TextField();
    private final Label label;
    private final HBox line;

    static FieldRow of(FieldViewModel<?> field) {
        FieldRow row = new FieldRow(text(field.key()), text(field.key() + ".help"), field.key(), field.error(),
                field.echo(), field::check);
        row.input.textProperty().bindBidirectional(field.text());
        return row;
    }

    static FieldRow of(String scheduler, OptionViewModel option) {
        String unit = option.description().unit();
        FieldRow row = new FieldRow(option.description().name(),
                text("designer.option-help", option.description().help(),
                        option.description().range() + (unit.isEmpty() ? "" : " " + unit),
                        option.description().standard()),
                scheduler + "." + option.description().name(), option.error(), null, option::check);
        row.input.textProperty().bindBidirectional(option.text());
        row.input.setPromptText(option.description().standard());
        if (!(option.description().kind() instanceof OptionKind.Text)) {
            row.asOption(unit);
        }
        return row;
    }

    /// Options have long names and short values: a long name gets a line of its own, the value a fixed part, its unit the rest.
    private void asOption(String unit) {
        if (label.getText().length() > LONG_NAME) {
            line.getChildren().remove(label);
            label.getStyleClass().add("long-label");
            getChildren().addFirst(label);
            setSpacing(2);
        }
        HBox.setHgrow(input, Priority.NEVER);
        input.setMinWidth(OPTION_WIDTH);
        input.setPrefWidth(OPTION_WIDTH);
        input.setMaxWidth(OPTION_WIDTH);
        Label unitLabel = new Label(unit);
        unitLabel.getStyleClass().addAll("muted", "small-text", "option-unit");
        line.getChildren().add(unitLabel);
        line.setSpacing(5);
    }

    private FieldRow(String name, String help, String id, ObservableValue<String> error,
            @org.jspecify.annotations.Nullable ObservableValue<String> echo, Runnable check) {
        getStyleClass().add("field-row");
        input.setId(id.replace('.', '-'));
        label = new Label(name);
        label.setLabelFor(input);
        label.getStyleClass().add("field-label");
        label.setTooltip(new Tooltip(help));
        label.setMinWidth(0);
        HBox.setHgrow(input, Priority.ALWAYS);
        input.setTooltip(new Tooltip(help));
        line = new HBox(8, label, input);
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
        // Enter checks what was typed; left alone it would press the window's default button.
        input.setOnAction(event -> check.run());
        input.focusedProperty().addListener((observed, before, now) -> {
            if (!now) {
                check.run();
            }
        });
        show.run();
        getChildren().addAll(line, message);
    }
}
