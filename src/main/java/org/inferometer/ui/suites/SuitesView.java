package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.suite.Suite;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.EntryList;
import org.inferometer.ui.fx.EntryList.EntryLook;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.theme.StyleClasses;

/// The files of a suite as a list beside the selected one, and the bar that runs them.
public final class SuitesView {
    private static final int FILTER_COLUMNS = 14;
    private static final double LIST_SHARE = 0.36;

    private final SuitesViewModel model;
    private final FileDialogs dialogs;
    private final Supplier<Optional<ExperimentSpec>> edited;
    private final SuiteDetail detail;
    private final SuiteRunBar runBar;
    private final EntryList<SuiteRow> list;
    private final Button open = Buttons.of("suites-open", "mdal-folder_open", text("suites.open"), this::open);

    /// @param edited the experiment of Bench's form; empty while it has a fault
    /// @param edit shows an experiment in that form
    /// @param result opens the record of a test
    public SuitesView(SuitesViewModel model, FileDialogs dialogs, Questions questions,
            Supplier<Optional<ExperimentSpec>> edited, Consumer<ExperimentSpec> edit, Consumer<Path> result) {
        this.model = model;
        this.dialogs = dialogs;
        this.list = new EntryList<>("suites", model, new EntryLook<>(SuiteRow::id, SuiteRow::smallLine, this::chip));
        this.edited = edited;
        this.detail = new SuiteDetail(model, edited, edit, questions, result);
        this.runBar = new SuiteRunBar(model, questions);
    }

    /// The view's root; called once.
    public Parent createView() {
        BorderPane root = Panes.named("suites", new BorderPane());
        root.setTop(new VBox(toolbar(), runBar.createView()));
        root.setCenter(list.beside(detail.createView(), LIST_SHARE));
        root.setBottom(new SuiteHeatMap(model).createView());
        model.session().session().addListener((observed, before, now) -> list.refresh());
        model.session().running().addListener((observed, before, now) -> list.refresh());
        return root;
    }

    /// Moves the focus to the list, or to the button that fills it.
    public void focusFirst() {
        if (model.all().isEmpty()) {
            open.requestFocus();
        } else {
            list.requestFocus();
        }
    }

    /// Moves the focus to the filter.
    public void find() {
        list.filter().requestFocus();
    }

    /// Asks for a folder and shows its files.
    public void open() {
        dialogs.folder(text("suites.open-title")).ifPresent(model::open);
    }

    private void add() {
        Suite suite = model.suite().get();
        if (suite != null) {
            edited.get().ifPresent(spec -> model.edits().add(suite.folder(), spec));
        }
    }

    private Node toolbar() {
        list.filter().setMinWidth(Region.USE_PREF_SIZE);
        Label path = Labels.bound("suites-path", model.suite().map(suite -> suite.folder().toString()).orElse(""),
                Styles.TEXT_MUTED);
        path.setMinWidth(0);
        Button again = Buttons.icon("suites-refresh", "mdmz-refresh", text("suites.refresh"), model::refresh);
        again.disableProperty().bind(model.suite().isNull());
        Button add = Buttons.icon("suites-add", "mdal-add", text("suites.add"), this::add);
        add.disableProperty().bind(model.suite().isNull());
        Labels.tellWhole(path);
        HBox head = list.head(FILTER_COLUMNS);
        head.getChildren().add(path);
        return Panes.styled(new EndsRow(head, Panes.row(12, add, open, again)), StyleClasses.TIMELINE_BAR);
    }

    /// A chip for how far a test is, else for what was found in its file.
    private Label chip(SuiteRow row) {
        if (model.session().isRunning(row.id())) {
            return Chips.chip(text("suites.state-running"), "mdmz-play_arrow", StyleClasses.CHIP_ACCENT);
        }
        return model.session().progress(row.id()).map(SuitesView::chip).orElseGet(() -> row.isRefused() ? Chips
                .chip(text("suites.refused"), "mdal-error_outline", StyleClasses.CHIP_BAD)
                : row.findings().isEmpty()
                        ? Chips.chip(text("suites.valid"), "mdal-check_circle", StyleClasses.CHIP_GOOD)
                : Chips.chip(counted("suites.notes", row.findings().size()), "mdal-info", StyleClasses.CHIP_NEUTRAL));
    }

    /// A chip for a state of a session's test.
    static Label chip(SessionTest test) {
        String word = text("suites.state-" + test.state().name().toLowerCase(Locale.ROOT));
        return switch (test.state()) {
            case COMPLETE -> Chips.chip(word, "mdal-check_circle", StyleClasses.CHIP_GOOD);
            case FAILED -> Chips.chip(word, "mdal-error_outline", StyleClasses.CHIP_BAD);
            case BLOCKED -> Chips.chip(word, "mdal-block", StyleClasses.CHIP_WARN);
            case RUNNING -> Chips.chip(word, "mdmz-play_arrow", StyleClasses.CHIP_ACCENT);
            case WAITING, SUBMITTED -> Chips.chip(word, "mdal-hourglass_empty", StyleClasses.CHIP_NEUTRAL);
            case CANCELLED -> Chips.chip(word, "mdmz-stop", StyleClasses.CHIP_NEUTRAL);
        };
    }
}
