package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.text.TextAlignment;
import org.inferometer.ui.designer.QuickReadiness;
import org.inferometer.ui.fx.Labels;
import org.kordamp.ikonli.javafx.FontIcon;

/// The first panel: three ways to begin, and one line on what computes here.
final class WelcomePanel {
    private final BenchViewModel model;
    private final BenchNavigation navigation;
    private final ObservableValue<MachineSummary> machine;
    private final Runnable addEngines;

    /// @param addEngines asks for a folder of engines and takes them in
    WelcomePanel(BenchViewModel model, BenchNavigation navigation, ObservableValue<MachineSummary> machine,
            Runnable addEngines) {
        this.addEngines = addEngines;
        this.model = model;
        this.navigation = navigation;
        this.machine = machine;
    }

    Node createView() {
        FontIcon mark = new FontIcon("mdmz-speed");
        mark.getStyleClass().add("welcome-mark");
        Label heading = new Label(text("welcome.heading"));
        heading.getStyleClass().addAll("title-2");
        Label lead = new Label(text("welcome.lead"));
        lead.getStyleClass().add("muted");
        lead.setWrapText(true);
        lead.setTextAlignment(TextAlignment.CENTER);
        lead.setMinHeight(Region.USE_PREF_SIZE);
        Button quick = choice("welcome-quick", "mdal-flash_on", "welcome.quick", model::runQuick);
        quick.setDefaultButton(true);
        quick.getStyleClass().add("accent");
        Button samples = choice("welcome-samples", "mdal-insert_chart", "welcome.samples", navigation::openSamples);
        Button file = choice("welcome-file", "mdal-folder_open", "welcome.file", navigation::openFile);
        VBox buttons = new VBox(10, quick, samples, file);
        buttons.setMaxWidth(460);
        Label problem = new Label();
        problem.setId("welcome-problem");
        problem.getStyleClass().add("callout-danger");
        problem.setWrapText(true);
        problem.setMaxWidth(460);
        problem.setMinHeight(Region.USE_PREF_SIZE);
        problem.textProperty().bind(model.problem());
        problem.visibleProperty()
                .bind(Bindings.createBooleanBinding(
                        () -> !model.problem().get().isEmpty()
                                && !model.problem().get().equals(model.readiness().get().sentence()),
                        model.problem(), model.readiness()));
        problem.managedProperty().bind(problem.visibleProperty());
        VBox column = new VBox(14, mark, heading, lead, problem, missing(quick), buttons, gpuLine());
        column.setId("welcome");
        column.setAlignment(Pos.CENTER);
        column.setMaxWidth(560);
        column.getStyleClass().add("welcome");
        StackPane centred = new StackPane(column);
        ScrollPane scroll = new ScrollPane(centred);
        scroll.setFitToWidth(true);
        scroll.setFitToHeight(true);
        scroll.setFocusTraversable(false);
        scroll.getStyleClass().add("plain-scroll");
        return scroll;
    }

    /// What keeps the quick benchmark from running here, with what can be done.
    private Node missing(Button quick) {
        VBox box = new VBox(10);
        box.setId("welcome-engines");
        box.getStyleClass().add("callout-warning");
        box.setMaxWidth(460);
        Runnable show = () -> {
            QuickReadiness now = model.readiness().get();
            boolean ready = now.equals(QuickReadiness.READY);
            box.setVisible(!ready);
            box.setManaged(!ready);
            quick.setDisable(!ready);
            FlowPane actions = new FlowPane(8, 8);
            if (!now.instead().isEmpty()) {
                Button instead = new Button(text("engines.run-instead", String.join(", ", now.instead())),
                        new FontIcon("mdal-flash_on"));
                instead.setId("welcome-quick-instead");
                instead.setOnAction(event -> model.runQuickOn(now.instead()));
                actions.getChildren().add(instead);
            }
            Button add = new Button(text("engines.add"), new FontIcon("mdal-add"));
            add.setId("welcome-add-engines");
            add.setOnAction(event -> addEngines.run());
            actions.getChildren().add(add);
            box.getChildren().setAll(Labels.wrapped(now.sentence(), "welcome-missing"), actions);
        };
        model.readiness().addListener((observed, before, now) -> show.run());
        show.run();
        return box;
    }

    private Node gpuLine() {
        Label sentence = new Label();
        sentence.setId("welcome-gpu");
        sentence.getStyleClass().add("muted");
        Label reason = new Label();
        reason.setId("welcome-gpu-why");
        reason.getStyleClass().add("muted");
        reason.setWrapText(true);
        reason.setMaxWidth(460);
        reason.setTextAlignment(TextAlignment.CENTER);
        reason.setMinHeight(Region.USE_PREF_SIZE);
        reason.setVisible(false);
        reason.setManaged(false);
        Hyperlink why = new Hyperlink(text("welcome.gpu-why"));
        why.setOnAction(event -> {
            reason.setVisible(!reason.isVisible());
            reason.setManaged(reason.isVisible());
            why.setVisited(false);
        });
        Runnable show = () -> {
            MachineSummary now = machine.getValue();
            sentence.setText(now.gpuSentence());
            reason.setText(now.gpuReason());
            why.setVisible(!now.gpuReason().isEmpty());
            why.setManaged(why.isVisible());
        };
        machine.addListener((observed, before, now) -> show.run());
        show.run();
        HBox line = new HBox(4, sentence, why);
        line.setAlignment(Pos.CENTER);
        return new VBox(6, line, centred(reason));
    }

    private static Node centred(Label label) {
        StackPane pane = new StackPane(label);
        pane.managedProperty().bind(label.managedProperty());
        return pane;
    }

    private static Button choice(String id, String icon, String key, Runnable action) {
        FontIcon glyph = new FontIcon(icon);
        glyph.getStyleClass().add("choice-icon");
        Label title = new Label(text(key));
        title.getStyleClass().add("choice-title");
        Label detail = new Label(text(key + ".detail"));
        detail.getStyleClass().add("choice-detail");
        VBox words = new VBox(2, title, detail);
        HBox.setHgrow(words, Priority.ALWAYS);
        HBox row = new HBox(14, glyph, words);
        row.setAlignment(Pos.CENTER_LEFT);
        Button button = new Button(null, row);
        button.setId(id);
        button.getStyleClass().add("choice-button");
        button.setMaxWidth(Double.MAX_VALUE);
        button.setAlignment(Pos.CENTER_LEFT);
        button.setAccessibleText(text(key) + ". " + text(key + ".detail"));
        button.setOnAction(event -> action.run());
        return button;
    }
}
