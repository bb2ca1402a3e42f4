package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.stream.Stream;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.Clipboard;
import javafx.scene.input.ClipboardContent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.Margin;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.kordamp.ikonli.javafx.FontIcon;

/// Two results held against each other: both chosen at the top, under them the verdict, the margins, and the figures.
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

    /// Offers these results on both sides.
    void offer(List<ResultRow> choices) {
        base.offer(choices);
        candidate.offer(choices);
    }

    /// The pane; one for its life.
    Node createView() {
        body.getStyleClass().add("view-body");
        ScrollPane scroll = new ScrollPane(body);
        scroll.setId("comparison-scroll");
        scroll.setFitToWidth(true);
        scroll.getStyleClass().add("plain-scroll");
        VBox.setVgrow(scroll, Priority.ALWAYS);
        model.reading().addListener((observed, before, now) -> show());
        model.comparing().addListener((observed, before, now) -> show());
        model.problem().addListener((observed, before, now) -> show());
        model.strict().addListener((observed, before, now) -> show());
        // Another comparison is read from its verdict on, not from where the one before was left.
        Stream.of(model.base(), model.candidate()).forEach(side -> {
            side.result().addListener((observed, before, now) -> scroll.setVvalue(0));
            side.part().addListener((observed, before, now) -> scroll.setVvalue(0));
        });
        show();
        VBox pane = new VBox(header(), sides(), scroll);
        pane.setId("comparison");
        pane.getStyleClass().add("detail-pane");
        return pane;
    }

    private Node header() {
        Label title = new Label(text("compare.title"));
        title.getStyleClass().add("pane-title");
        ProgressBar progress = new ProgressBar();
        progress.setId("comparison-progress");
        progress.setPrefWidth(120);
        progress.visibleProperty().bind(model.comparing());
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button copy = new Button(text("compare.copy"), new FontIcon("mdal-code"));
        copy.setId("comparison-copy");
        copy.setTooltip(new Tooltip(text("compare.copy.tooltip")));
        copy.setOnAction(event -> copyCommand());
        Button shut = new Button(null, new FontIcon("mdal-close"));
        shut.setId("comparison-close");
        shut.getStyleClass().addAll("flat", "button-icon");
        shut.setTooltip(new Tooltip(text("compare.close")));
        shut.setAccessibleText(text("compare.close"));
        shut.setOnAction(event -> model.close());
        HBox line = new HBox(10, title, progress, space, copy, shut);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("pane-header");
        return line;
    }

    private Node sides() {
        Button swap = new Button(null, new FontIcon("mdmz-swap_horiz"));
        swap.setId("comparison-swap");
        swap.getStyleClass().addAll("flat", "button-icon");
        swap.setTooltip(new Tooltip(text("compare.swap")));
        swap.setAccessibleText(text("compare.swap"));
        swap.setOnAction(event -> model.swap());
        Node left = base.createView("compare.base");
        Node right = candidate.createView("compare.candidate");
        HBox.setHgrow(left, Priority.ALWAYS);
        HBox.setHgrow(right, Priority.ALWAYS);
        // Both sides are as wide as the wider of their names wants, and share what there is.
        ((Region) left).setPrefWidth(1);
        ((Region) right).setPrefWidth(1);
        HBox line = new HBox(10, left, swap, right);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("comparison-sides");
        return line;
    }

    private void copyCommand() {
        model.command().ifPresentOrElse(command -> {
            ClipboardContent content = new ClipboardContent();
            content.putString(command);
            Clipboard.getSystemClipboard().setContent(content);
            notices.done(text("compare.copied"));
        }, () -> notices.problem(text("compare.choose")));
    }

    private void show() {
        ComparisonOutcome reading = model.reading().get();
        if (!model.problem().get().isEmpty()) {
            body.getChildren().setAll(Labels.wrapped(model.problem().get(), "callout-danger"));
        } else if (reading != null) {
            show(reading);
        } else {
            Label hint = new Label(text(model.comparing().get() ? "compare.reading" : "compare.choose"));
            hint.setId("comparison-hint");
            hint.getStyleClass().add("chart-message");
            body.getChildren().setAll(hint);
        }
    }

    private void show(ComparisonOutcome reading) {
        body.getChildren().clear();
        if (reading.comparison().pairs().isEmpty()) {
            body.getChildren().add(Labels.wrapped(text("compare.nothing"), "callout-warning"));
        }
        if (reading.unranked()) {
            Button anyway = new Button(text("compare.anyway"), new FontIcon("mdmz-warning"));
            anyway.setId("comparison-anyway");
            anyway.setMinWidth(Region.USE_PREF_SIZE);
            anyway.setOnAction(event -> model.anyway().set(true));
            Label why = Labels.wrapped(text("compare.unranked"), "comparison-why");
            HBox.setHgrow(why, Priority.ALWAYS);
            HBox line = new HBox(12, why, anyway);
            line.setAlignment(Pos.CENTER_LEFT);
            line.getStyleClass().add("callout-warning");
            body.getChildren().add(line);
        }
        reading.comparison().pairs().stream().map(PairCard::verdict).forEach(body.getChildren()::add);
        reading.comparison().unpaired()
                .forEach(sentence -> body.getChildren().add(Labels.wrapped(sentence, "callout-warning")));
        judged.getChildren().setAll(GateList.createView(reading, model.strict().get()));
        body.getChildren().add(gate);
        reading.comparison().pairs().stream().map(PairCard::figures).forEach(body.getChildren()::add);
    }

    private Node gate() {
        Label title = new Label(text("gate.title"));
        title.getStyleClass().add("tile-title");
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
        Label label = new Label(text("gate.margins"));
        label.setLabelFor(margins);
        label.setMinWidth(Region.USE_PREF_SIZE);
        CheckBox strict = new CheckBox(text("gate.strict"));
        strict.setId("gate-strict");
        strict.setMinWidth(Region.USE_PREF_SIZE);
        strict.setTooltip(new Tooltip(text("gate.strict.help")));
        strict.selectedProperty().bindBidirectional(model.strict());
        HBox line = new HBox(10, label, margins, strict);
        line.setAlignment(Pos.CENTER_LEFT);
        Label fault = Labels.wrapped("", "field-message");
        fault.setId("gate-fault");
        fault.getStyleClass().add("fault");
        fault.textProperty().bind(model.marginsFault());
        fault.visibleProperty().bind(model.marginsFault().isNotEmpty());
        fault.managedProperty().bind(fault.visibleProperty());
        model.marginsFault()
                .addListener((observed, before, now) -> margins.pseudoClassStateChanged(ERROR, !now.isEmpty()));
        VBox card = new VBox(8, title, line, fault, judged);
        card.setId("gate");
        card.getStyleClass().addAll("card", "section-card");
        return card;
    }
}
