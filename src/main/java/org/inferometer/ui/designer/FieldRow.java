package org.inferometer.ui.designer;

import atlantafx.base.theme.Styles;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Control;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionKind;
import org.inferometer.ui.designer.FieldViewModel.FieldNaming;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Messages;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// A labelled text field; under it the parsed value or the fault.
final class FieldRow extends VBox {
    private static final PseudoClass WRONG = PseudoClass.getPseudoClass("error");
    private static final int LONG_NAME = 16;
    private final TextField input = new TextField();
    private final Label label;
    private final HBox line;

    static FieldRow of(FieldViewModel<?> field) {
        FieldNaming naming = field.naming();
        return new FieldRow(naming.key(), naming.empty().isEmpty() ? naming.help()
                : Messages.text("designer.empty", naming.help(), naming.empty()), field);
    }

    static FieldRow of(String scheduler, OptionViewModel option) {
        FieldRow row = new FieldRow(scheduler + "." + option.description().name(), option.help(), option);
        if (!(option.description().kind() instanceof OptionKind.Text)) {
            row.asOption(option.description());
        }
        return row;
    }

    /// A control with its label. A long label gets its own line.
    static Node labelled(String name, Control control) {
        control.setMaxWidth(Double.MAX_VALUE);
        return labelled(name, (Node) control);
    }

    /// A node with its label. A long label gets its own line.
    static Node labelled(String name, Node content) {
        Label label = Labels.of(name, StyleClasses.FIELD_LABEL);
        label.setLabelFor(content);
        Node row;
        if (name.length() > LONG_NAME) {
            label.getStyleClass().add(StyleClasses.LONG_LABEL);
            row = new VBox(2, label, content);
        } else {
            label.setMinWidth(0);
            HBox.setHgrow(content, Priority.ALWAYS);
            row = Panes.row(8, label, content);
        }
        row.getStyleClass().add(StyleClasses.FIELD_ROW);
        return row;
    }

    /// A long name gets its own line, the value a fixed width.
    private void asOption(OptionDescription option) {
        if (label.getText().length() > LONG_NAME) {
            line.getChildren().remove(label);
            label.getStyleClass().add(StyleClasses.LONG_LABEL);
            getChildren().addFirst(label);
            setSpacing(2);
        }
        HBox.setHgrow(input, Priority.NEVER);
        input.getStyleClass().add(StyleClasses.OPTION_INPUT);
        Label unit = Labels.of("", Styles.TEXT_MUTED, Styles.TEXT_SMALL);
        unit.textProperty().bind(input.textProperty().map(typed -> typed.strip().equals("0") && !option.zero().isEmpty()
                ? Messages.text("designer.zero", option.zero()) : option.unit()));
        unit.setMinWidth(0);
        Labels.tellWhole(unit);
        line.getChildren().add(unit);
        line.setSpacing(5);
    }

    private FieldRow(String id, String help, FieldViewModel<?> field) {
        getStyleClass().add(StyleClasses.FIELD_ROW);
        input.setId(id.replace('.', '-'));
        input.setTooltip(new Tooltip(help));
        input.setPromptText(field.naming().empty());
        input.textProperty().bindBidirectional(field.text());
        HBox.setHgrow(input, Priority.ALWAYS);
        label = Labels.of(field.naming().label(), StyleClasses.FIELD_LABEL);
        label.setLabelFor(input);
        label.setTooltip(new Tooltip(help));
        label.setMinWidth(0);
        line = Panes.row(8, label, input);
        Label message = Panes.named(input.getId() + "-message", Labels.of("", StyleClasses.FIELD_MESSAGE));
        message.setWrapText(true);
        Runnable show = () -> {
            boolean wrong = !field.error().get().isEmpty();
            String understood = field.echo().get();
            // What is understood as it was typed says nothing new.
            message.setText(wrong ? field.error().get() : understood.equals(input.getText().strip()) ? "" : understood);
            Panes.show(message, !message.getText().isEmpty());
            message.pseudoClassStateChanged(WRONG, wrong);
            input.pseudoClassStateChanged(WRONG, wrong);
        };
        Stream.of(field.error(), field.echo(), input.textProperty())
                .forEach(each -> each.addListener((observed, before, now) -> show.run()));
        // Enter checks the field; otherwise it would press the window's default button.
        input.setOnAction(event -> field.check());
        input.focusedProperty().addListener((observed, before, now) -> {
            if (!now) {
                field.check();
            }
        });
        show.run();
        getChildren().addAll(line, message);
    }
}
