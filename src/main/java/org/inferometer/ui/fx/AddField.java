package org.inferometer.ui.fx;

import static org.inferometer.ui.fx.Messages.text;

import java.util.Optional;
import java.util.function.Function;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.layout.VBox;
import org.inferometer.ui.theme.StyleClasses;

/// A field that adds what is typed, with its button and, below, why it was refused.
public final class AddField extends VBox {
    private final TextField typed = new TextField();
    private final Label fault = Labels.wrapped("", StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
    private final Function<String, Optional<String>> add;

    /// @param id begins the ids of its parts and the keys of its messages: "machines"
    /// @param add takes what was typed; what is wrong, empty if it was added
    public AddField(String id, Function<String, Optional<String>> add) {
        super(8);
        this.add = add;
        typed.setId(id + "-typed");
        typed.setPromptText(text(id + ".prompt"));
        typed.setAccessibleText(text(id + ".prompt"));
        typed.setOnAction(event -> take());
        fault.setId(id + "-fault");
        Panes.show(fault, false);
        getChildren().addAll(Panes.row(8, typed, Buttons.of(id + "-add", "mdal-add", text(id + ".add"), this::take)),
                fault);
    }

    private void take() {
        if (typed.getText().isBlank()) {
            typed.requestFocus();
            return;
        }
        String wrong = add.apply(typed.getText()).orElse("");
        fault.setText(wrong);
        Panes.show(fault, !wrong.isEmpty());
        if (wrong.isEmpty()) {
            typed.clear();
        }
    }
}
