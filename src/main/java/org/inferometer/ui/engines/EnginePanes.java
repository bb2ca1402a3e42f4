package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Locale;
import javafx.beans.binding.Bindings;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.control.TextArea;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;

/// What is tried with a built engine: a prompt, and the quality of its predictions.
record EnginePanes(EnginesViewModel model, PromptViewModel prompts, FileDialogs dialogs) {
    private static final int PROMPT_ROWS = 3;
    private static final int ANSWER_ROWS = 6;
    private static final int MOST_PROMPT_TOKENS = 4096;
    private static final int LEAST_TOKENS = 256;
    private static final int MOST_TOKENS = 1_000_000;
    private static final int STANDARD_TOKENS = 8192;

    /// A prompt for a built engine, its answer as it comes, and how it ended.
    Node prompt(String engine) {
        prompts.show(engine);
        TextArea prompt = Panes.named("prompt-text", new TextArea());
        prompt.setPrefRowCount(PROMPT_ROWS);
        prompt.setWrapText(true);
        prompt.setPromptText(text("engines.prompt-hint"));
        prompt.setAccessibleText(text("engines.prompt-hint"));
        prompt.textProperty().bindBidirectional(prompts.prompt());
        prompt.setOnKeyPressed(event -> {
            if (event.getCode() == KeyCode.ENTER && event.isShortcutDown()) {
                prompts.ask();
                event.consume();
            }
        });
        TextArea answer = Panes.named("prompt-answer", new TextArea());
        answer.setPrefRowCount(ANSWER_ROWS);
        answer.setWrapText(true);
        answer.setEditable(false);
        answer.setAccessibleText(text("engines.prompt-answer"));
        answer.textProperty().bind(prompts.answer());
        Panes.showWhen(answer, prompts.answer().isNotEmpty());
        return new VBox(8, prompt, promptActions(), answer,
                Labels.message("prompt-outcome", prompts.outcome(), Styles.TEXT_MUTED));
    }

    private Node promptActions() {
        Button ask = Buttons.of("prompt-ask", "mdmz-play_arrow", text("engines.prompt-ask"), () -> prompts.ask());
        ask.disableProperty().bind(prompts.running().or(prompts.prompt().isEmpty()));
        Button stop = Buttons.of("prompt-stop", "mdmz-stop", text("engines.prompt-stop"), prompts::stop);
        stop.disableProperty().bind(prompts.running().not());
        Spinner<Integer> tokens = tokens("prompt-tokens", new Spinner<>(1, MOST_PROMPT_TOKENS, prompts.tokens().get()));
        prompts.tokens().bind(Bindings.createIntegerBinding(tokens::getValue, tokens.valueProperty()));
        CheckBox raw = Panes.named("prompt-raw", new CheckBox(text("engines.prompt-raw")));
        raw.setMinWidth(Region.USE_PREF_SIZE);
        raw.setTooltip(new Tooltip(text("engines.prompt-raw-detail")));
        raw.selectedProperty().bindBidirectional(prompts.raw());
        return Panes.row(8, ask, stop, raw, Panes.spacer(),
                Labels.fixed(text("engines.prompt-tokens"), Styles.TEXT_MUTED), tokens);
    }

    /// How far a built engine's predictions are from a reference's, and the button that measures it.
    Node quality(EngineRow row) {
        Label figures = Panes.named("engine-quality",
                Labels.wrapped(row.quality().map(EnginePanes::sentence).orElseGet(() -> text("engines.quality-none"))));
        List<String> references = model.references(row);
        if (references.isEmpty()) {
            return new VBox(8, figures, Labels.wrapped(text("engines.quality-no-reference"), Styles.TEXT_MUTED));
        }
        return new VBox(8, figures, qualityActions(references));
    }

    private Node qualityActions(List<String> references) {
        ComboBox<String> reference =
                Panes.named("quality-reference", new ComboBox<>(FXCollections.observableList(references)));
        reference.setAccessibleText(text("engines.quality-reference"));
        reference.getSelectionModel().selectFirst();
        Spinner<Integer> tokens =
                tokens("quality-tokens", new Spinner<>(LEAST_TOKENS, MOST_TOKENS, STANDARD_TOKENS, LEAST_TOKENS));
        Button measure = Buttons.of("quality-measure", "mdmz-rule", text("engines.quality-measure"),
                () -> dialogs
                        .open(text("engines.quality-title"),
                                List.of(new FileType(text("engines.quality-texts"), "*.txt"),
                                        new FileType(text("engines.quality-any"), "*")))
                        .ifPresent(file -> model.judge(reference.getValue(), file, tokens.getValue())));
        measure.setTooltip(new Tooltip(text("engines.quality-measure.tooltip")));
        measure.disableProperty().bind(model.task().isNotNull());
        return Panes.row(8, measure, Labels.fixed(text("engines.quality-reference"), Styles.TEXT_MUTED), reference,
                Panes.spacer(), Labels.fixed(text("engines.prompt-tokens"), Styles.TEXT_MUTED), tokens);
    }

    /// "Against llama-bf16 on wiki.txt, 8,192 tokens: …".
    static String sentence(EngineQuality quality) {
        Double loss = quality.logLikelihoodLoss().halfWidth();
        double ratio = quality.perplexityRatio();
        String interval = loss == null ? "" : String.format(Locale.ROOT, " ±%.4f", ratio * Math.expm1(loss));
        return text("engines.quality-figures", quality.reference(), quality.text().name(), quality.tokens(),
                String.format(Locale.ROOT, "%.4f", ratio) + interval, spread("%.5f", quality.divergence(), 1),
                spread("%.2f", quality.topAgreement(), 100))
                + (loss == null ? "" : " " + text("engines.quality-interval"));
    }

    private static String spread(String format, Mean mean, double factor) {
        Double half = mean.halfWidth();
        return String.format(Locale.ROOT, format, factor * mean.mean())
                + (half == null ? "" : " ±" + String.format(Locale.ROOT, format, factor * half));
    }

    private static Spinner<Integer> tokens(String id, Spinner<Integer> tokens) {
        tokens.setEditable(true);
        tokens.setPrefWidth(110);
        tokens.setAccessibleText(text("engines.prompt-tokens"));
        return Panes.named(id, tokens);
    }
}
