package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.beans.binding.Bindings;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Spinner;
import javafx.scene.control.TextArea;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;

/// A prompt, the engine's answer as it comes, and how it ended.
record PromptPane(PromptViewModel model) {
    private static final int PROMPT_ROWS = 3;
    private static final int ANSWER_ROWS = 6;
    private static final int MOST_TOKENS = 4096;

    /// The pane for a built engine.
    Node show(String engine) {
        model.show(engine);
        TextArea prompt = Panes.named("prompt-text", new TextArea());
        prompt.setPrefRowCount(PROMPT_ROWS);
        prompt.setWrapText(true);
        prompt.setPromptText(text("engines.prompt-hint"));
        prompt.setAccessibleText(text("engines.prompt-hint"));
        prompt.textProperty().bindBidirectional(model.prompt());
        prompt.setOnKeyPressed(event -> {
            if (event.getCode() == KeyCode.ENTER && event.isShortcutDown()) {
                model.ask();
                event.consume();
            }
        });
        TextArea answer = Panes.named("prompt-answer", new TextArea());
        answer.setPrefRowCount(ANSWER_ROWS);
        answer.setWrapText(true);
        answer.setEditable(false);
        answer.setAccessibleText(text("engines.prompt-answer"));
        answer.textProperty().bind(model.answer());
        Panes.showWhen(answer, model.answer().isNotEmpty());
        return new VBox(8, prompt, actions(), answer,
                Labels.message("prompt-outcome", model.outcome(), Styles.TEXT_MUTED));
    }

    private Node actions() {
        Button ask = Buttons.of("prompt-ask", "mdmz-play_arrow", text("engines.prompt-ask"), () -> model.ask());
        ask.disableProperty().bind(model.running().or(model.prompt().isEmpty()));
        Button stop = Buttons.of("prompt-stop", "mdmz-stop", text("engines.prompt-stop"), model::stop);
        stop.disableProperty().bind(model.running().not());
        Spinner<Integer> tokens = Panes.named("prompt-tokens", new Spinner<>(1, MOST_TOKENS, model.tokens().get()));
        tokens.setEditable(true);
        tokens.setPrefWidth(110);
        tokens.setAccessibleText(text("engines.prompt-tokens"));
        model.tokens().bind(Bindings.createIntegerBinding(tokens::getValue, tokens.valueProperty()));
        CheckBox raw = Panes.named("prompt-raw", new CheckBox(text("engines.prompt-raw")));
        raw.setMinWidth(Region.USE_PREF_SIZE);
        raw.setTooltip(new Tooltip(text("engines.prompt-raw-detail")));
        raw.selectedProperty().bindBidirectional(model.raw());
        return Panes.row(8, ask, stop, raw, Panes.spacer(),
                Labels.fixed(text("engines.prompt-tokens"), Styles.TEXT_MUTED), tokens);
    }
}
