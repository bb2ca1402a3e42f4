package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.beans.InvalidationListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.theme.StyleClasses;

/// What test configurations run on, how often, and the buttons that run and stop them.
final class SuiteRunBar {
    private static final int MOST_RUNS = 1000;
    private static final double TARGET_WIDTH = 280;
    private static final double KIND_WIDTH = 130;
    private static final double RUNS_WIDTH = 80;

    private final SuitesViewModel model;
    private final Questions questions;
    private final Button run = Buttons.of("suites-run", "mdmz-play_arrow", "", this::run);
    private final Button stop;
    private final Button resume;
    private final Label state = Labels.of("", Styles.TEXT_MUTED);

    SuiteRunBar(SuitesViewModel model, Questions questions) {
        this.model = model;
        this.questions = questions;
        stop = Buttons.of("suites-stop", "mdmz-stop", text("suites.stop"), model::stop);
        resume = Buttons.of("suites-resume", "mdmz-redo", text("suites.resume"), model::resume);
    }

    Node createView() {
        ComboBox<Boolean> kind =
                ComboBoxes.of("suites-platform", server -> text(server ? "suites.on-server" : "suites.on-engine"));
        kind.getItems().setAll(List.of(false, true));
        kind.setPrefWidth(KIND_WIDTH);
        kind.setAccessibleText(text("suites.platform"));
        kind.valueProperty().bindBidirectional(model.onServer());
        ComboBox<String> engine = ComboBoxes.of("suites-engine", name -> name);
        engine.setItems(model.engines());
        engine.setAccessibleText(text("suites.engine"));
        engine.valueProperty().bindBidirectional(model.engine());
        TextField target = new TextField();
        target.setId("suites-target");
        target.setPrefWidth(TARGET_WIDTH);
        target.setAccessibleText(text("suites.target"));
        target.setTooltip(new Tooltip(text("suites.target")));
        target.textProperty().bindBidirectional(model.target());
        Panes.showWhen(engine, model.onServer().map(server -> !server));
        Panes.showWhen(target, model.onServer());
        Spinner<Integer> runs = new Spinner<>(1, MOST_RUNS, model.runs().get());
        runs.setId("suites-runs");
        runs.setEditable(true);
        runs.setMinWidth(RUNS_WIDTH);
        runs.setPrefWidth(RUNS_WIDTH);
        runs.setAccessibleText(text("suites.runs"));
        runs.getValueFactory().valueProperty().bindBidirectional(model.runs());
        run.getStyleClass().add(Styles.ACCENT);
        state.setId("suites-state");
        state.setMinWidth(0);
        state.setWrapText(true);
        InvalidationListener changed = observed -> update();
        for (var each : List.of(model.rows(), model.onServer(), model.engine(), model.target(), model.session(),
                model.running(), model.suite())) {
            each.addListener(changed);
        }
        update();
        HBox bar = Panes.row(8, Labels.fixed(text("suites.platform"), StyleClasses.FIELD_LABEL), kind, engine, target,
                Labels.fixed(text("suites.runs"), StyleClasses.FIELD_LABEL), runs, run, stop, resume, state);
        bar.getStyleClass().add(StyleClasses.TIMELINE_BAR);
        return bar;
    }

    private void update() {
        boolean running = model.running().get();
        int files = model.rows().size();
        String why = model.suite().get() == null ? text("suites.none-open-short") : model.cannotRun();
        run.setText(files == 1 ? text("suites.run-one") : text("suites.run", files));
        run.setDisable(running || !why.isEmpty());
        run.setTooltip(new Tooltip(why.isEmpty() ? text("suites.run.tooltip") : why));
        SuiteSession session = model.session().get();
        Panes.show(stop, running);
        Panes.show(resume, model.canResume());
        state.setText(session == null ? why : describe(session, running || model.canResume()));
    }

    private static String describe(SuiteSession session, boolean here) {
        int ended = (int) session.tests().stream().filter(test -> test.state().isEnd()).count();
        String elsewhere = here || session.isEnded() ? ""
                : " · " + text(session.isOnCluster() ? "suites.collect" : "suites.elsewhere", session.id());
        return text("suites.progress", ended, session.tests().size(), session.count(State.COMPLETE),
                session.count(State.FAILED), session.count(State.BLOCKED)) + elsewhere;
    }

    private void run() {
        List<String> deeds = model.accesses();
        if (deeds.isEmpty() || questions.confirmed(text("suites.access-heading"),
                text("suites.access-detail", String.join("; ", deeds)), text("suites.access-run"),
                text("suites.access-keep"))) {
            model.run();
        }
    }
}
