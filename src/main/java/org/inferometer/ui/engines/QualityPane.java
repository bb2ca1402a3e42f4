package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Locale;
import javafx.collections.FXCollections;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.VBox;
import org.inferometer.engine.EngineQuality;
import org.inferometer.engine.EngineQuality.Mean;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.FileDialogs.FileType;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;

/// How far an engine's predictions are from a reference's, and the button that measures it.
record QualityPane(EnginesViewModel model, FileDialogs dialogs) {
    private static final int LEAST_TOKENS = 256;
    private static final int MOST_TOKENS = 1_000_000;
    private static final int STANDARD_TOKENS = 8192;

    /// The pane for a built engine.
    Node show(EngineRow row) {
        Label figures = Panes.named("engine-quality",
                Labels.wrapped(row.quality().map(QualityPane::sentence).orElseGet(() -> text("engines.quality-none"))));
        List<String> references = model.references(row);
        if (references.isEmpty()) {
            return new VBox(8, figures, Labels.wrapped(text("engines.quality-no-reference"), Styles.TEXT_MUTED));
        }
        return new VBox(8, figures, actions(references));
    }

    private Node actions(List<String> references) {
        ComboBox<String> reference =
                Panes.named("quality-reference", new ComboBox<>(FXCollections.observableList(references)));
        reference.setAccessibleText(text("engines.quality-reference"));
        reference.getSelectionModel().selectFirst();
        Spinner<Integer> tokens =
                Panes.named("quality-tokens", new Spinner<>(LEAST_TOKENS, MOST_TOKENS, STANDARD_TOKENS, LEAST_TOKENS));
        tokens.setEditable(true);
        tokens.setPrefWidth(110);
        tokens.setAccessibleText(text("engines.prompt-tokens"));
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
}
