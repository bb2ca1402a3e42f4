package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ListCell;
import javafx.scene.control.ListView;
import javafx.scene.control.ProgressIndicator;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.suite.Suite;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The files of a suite as a list beside the selected one, and the bar that runs them.
public final class SuitesView {
    private static final int FILTER_COLUMNS = 14;
    private static final double LIST_SHARE = 0.36;

    private final SuitesViewModel model;
    private final FileDialogs dialogs;
    private final BenchExperiment bench;
    private final SuiteDetail detail;
    private final SuiteRunBar runBar;
    private final ListView<SuiteRow> list = new ListView<>();
    private final TextField filter = SearchFields.of("suites-filter", text("suites.filter"));
    private final Button open = Buttons.of("suites-open", "mdal-folder_open", text("suites.open"), this::open);

    /// @param bench edits experiments
    /// @param result opens the record of a test
    public SuitesView(SuitesViewModel model, FileDialogs dialogs, Questions questions, BenchExperiment bench,
            Consumer<Path> result) {
        this.model = model;
        this.dialogs = dialogs;
        this.bench = bench;
        this.detail = new SuiteDetail(model, bench, questions, result);
        this.runBar = new SuiteRunBar(model, questions);
    }

    /// The view's root; called once.
    public Parent createView() {
        BorderPane root = new BorderPane();
        root.setId("suites");
        root.setTop(new VBox(toolbar(), runBar.createView()));
        SplitPane split = new SplitPane(list(), detail.createView());
        split.setId("suites-split");
        split.setDividerPositions(LIST_SHARE);
        split.getStyleClass().add(StyleClasses.RESULTS_SPLIT);
        SplitPane.setResizableWithParent(split.getItems().getFirst(), false);
        root.setCenter(split);
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
        filter.requestFocus();
    }

    /// Asks for a folder and shows its files.
    public void open() {
        dialogs.folder(text("suites.open-title")).ifPresent(model::open);
    }

    private void add() {
        Suite suite = model.suite().get();
        if (suite != null) {
            bench.edited().ifPresent(spec -> model.edits().add(suite.folder(), spec));
        }
    }

    private Node toolbar() {
        filter.setPrefColumnCount(FILTER_COLUMNS);
        filter.setMinWidth(Region.USE_PREF_SIZE);
        filter.textProperty().bindBidirectional(model.filter());
        Label count = Labels.of("", Styles.TEXT_MUTED);
        count.setId("suites-count");
        Label path = Labels.bound("suites-path", model.suite().map(suite -> suite.folder().toString()).orElse(""),
                Styles.TEXT_MUTED);
        path.setMinWidth(0);
        ListChangeListener<SuiteRow> counting = change -> count
                .setText(model.all().isEmpty() ? "" : text("suites.count", model.rows().size(), model.all().size()));
        model.rows().addListener(counting);
        model.all().addListener(counting);
        Button again = Buttons.icon("suites-refresh", "mdmz-refresh", text("suites.refresh"), model::refresh);
        again.disableProperty().bind(model.suite().isNull());
        Button add = Buttons.icon("suites-add", "mdal-add", text("suites.add"), this::add);
        add.disableProperty().bind(model.suite().isNull());
        count.setMinWidth(Region.USE_PREF_SIZE);
        Labels.tellWhole(path);
        EndsRow bar = new EndsRow(
                Panes.row(12, Labels.fixed(text("view.suites"), StyleClasses.PANE_TITLE), filter, count, path),
                Panes.row(12, add, open, again));
        bar.getStyleClass().add(StyleClasses.TIMELINE_BAR);
        return bar;
    }

    private Node list() {
        list.setId("suites-list");
        list.getStyleClass().addAll(Styles.DENSE, StyleClasses.RESULT_LIST);
        list.setItems(model.rows());
        list.setAccessibleText(text("view.suites"));
        list.setCellFactory(view -> new Cell());
        list.setPlaceholder(placeholder());
        model.rows().addListener((ListChangeListener<SuiteRow>) change -> list.setPlaceholder(placeholder()));
        model.loading().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        model.problem().addListener((observed, before, now) -> list.setPlaceholder(placeholder()));
        list.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> {
            if (now != null) {
                model.selected().set(now);
            }
        });
        model.selected().addListener((observed, before, now) -> {
            if (now != null && list.getSelectionModel().getSelectedItem() != now) {
                list.getSelectionModel().select(now);
            }
        });
        VBox.setVgrow(list, Priority.ALWAYS);
        VBox pane = new VBox(list);
        pane.getStyleClass().add(StyleClasses.RESULTS_LIST);
        pane.setId("suites-side");
        return pane;
    }

    private Node placeholder() {
        if (model.loading().get()) {
            ProgressIndicator busy = new ProgressIndicator();
            busy.setMaxSize(28, 28);
            return busy;
        }
        String problem = model.problem().get();
        return Labels.centred(!problem.isEmpty() ? problem : model.all().isEmpty() ? text("suites.none-open")
                : text("suites.none-match", model.all().size()), Styles.TEXT_MUTED);
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

    /// Id over what it is and its state.
    private final class Cell extends ListCell<SuiteRow> {
        @Override
        protected void updateItem(@Nullable SuiteRow row, boolean empty) {
            super.updateItem(row, empty);
            setText(null);
            setPrefWidth(0);
            if (empty || row == null) {
                setGraphic(null);
                setTooltip(null);
                return;
            }
            Label name = Labels.of(row.id(), StyleClasses.TILE_TITLE);
            name.setMinWidth(0);
            name.getStyleClass().add(StyleClasses.MIDDLE_CUT);
            Label line = Labels.of(row.smallLine(), Styles.TEXT_MUTED, Styles.TEXT_SMALL);
            line.setMinWidth(0);
            setGraphic(new VBox(2, name, Panes.row(6, line, Panes.spacer(), chip(row))));
            setTooltip(new Tooltip(row.id() + "\n" + row.smallLine()));
        }
    }

    /// The form of Bench, which edits experiments: engines, schedulers, loads, repetitions.
    public interface BenchExperiment {
        /// Shows an experiment in the form.
        void edit(ExperimentSpec experiment);

        /// The experiment of the form; empty while it has a fault.
        Optional<ExperimentSpec> edited();
    }
}
