package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Locale;
import javafx.beans.InvalidationListener;
import javafx.beans.property.StringProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.Spinner;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.SuiteSession;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.suites.PlaceViewModel.JobField;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace;
import org.inferometer.ui.suites.PlaceViewModel.SuitePlace.Cluster;
import org.inferometer.ui.suites.PlatformViewModel.Kind;
import org.inferometer.ui.suites.SessionViewModel.SuiteApproval;
import org.inferometer.ui.theme.StyleClasses;

/// What test configurations run on, where and how often, and the buttons that run and stop them.
final class SuiteRunBar {
    private static final int MOST_RUNS = 1000;
    private static final double TARGET_WIDTH = 240;
    private static final double RUNS_WIDTH = 80;
    private static final double JOB_WIDTH = 120;

    private final SuitesViewModel model;
    private final SessionViewModel sessions;
    private final Questions questions;
    private final Button run = Buttons.of("suites-run", "mdmz-play_arrow", "", this::run);
    private final Button stop;
    private final Button resume;
    private final Label state = Panes.named("suites-state", Labels.of("", Styles.TEXT_MUTED));

    SuiteRunBar(SuitesViewModel model, Questions questions) {
        this.model = model;
        this.sessions = model.session();
        this.questions = questions;
        stop = Buttons.of("suites-stop", "mdmz-stop", text("suites.stop"), this::stop);
        resume = Buttons.of("suites-resume", "mdmz-redo", text("suites.resume"), () -> sessions.resume(approval()));
    }

    Node createView() {
        run.getStyleClass().add(Styles.ACCENT);
        state.setMinWidth(0);
        state.setWrapText(true);
        Panes.showWhen(state, state.textProperty().isNotEmpty());
        InvalidationListener changed = observed -> update();
        PlatformViewModel platform = model.platform();
        for (var each : List.of(model.rows(), platform.kind(), platform.engine(), platform.target(),
                model.place().chosen(), sessions.session(), sessions.running(), sessions.message(), model.suite())) {
            each.addListener(changed);
        }
        update();
        HBox choices = Panes.row(8, Labels.fixed(text("suites.platform"), StyleClasses.FIELD_LABEL), kind(), engine(),
                target(), Labels.fixed(text("suites.place"), StyleClasses.FIELD_LABEL), place(),
                Labels.fixed(text("suites.runs"), StyleClasses.FIELD_LABEL), runs());
        return Panes.styled(new VBox(8, new EndsRow(choices, Panes.row(8, run, stop, resume)), jobs(), state),
                StyleClasses.TIMELINE_BAR);
    }

    private static <T> ComboBox<T> shown(ComboBox<T> box, ObservableList<T> items, String key) {
        box.setItems(items);
        box.setAccessibleText(text(key));
        return box;
    }

    private Node kind() {
        ComboBox<Kind> kind = shown(
                ComboBoxes.of("suites-platform", each -> text("suites.on-" + each.name().toLowerCase(Locale.ROOT))),
                FXCollections.observableArrayList(Kind.values()), "suites.platform");
        kind.valueProperty().bindBidirectional(model.platform().kind());
        return kind;
    }

    private Node engine() {
        ComboBox<String> engine = shown(ComboBoxes.searchable("suites-engine", name -> name),
                model.platform().engines(), "suites.engine");
        ComboBoxes.choose(engine, model.platform().engine());
        Panes.showWhen(engine, model.platform().kind().isEqualTo(Kind.ENGINE));
        return engine;
    }

    private Node target() {
        TextField target = field("suites-target", "suites.target", model.platform().target(), TARGET_WIDTH);
        Panes.showWhen(target, model.platform().kind().isEqualTo(Kind.SERVER));
        return target;
    }

    private static TextField field(String id, String key, StringProperty text, double width) {
        TextField field = Panes.named(id, new TextField());
        field.setPrefWidth(width);
        field.setAccessibleText(text(key));
        field.setTooltip(new Tooltip(text(key)));
        field.textProperty().bindBidirectional(text);
        return field;
    }

    private Node place() {
        ComboBox<SuitePlace> place =
                shown(ComboBoxes.of("suites-place", SuitePlace::label), model.place().places(), "suites.place");
        place.valueProperty().bindBidirectional(model.place().chosen());
        return place;
    }

    private Node runs() {
        Spinner<Integer> runs = Panes.named("suites-runs", new Spinner<>(1, MOST_RUNS, model.platform().runs().get()));
        runs.setEditable(true);
        runs.setMinWidth(RUNS_WIDTH);
        runs.setPrefWidth(RUNS_WIDTH);
        runs.setAccessibleText(text("suites.runs"));
        runs.getValueFactory().valueProperty().bindBidirectional(model.platform().runs());
        return runs;
    }

    /// What jobs request.
    private Node jobs() {
        HBox row = Panes.row(8);
        for (JobField each : JobField.values()) {
            String name = "job-" + each.name().toLowerCase(Locale.ROOT);
            row.getChildren().addAll(Labels.fixed(text("suites." + name), StyleClasses.FIELD_LABEL),
                    field("suites-" + name, "suites." + name + ".tooltip", model.place().job(each), JOB_WIDTH));
        }
        row.setId("suites-jobs");
        Panes.showWhen(row, model.place().chosen().map(Cluster.class::isInstance));
        return row;
    }

    private void update() {
        boolean running = sessions.running().get();
        int files = model.rows().size();
        String why = model.suite().get() == null ? text("suites.none-open-short") : model.cannotRun();
        run.setText(files == 1 ? text("suites.run-one") : text("suites.run", files));
        run.setDisable(running || !why.isEmpty());
        run.setTooltip(new Tooltip(why.isEmpty() ? text("suites.run.tooltip") : why));
        SuiteSession session = sessions.session().get();
        Panes.show(stop, running);
        Panes.show(resume, sessions.canResume() || sessions.canRetry());
        resume.setText(text(sessions.canRetry() ? "suites.retry" : "suites.resume"));
        state.setText(session == null || (!running && !why.isEmpty()) ? why : describe(session, running));
    }

    private String describe(SuiteSession session, boolean running) {
        int ended = (int) session.tests().stream().filter(test -> test.state().isEnd()).count();
        String said = running ? sessions.message().get() : session.isOnCluster() ? text("suites.on-cluster") : "";
        return text("suites.progress", ended, session.tests().size(), session.count(State.COMPLETE),
                session.count(State.FAILED), session.count(State.BLOCKED)) + (said.isEmpty() ? "" : " · " + said);
    }

    private void run() {
        model.run(approval());
    }

    private SuiteApproval approval() {
        return new SuiteApproval() {
            @Override
            public boolean trusts(List<String> phrases) {
                return questions.confirmed(text("suites.access-heading"),
                        text("suites.access-detail", String.join("; ", phrases)), text("suites.access-run"),
                        text("suites.access-keep"));
            }

            @Override
            public boolean builds(long bytes) {
                return questions.buildsFirst(bytes);
            }
        };
    }

    private void stop() {
        SuiteSession session = sessions.session().get();
        if (session != null && session.isOnCluster() && questions.confirmed(text("suites.jobs-heading"),
                text("suites.jobs-detail"), text("suites.jobs-cancel"), text("suites.jobs-leave"))) {
            sessions.stopAndCancelJobs();
        } else {
            sessions.stop();
        }
    }
}
