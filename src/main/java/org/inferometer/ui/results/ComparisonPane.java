package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.Margin;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.theme.StyleClasses;

/// Compares two results: selection at the top, then verdicts, regression gate and tables.
final class ComparisonPane {
    private static final PseudoClass ERROR = PseudoClass.getPseudoClass("error");
    private final ComparisonViewModel model;
    private final Notifier notices;
    private final VBox body = new VBox(12);
    private final Node gate;
    private final VBox judged = new VBox(6);
    private final SideChooser base;
    private final SideChooser candidate;

    ComparisonPane(ComparisonViewModel model, Notifier notices) {
        this.model = model;
        this.notices = notices;
        base = new SideChooser("comparison-base", model.base());
        candidate = new SideChooser("comparison-candidate", model.candidate());
        gate = gate();
    }

    /// Sets the results to choose from.
    void offer(List<ResultRow> choices) {
        base.offer(choices);
        candidate.offer(choices);
    }

    /// The pane; called once.
    Node createView() {
        body.getStyleClass().add(StyleClasses.VIEW_BODY);
        ScrollPane scroll = Panes.scroll(body);
        scroll.setId("comparison-scroll");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        model.reading().addListener((observed, before, now) -> show());
        model.comparing().addListener((observed, before, now) -> show());
        model.problem().addListener((observed, before, now) -> show());
        model.strict().addListener((observed, before, now) -> show());
        // A new comparison starts at its verdict.
        Stream.of(model.base(), model.candidate()).forEach(side -> {
            side.result().addListener((observed, before, now) -> scroll.setVvalue(0));
            side.part().addListener((observed, before, now) -> scroll.setVvalue(0));
        });
        show();
        VBox pane = new VBox(header(), sides(), scroll);
        pane.setId("comparison");
        pane.getStyleClass().add(StyleClasses.DETAIL_PANE);
        return pane;
    }

    private Node header() {
        ProgressBar progress = new ProgressBar();
        progress.setId("comparison-progress");
        progress.setPrefWidth(120);
        progress.visibleProperty().bind(model.comparing());
        Button copy = Buttons.of("comparison-copy", "mdal-code", text("compare.copy"), this::copyCommand);
        copy.setTooltip(new Tooltip(text("compare.copy.tooltip")));
        HBox line = Panes.row(10, Labels.of(text("compare.title"), StyleClasses.PANE_TITLE), progress, Panes.spacer(),
                copy, Buttons.icon("comparison-close", "mdal-close", text("compare.close"), model::close));
        line.getStyleClass().add(StyleClasses.PANE_HEADER);
        return line;
    }

    private Node sides() {
        Node left = base.createView("compare.base");
        Node right = candidate.createView("compare.candidate");
        HBox.setHgrow(left, Priority.ALWAYS);
        HBox.setHgrow(right, Priority.ALWAYS);
        // Both sides share the width equally.
        ((Region) left).setPrefWidth(1);
        ((Region) right).setPrefWidth(1);
        HBox line = Panes.row(10, left,
                Buttons.icon("comparison-swap", "mdmz-swap_horiz", text("compare.swap"), model::swap), right);
        line.getStyleClass().add(StyleClasses.COMPARISON_SIDES);
        return line;
    }

    private void copyCommand() {
        model.command().ifPresentOrElse(command -> {
            TextClipboard.copy(command);
            notices.done(text("compare.copied"));
        }, () -> notices.problem(text("compare.choose")));
    }

    private void show() {
        ComparisonOutcome reading = model.reading().get();
        if (!model.problem().get().isEmpty()) {
            body.getChildren().setAll(Labels.wrapped(model.problem().get(), StyleClasses.CALLOUT_DANGER));
        } else if (reading != null) {
            show(reading);
        } else {
            Label hint = Labels.of(text(model.comparing().get() ? "compare.reading" : "compare.choose"),
                    StyleClasses.CHART_MESSAGE);
            hint.setId("comparison-hint");
            body.getChildren().setAll(hint);
        }
    }

    private void show(ComparisonOutcome reading) {
        body.getChildren().clear();
        if (reading.comparison().pairs().isEmpty()) {
            body.getChildren().add(Labels.wrapped(text("compare.nothing"), StyleClasses.CALLOUT_WARNING));
        }
        if (reading.unranked()) {
            Label why = Labels.wrapped(text("compare.unranked"), StyleClasses.COMPARISON_WHY);
            HBox.setHgrow(why, Priority.ALWAYS);
            HBox line = Panes.row(12, why, Buttons.of("comparison-anyway", "mdmz-warning", text("compare.anyway"),
                    () -> model.anyway().set(true)));
            line.getStyleClass().add(StyleClasses.CALLOUT_WARNING);
            body.getChildren().add(line);
        }
        reading.comparison().pairs().stream().map(PairCard::verdict).forEach(body.getChildren()::add);
        reading.comparison().unpaired()
                .forEach(sentence -> body.getChildren().add(Labels.wrapped(sentence, StyleClasses.CALLOUT_WARNING)));
        judged.getChildren().setAll(GateList.createView(reading, model.strict().get()));
        body.getChildren().add(gate);
        reading.comparison().pairs().stream().map(PairCard::figures).forEach(body.getChildren()::add);
    }

    private Node gate() {
        TextField margins =
                new TextField(String.join(", ", model.margins().get().stream().map(Margin::written).toList()));
        margins.setId("gate-margins");
        margins.setAccessibleText(text("gate.margins"));
        margins.setTooltip(new Tooltip(text("gate.margins.help")));
        HBox.setHgrow(margins, Priority.ALWAYS);
        margins.setOnAction(event -> model.typeMargins(margins.getText()));
        margins.focusedProperty().addListener((observed, before, now) -> {
            if (!now) {
                model.typeMargins(margins.getText());
            }
        });
        Label label = Labels.fixed(text("gate.margins"));
        label.setLabelFor(margins);
        CheckBox strict = new CheckBox(text("gate.strict"));
        strict.setId("gate-strict");
        strict.setMinWidth(Region.USE_PREF_SIZE);
        strict.setTooltip(new Tooltip(text("gate.strict.help")));
        strict.selectedProperty().bindBidirectional(model.strict());
        Label fault = Labels.wrapped("", StyleClasses.FIELD_MESSAGE);
        fault.setId("gate-fault");
        fault.getStyleClass().add(StyleClasses.FAULT);
        fault.textProperty().bind(model.marginsFault());
        Panes.showWhen(fault, model.marginsFault().isNotEmpty());
        model.marginsFault()
                .addListener((observed, before, now) -> margins.pseudoClassStateChanged(ERROR, !now.isEmpty()));
        VBox card = new VBox(8, Labels.of(text("gate.title"), StyleClasses.TILE_TITLE),
                Panes.row(10, label, margins, strict), fault, judged);
        card.setId("gate");
        card.getStyleClass().addAll(StyleClasses.CARD, StyleClasses.SECTION_CARD);
        return card;
    }
}
