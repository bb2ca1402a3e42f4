package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.io.File;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javafx.animation.PauseTransition;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.ListChangeListener;
import javafx.css.PseudoClass;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Label;
import javafx.scene.control.SplitPane;
import javafx.scene.control.TableView;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.input.TransferMode;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.util.Duration;
import org.controlsfx.control.textfield.CustomTextField;
import org.controlsfx.control.textfield.TextFields;
import org.inferometer.results.bundle.SavedLook.ComparisonLook;
import org.inferometer.results.bundle.SavedLook.PageLook;
import org.inferometer.results.exchange.Importer;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FileDialogs;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Navigation;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.results.ResultTable.ResultList;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// The Results view: the table of experiments; an open result or comparison has the height of the view, beside a narrow list.
public final class ResultsView {
    /// Results that are read faster are not previewed.
    private static final Duration READING_SHOWS = Duration.millis(150);
    /// So many requests surely take longer than that.
    private static final long LONG_READING = 100_000;
    private static final PseudoClass RECEIVES = PseudoClass.getPseudoClass("receives");
    private final ResultsViewModel model;
    private final ReportSaver reports;
    private final ImportViewModel imports;
    private final PinnedResults pins;
    private final ComparisonViewModel comparison;
    private final ChartTools tools;
    private final Navigation navigation;
    private final Settings memory;
    private final BorderPane root = Panes.named("results", new BorderPane());
    private final SplitPane split = Panes.styled(new SplitPane(), StyleClasses.RESULTS_SPLIT);
    private final CustomTextField search = (CustomTextField) TextFields.createClearableTextField();
    private final TableView<ResultRow> table;
    private final ComparisonPane comparisonPane;
    private final Node comparisonNode;
    private final ResultList list;
    private final StackPane listNode = new StackPane();
    private final VBox toolsNode = Panes.styled(new VBox(8), StyleClasses.RESULTS_TOOLS);
    private @Nullable DetailPane detail;
    private final PauseTransition preview = new PauseTransition(READING_SHOWS);
    private @Nullable Node detailNode;
    private final BooleanProperty tableShown = new SimpleBooleanProperty(true);
    private boolean previewed;

    /// @param memory stores column widths
    public ResultsView(ResultsViewModel model, ImportViewModel imports, ComparisonViewModel comparison,
            ReportSaver reports, Navigation navigation, Settings memory, ResultActions actions, PinnedResults pins) {
        this.pins = pins;
        this.reports = reports;
        this.comparison = comparison;
        this.navigation = navigation;
        this.memory = memory;
        this.model = model;
        this.imports = imports;
        this.tools = reports.tools();
        comparisonPane = new ComparisonPane(comparison, reports);
        comparisonNode = comparisonPane.createView();
        table = ResultTable.createView(model, model::open, memory);
        list = new ResultList(model, this::placeholder);
        listNode.getChildren().add(table);
        ContextMenu menu = new ContextMenu();
        actions.offer(table, () -> List.copyOf(table.getSelectionModel().getSelectedItems()), this::compare, menu);
        table.setContextMenu(menu);
        ContextMenu besides = new ContextMenu();
        actions.offer(list.createView(),
                () -> Optional.ofNullable(list.createView().getSelectionModel().getSelectedItem()).stream().toList(),
                this::compare, besides);
        list.createView().setContextMenu(besides);
    }

    /// The view's root; one for the life of the view.
    public Node createView() {
        toolsNode.getChildren().addAll(toolbar(), pinned(), problem());
        listNode.getStyleClass().add(StyleClasses.RESULTS_LIST);
        acceptFiles(root, listNode);
        split.getItems().add(listNode);
        root.setTop(toolsNode);
        root.setCenter(split);
        model.opened().addListener((observed, before, now) -> {
            comparison.close();
            showDetail(now);
        });
        comparison.opened().addListener((observed, before, now) -> showBelow());
        preview.setOnFinished(event -> showPreview());
        model.announced().addListener((observed, before, now) -> announce(now));
        model.loading().addListener((observed, before, now) -> table.setPlaceholder(placeholder()));
        model.rows().addListener((ListChangeListener<ResultRow>) change -> table.setPlaceholder(placeholder()));
        table.setPlaceholder(placeholder());
        return root;
    }

    /// Moves the focus to the search field.
    public void find() {
        search.requestFocus();
        search.selectAll();
    }

    /// What the open result looks like.
    public PageLook look() {
        return detail == null ? PageLook.NONE : detail.look();
    }

    /// What the open comparison looks like.
    public ComparisonLook comparisonLook() {
        return comparison.opened().get() ? comparisonPane.look() : ComparisonLook.NONE;
    }

    /// The open result looks as it was taken down.
    public void show(PageLook look) {
        if (detail != null) {
            detail.show(look);
        }
    }

    /// The open comparison looks as it was taken down.
    public void show(ComparisonLook look) {
        comparisonPane.show(look);
    }

    /// What the list shows.
    public ListLook listLook() {
        return ListLook.of(model.filter(), table);
    }

    /// The list shows what was taken down.
    public void show(ListLook look) {
        look.show(model.filter(), table);
    }

    /// Asks for a file and saves a report of the open result.
    public void saveReport() {
        OpenedExperiment opened = model.opened().get();
        if (opened == null) {
            tools.notifier().problem(text("notice.nothing-open"));
            return;
        }
        reports.save(new ReportSubject.Result(opened.record()));
    }

    /// Asks for a file of another tool and imports it.
    public void importResult() {
        tools.dialogs()
                .open(text("import.title"),
                        List.of(new FileDialogs.FileType(text("file.results"),
                                "*.inferometer;*.json;*.jsonl;*.csv;*.md;*.sql;*.yaml;*.yml;*.txt;*.log;*.gz"),
                                new FileDialogs.FileType(text("file.any"), "*")))
                .ifPresent(file -> imports.take(List.of(file)));
    }

    private void exportRuns(String format) {
        tools.dialogs().folder(text("export.runs-title", ResultExport.label(format)))
                .ifPresent(folder -> model.exportRuns(format, folder, written -> {
                    tools.notifier().done(counted("notice.exported", written.files().size(), folder));
                    if (!written.leftOut().isEmpty()) {
                        tools.notifier().problem(text("export.left-out", String.join(" ", written.leftOut())));
                    }
                }, failure -> tools.notifier().problem(text("export.failed", ErrorText.sentence(failure)))));
    }

    /// Compares the open result, or the ones selected in the table, the oldest as the base. With one, the user chooses the other.
    public void compare() {
        List<ResultRow> chosen = !tableShown.get() ? List.of()
                : table.getSelectionModel().getSelectedItems().stream()
                        .filter(row -> row != null && row.manifest().isPresent())
                        .sorted(Comparator.comparing(ResultRow::added)).toList();
        if (chosen.size() > 1) {
            comparison.open(chosen.getFirst(), chosen.getLast(), chosen.subList(1, chosen.size() - 1));
            return;
        }
        ResultRow one = chosen.isEmpty() ? open(model.opened().get()) : chosen.getFirst();
        List<ResultRow> kept = pins.compared(one, model.readable().stream().map(ResultRow::folder).toList());
        if (kept.isEmpty()) {
            comparison.open(null, one);
        } else {
            comparison.open(kept.getFirst(), kept.size() > 1 ? kept.get(1) : null, kept.stream().skip(2).toList());
        }
    }

    /// Makes the selected or the open result the baseline; in a comparison, the candidate becomes the base.
    public void setBaseline() {
        List<ResultRow> chosen = chosen();
        if (comparison.opened().get()) {
            comparison.swap();
        } else if (chosen.size() == 1) {
            pins.setBaseline(chosen.getFirst());
        } else {
            tools.notifier().problem(text("pinned.choose-one"));
        }
    }

    /// Pins the selected results or the open one, or takes their pins away.
    public void pin() {
        List<ResultRow> chosen = chosen();
        if (chosen.isEmpty()) {
            tools.notifier().problem(text("pinned.choose"));
        } else if (!pins.pin(chosen)) {
            tools.notifier().problem(text("pinned.full", PinnedResults.MOST));
        }
    }

    /// Forgets baseline and pins.
    public void clearPins() {
        pins.clear();
    }

    /// Shows the settings that differ in the open comparison.
    public void showSettings() {
        if (!comparisonPane.showSettings()) {
            tools.notifier().problem(text("compare.none-open"));
        }
    }

    /// The selected readable results, or the open one.
    private List<ResultRow> chosen() {
        List<ResultRow> selected = tableShown.get() ? table.getSelectionModel().getSelectedItems().stream()
                .filter(row -> row != null && row.manifest().isPresent()).toList() : List.of();
        return selected.isEmpty() ? Optional.ofNullable(open(model.opened().get())).stream().toList() : selected;
    }

    /// Baseline and pins, and what can be done with them; not shown without any.
    private Node pinned() {
        Label words = Labels.bound("results-pinned", pins.chosen().map(PinnedResults.Chosen::words), Styles.TEXT_MUTED);
        HBox line = Panes.row(10, words, Buttons.link("results-compare-pinned", text("action.compare"), this::compare),
                Buttons.link("results-clear-pinned", text("menu.clear-pins"), this::clearPins));
        Panes.showWhen(line, pins.chosen().map(chosen -> !chosen.isEmpty()));
        return line;
    }

    private static @Nullable ResultRow open(@Nullable OpenedExperiment opened) {
        return opened == null ? null
                : new ResultRow(opened.origin(), opened.record().folder(), Optional.of(opened.record().manifest()), "");
    }

    /// Imports files that are dropped on the view.
    ///
    /// @param list is highlighted during the drag
    private void acceptFiles(Node view, Node list) {
        view.setOnDragOver(event -> {
            if (event.getDragboard().hasFiles() && !imports.importing().get()) {
                event.acceptTransferModes(TransferMode.COPY);
            }
            event.consume();
        });
        view.setOnDragEntered(event -> list.pseudoClassStateChanged(RECEIVES, event.getDragboard().hasFiles()));
        view.setOnDragExited(event -> list.pseudoClassStateChanged(RECEIVES, false));
        view.setOnDragDropped(event -> {
            boolean taken = event.getDragboard().hasFiles() && !imports.importing().get();
            if (taken) {
                imports.take(event.getDragboard().getFiles().stream().map(File::toPath).toList());
            }
            event.setDropCompleted(taken);
            event.consume();
        });
    }

    /// Asks for a folder and writes the scheduler tables and charts of the open result into it.
    public void exportSchedulers() {
        if (model.opened().get() == null) {
            tools.notifier().problem(text("notice.nothing-open"));
            return;
        }
        tools.dialogs().folder(text("export.schedulers-title")).ifPresent(folder -> model.exportSchedulers(folder,
                count -> tools.notifier().done(counted("notice.exported", count, folder)),
                failure -> tools.notifier().problem(text("notice.not-saved", folder, ErrorText.sentence(failure)))));
    }

    /// Ends the view's charts.
    public void dispose() {
        comparisonPane.dispose();
        showDetail(null);
    }

    private Node toolbar() {
        search.setId("results-search");
        search.setPromptText(text("results.search"));
        search.setAccessibleText(text("results.search"));
        search.setLeft(Labels.icon("mdmz-search", StyleClasses.SEARCH_ICON));
        search.textProperty().bindBidirectional(model.filter().search());
        search.setPrefWidth(300);
        search.setMinWidth(180);
        ToggleButton starred = Panes.named("results-starred", new ToggleButton("", new FontIcon("mdmz-star")));
        starred.setTooltip(new Tooltip(text("results.starred-only")));
        starred.setAccessibleText(text("results.starred-only"));
        starred.selectedProperty().bindBidirectional(model.filter().starredOnly());
        Label count = Labels.bound("results-count", model.count(), Styles.TEXT_MUTED);
        count.setMinWidth(Region.USE_PREF_SIZE);
        Button take = Buttons.of("results-import", "mdal-get_app", text("action.import"), this::importResult);
        take.setTooltip(new Tooltip(text("action.import.tooltip", String.join(", ", Importer.formats()))));
        take.disableProperty().bind(imports.importing());
        Label reading = Labels.bound("results-importing", imports.progress(), Styles.TEXT_MUTED);
        Panes.showWhen(reading, imports.importing());
        Label opening = Panes.named("results-opening", Labels.of(text("results.opening"), Styles.TEXT_MUTED));
        Panes.showWhen(opening, model.opening());
        Button compare = Buttons.of("results-compare", "mdal-compare_arrows", text("action.compare"), this::compare);
        compare.setTooltip(new Tooltip(text("action.compare.tooltip")));
        compare.disableProperty().bind(table.getSelectionModel().selectedItemProperty().isNull());
        Button open = Buttons.of("results-open", "mdal-launch", text("action.open"),
                () -> model.open(table.getSelectionModel().getSelectedItem()));
        open.disableProperty().bind(table.getSelectionModel().selectedItemProperty().isNull());
        // Both act on rows of the table; an open result has its own buttons.
        Panes.showWhen(compare, tableShown);
        Panes.showWhen(open, tableShown);
        Button refresh = Buttons.icon("results-refresh", "mdmz-refresh", text("results.refresh"), model::refresh);
        refresh.disableProperty().bind(model.loading());
        return new EndsRow(Panes.row(10, search, new FacetMenu(model), starred, count),
                Panes.row(10, opening, reading, take, compare, open, refresh));
    }

    private Node problem() {
        return Labels.message("results-problem", model.problem(), StyleClasses.CALLOUT_DANGER);
    }

    private Node placeholder() {
        if (model.loading().get()) {
            return Labels.of(text("results.loading"), StyleClasses.CHART_MESSAGE);
        }
        VBox box = new VBox(10);
        box.setAlignment(Pos.CENTER);
        if (model.filterHidesAll()) {
            box.getChildren().addAll(Labels.of(text("results.none-match"), Styles.TEXT_MUTED),
                    Buttons.link("results-clear-filter", text("results.clear-filter"), model.filter()::clear));
            return box;
        }
        Button quick = Panes.styled(
                Buttons.of("results-run-quick", "mdal-flash_on", text("welcome.quick"), navigation::runQuick),
                Styles.ACCENT);
        box.getChildren().addAll(Labels.icon("mdal-insert_chart", StyleClasses.EMPTY_ICON),
                Labels.of(text("results.empty"), Styles.TEXT_MUTED), quick);
        return box;
    }

    private void announce(@Nullable ResultRow row) {
        preview.stop();
        if (row != null && row.manifest().isPresent()) {
            if (row.requests() >= LONG_READING) {
                showPreview();
            } else {
                preview.playFromStart();
            }
        } else if (previewed) {
            removeDetail();
            showBelow();
        }
    }

    /// Shows the summary of the result that is being read.
    private void showPreview() {
        ResultRow row = model.announced().get();
        if (row != null) {
            row.manifest().ifPresent(manifest -> {
                removeDetail();
                detailNode = DetailPane.preview(row.name(), manifest);
                previewed = true;
                showBelow();
            });
        }
    }

    private void removeDetail() {
        if (detail != null) {
            detail.dispose();
        }
        detail = null;
        detailNode = null;
        previewed = false;
    }

    private void showDetail(@Nullable OpenedExperiment opened) {
        removeDetail();
        if (opened != null) {
            DetailPane made = new DetailPane(tools, opened, model.openedName(), memory);
            detail = made;
            detailNode = made.createView(new DetailPane.DetailActions(this::saveReport, this::exportSchedulers,
                    this::exportRuns, () -> comparison.open(null, open(opened)),
                    run -> navigation.showTimeline(opened.record(), run),
                    (run, request) -> navigation.showRequest(opened.record(), run, request), model::close));
        }
        showBelow();
    }

    /// Shows the open comparison alone, for it names the results itself; else the open result beside the list; the table without either.
    private void showBelow() {
        if (comparison.opened().get()) {
            comparisonPane.offer(model.readable());
            root.setTop(null);
            root.setCenter(comparisonNode);
            return;
        }
        root.setTop(toolsNode);
        root.setCenter(split);
        while (split.getItems().size() > 1) {
            split.getItems().removeLast();
        }
        Node open = detailNode;
        tableShown.set(open == null);
        listNode.getChildren().setAll(open == null ? table : list.createView());
        listNode.setMinWidth(0);
        listNode.getStyleClass().remove(StyleClasses.NARROW_LIST);
        if (open != null) {
            listNode.getStyleClass().add(StyleClasses.NARROW_LIST);
        }
        SplitPane.setResizableWithParent(listNode, open == null);
        if (open != null) {
            list.follow();
            split.getItems().add(open);
            split.setDividerPositions(0);
        }
    }
}
