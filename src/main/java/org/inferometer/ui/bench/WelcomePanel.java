package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import org.inferometer.ui.bench.BenchView.MachineSummary;
import org.inferometer.ui.designer.QuickReadiness;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// The first panel: four ways to begin, and one line on the GPU.
///
/// @param server measures a server from its address
/// @param addEngines asks for a folder of engines and imports them
record WelcomePanel(BenchViewModel model, Navigation navigation, ObservableValue<MachineSummary> machine, Node server,
        Runnable addEngines) {
    Node createView() {
        Label lead = Labels.centred(text("welcome.lead"), Styles.TEXT_MUTED);
        Button quick = choice("welcome-quick", "mdal-flash_on", "welcome.quick", model::runQuick);
        quick.setDefaultButton(true);
        quick.getStyleClass().add(Styles.ACCENT);
        VBox buttons =
                Panes.styled(
                        new VBox(10, server, quick,
                                choice("welcome-samples", "mdal-insert_chart", "welcome.samples",
                                        navigation::openSamples),
                                choice("welcome-file", "mdal-folder_open", "welcome.file", navigation::openFile)),
                        StyleClasses.WELCOME_PART);
        Label problem = Labels.message("welcome-problem",
                model.state().map(state -> state instanceof BenchState.Refused(String why) ? why : ""),
                StyleClasses.CALLOUT_DANGER, StyleClasses.WELCOME_PART);
        VBox column = Panes.named("welcome", new VBox(14, Labels.of(text("welcome.heading"), Styles.TITLE_2), lead,
                problem, missing(quick), buttons, gpuLine()));
        column.setAlignment(Pos.CENTER);
        column.getStyleClass().add(StyleClasses.WELCOME);
        ScrollPane scroll = Panes.scroll(new StackPane(column));
        scroll.setFitToHeight(true);
        scroll.setFocusTraversable(false);
        return scroll;
    }

    /// Why the quick benchmark cannot run, with ways out.
    private Node missing(Button quick) {
        VBox box =
                Panes.named("welcome-engines", new VBox(10), StyleClasses.CALLOUT_WARNING, StyleClasses.WELCOME_PART);
        Runnable show = () -> {
            QuickReadiness now = model.readiness().get();
            boolean ready = now.equals(QuickReadiness.READY);
            Panes.show(box, !ready);
            quick.setDisable(!ready);
            FlowPane actions = new FlowPane(8, 8);
            if (!now.instead().isEmpty()) {
                actions.getChildren()
                        .add(Buttons.of("welcome-quick-instead", "mdal-flash_on",
                                text("engines.run-instead", String.join(", ", now.instead())),
                                () -> model.runQuickOn(now.instead())));
            }
            actions.getChildren().add(Buttons.of("welcome-add-engines", "mdal-add", text("engines.add"), addEngines));
            box.getChildren().setAll(Labels.wrapped(now.sentence(), StyleClasses.WELCOME_MISSING), actions);
        };
        model.readiness().subscribe(now -> show.run());
        return box;
    }

    private Node gpuLine() {
        Label reason = Panes.named("welcome-gpu-why", Labels.centred("", Styles.TEXT_MUTED));
        reason.textProperty().bind(machine.map(MachineSummary::gpuReason));
        reason.getStyleClass().add(StyleClasses.WELCOME_PART);
        StackPane reasonLine = new StackPane(reason);
        Panes.show(reasonLine, false);
        Hyperlink why = Buttons.link("welcome-gpu-ask", text("welcome.gpu-why"),
                () -> Panes.show(reasonLine, !reasonLine.isVisible()));
        Panes.showWhen(why, machine.map(now -> !now.gpuReason().isEmpty()));
        HBox line = new HBox(4,
                Labels.bound("welcome-gpu", machine.map(MachineSummary::gpuSentence), Styles.TEXT_MUTED), why);
        line.setAlignment(Pos.CENTER);
        return new VBox(6, line, reasonLine);
    }

    private static Button choice(String id, String icon, String key, Runnable action) {
        Button button = Panes.named(id,
                new Button(null,
                        Panes.row(14, Labels.icon(icon, StyleClasses.CHOICE_ICON),
                                new VBox(2, Labels.of(text(key), StyleClasses.CHOICE_TITLE),
                                        Labels.of(text(key + ".detail"), StyleClasses.CHOICE_DETAIL)))),
                StyleClasses.CHOICE_BUTTON);
        button.setMaxWidth(Double.MAX_VALUE);
        button.setAlignment(Pos.CENTER_LEFT);
        button.setAccessibleText(text(key) + ". " + text(key + ".detail"));
        button.setOnAction(event -> action.run());
        return button;
    }
}
