package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.report.Finding;
import org.inferometer.report.ReportTable;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.compare.ComparedCell;
import org.inferometer.report.compare.ComparisonTables;
import org.inferometer.report.compare.QuantisationImpact;
import org.inferometer.report.compare.Recommendations;
import org.inferometer.report.compare.SchedulerExplanations;
import org.inferometer.results.bundle.SavedLook.ChartLook;
import org.inferometer.results.bundle.SavedLook.PageLook;
import org.inferometer.results.bundle.SavedLook.TableLook;
import org.inferometer.results.exchange.ExportFiles;
import org.inferometer.ui.chart.ChartTile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.TileGrid;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.PartLooks;
import org.inferometer.ui.fx.Settings;
import org.inferometer.ui.fx.StagedColumn;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.QuantityText;
import org.inferometer.wording.Voice;
import org.jspecify.annotations.Nullable;
import org.kordamp.ikonli.javafx.FontIcon;

/// One result: overview, charts, runs, requests and definitions. Charts are drawn when their tab is first shown.
final class DetailPane {
    private static final double LEAST_TITLE = 80;
    private static final String CHART_ID = "detail-";
    private final ChartTools tools;
    private final OpenedExperiment opened;
    private final ObservableValue<String> name;
    private final Settings memory;
    private final List<ChartTile> tiles = new ArrayList<>();
    private final ResultPicture picture;
    private final PartLooks<ChartTile, ChartLook> looks = ChartTile.looks();
    private final PartLooks<TableView<?>, TableLook> tables = new PartLooks<>(TableLook::table,
            table -> Optional.of(TableColumns.order(table)), (table, look) -> TableColumns.order(table, look));
    private final TabPane tabs = Panes.named("detail-tabs", new TabPane());
    private String conditions = "";
    private @Nullable DefinitionPane definitionPane;
    private @Nullable RequestsViewModel requestsModel;
    private @Nullable Finding awaited;
    private boolean disposed;

    /// @param name of the result
    /// @param memory stores column widths
    DetailPane(ChartTools tools, OpenedExperiment opened, ObservableValue<String> name, Settings memory) {
        this.tools = tools.from(opened.record().manifest().id(), ChartSource.of(opened.record().manifest()));
        this.memory = memory;
        this.opened = opened;
        this.name = name;
        this.picture = new ResultPicture(this.tools, "overview");
    }

    /// The actions on the open result.
    ///
    /// @param exportRuns takes one of [ExportFiles#formats]
    /// @param compare chooses the other side of a comparison
    /// @param showTimeline takes the index of a run
    record DetailActions(Runnable saveReport, Runnable exportSchedulers, Consumer<String> exportRuns, Runnable compare,
            IntConsumer showTimeline, RequestsPane.RequestOpener showRequest, Runnable close) {}

    Node createView(DetailActions actions) {
        Tab charts = tab("detail-tab-charts", "detail.charts", tab -> {
            tab.setContent(message("detail.charts-coming"));
            tools.work().run(WindowWork.CHART, opened::charts, made -> {
                tab.setContent(charts(made));
                afterLayout(this::showAwaited);
            }, failure -> tab.setContent(Labels.wrapped(ErrorText.sentence(failure), StyleClasses.CALLOUT_DANGER)));
        });
        Tab overview = new Tab(text("detail.overview"), overview(finding -> {
            tabs.getSelectionModel().select(charts);
            awaited = finding;
            afterLayout(this::showAwaited);
        }));
        overview.setId("detail-tab-overview");
        Tab runs = tab("detail-tab-runs", "detail.runs", tab -> tab.setContent(runs(actions)));
        Tab requests = tab("detail-tab-requests", "detail.requests", tab -> {
            // The view references its model only weakly.
            RequestsViewModel model = new RequestsViewModel(opened.record().runs(), tools.work());
            requestsModel = model;
            Node pane = new RequestsPane(model).createView(actions.showRequest());
            tab.setContent(pane);
            model.filter().set(conditions);
            tables.add((TableView<?>) pane.lookup("#requests-table"));
        });
        Tab definitions = tab("detail-tab-definitions", "detail.definitions", tab -> {
            // The view references its model only weakly.
            definitionPane = new DefinitionPane(new DefinitionViewModel(opened.record(), tools.work()));
            tab.setContent(Panes.scroll(definitionPane.createView()));
        });
        tabs.getTabs().setAll(overview, charts, runs, requests, definitions);
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        VBox.setVgrow(tabs, Priority.ALWAYS);
        VBox pane = Panes.named("result-detail", new VBox(header(actions), tabs));
        pane.setMinWidth(0);
        pane.getStyleClass().add(StyleClasses.DETAIL_PANE);
        return pane;
    }

    /// Places of new nodes are known after the next layout.
    private void afterLayout(Runnable action) {
        if (tabs.getScene() != null) {
            Panes.afterLayout(tabs.getScene(), action);
        }
    }

    /// Shows the chart of the finding whose link was followed, once it is drawn.
    private void showAwaited() {
        Finding finding = awaited;
        if (finding != null) {
            finding.chartAmong(tiles, tile -> tile.getId().substring(CHART_ID.length())).ifPresent(tile -> {
                awaited = null;
                ResultPicture.show(tile);
            });
        }
    }

    /// What it looks like.
    PageLook look() {
        Tab tab = tabs.getSelectionModel().getSelectedItem();
        RequestsViewModel model = requestsModel;
        return new PageLook(tab == null ? "" : tab.getId(), looks.all(), tables.all(),
                model == null ? conditions : model.filter().get());
    }

    /// Looks as it was taken down; charts and tables follow when their tabs are made.
    void show(PageLook look) {
        looks.show(look.charts());
        tables.show(look.tables());
        conditions = look.requests();
        if (requestsModel != null) {
            requestsModel.filter().set(conditions);
        }
        tabs.getTabs().stream().filter(tab -> look.tab().equals(tab.getId())).findFirst()
                .ifPresent(tabs.getSelectionModel()::select);
    }

    void dispose() {
        disposed = true;
        tiles.forEach(ChartTile::dispose);
        picture.dispose();
    }

    private Node header(DetailActions actions) {
        ExperimentManifest manifest = opened.record().manifest();
        Label title = Labels.bound("detail-title", name, StyleClasses.PANE_TITLE, StyleClasses.MIDDLE_CUT);
        title.setMinWidth(LEAST_TITLE);
        Tooltip whole = new Tooltip();
        whole.textProperty().bind(name.map(shown -> shown + "\n" + manifest.id()));
        title.setTooltip(whole);
        HBox line = new HBox(10, title);
        if (manifest.status() != RunStatus.COMPLETE) {
            line.getChildren().add(Chips.of(manifest.status()));
        }
        Verdict verdict = manifest.verdict();
        if (verdict != null) {
            line.getChildren().add(VerdictList.chip(verdict, manifest.cells(), tools.window()::showCalibration));
        } else if (ResultRow.imported(manifest)) {
            line.getChildren()
                    .add(Chips.chip(text("results.not-judged"), "mdal-help_outline", StyleClasses.CHIP_NEUTRAL));
        }
        line.getChildren().addAll(Chips.tags(opened.origin().place(), ResultRow.imported(manifest)));
        Button timeline = Buttons.of("detail-timeline", "mdmz-timeline", text("view.timeline"),
                () -> actions.showTimeline().accept(0));
        timeline.setDisable(opened.record().runs().isEmpty());
        Button shut = Buttons.icon("detail-close", "mdal-close", text("detail.close"), actions.close());
        Button compare = Buttons.of("detail-compare", "mdal-compare_arrows", text("action.compare"), actions.compare());
        compare.setDisable(opened.record().runs().isEmpty());
        line.setAlignment(Pos.CENTER_LEFT);
        HBox buttons = Panes.row(10, timeline, compare, exports(actions),
                Buttons.of("detail-save-report", "mdmz-save", text("action.save-report"), actions.saveReport()), shut);
        return Panes.styled(new EndsRow(line, buttons), StyleClasses.PANE_HEADER);
    }

    private static MenuButton exports(DetailActions actions) {
        MenuButton export =
                Panes.named("detail-export", new MenuButton(text("action.export"), new FontIcon("mdal-folder_open")));
        export.setMinWidth(Region.USE_PREF_SIZE);
        export.setTooltip(new Tooltip(text("action.export.tooltip")));
        export.getItems().addAll(
                Buttons.item("export-schedulers", text("action.export-schedulers"), actions.exportSchedulers()),
                new SeparatorMenuItem());
        for (String format : ExportFiles.formats()) {
            export.getItems().add(Buttons.item("export-" + format, text("action.export-as", ResultExport.label(format)),
                    () -> actions.exportRuns().accept(format)));
        }
        return export;
    }

    private Node overview(ResultPicture.ChartOpener others) {
        StagedColumn column = Panes.styled(new StagedColumn(12), StyleClasses.VIEW_BODY);
        ExperimentManifest manifest = opened.record().manifest();
        List<String> warnings = new ArrayList<>(opened.record().noteSentences());
        if (!manifest.failure().isEmpty()) {
            warnings.addFirst(manifest.failure());
        }
        warnings.forEach(note -> column.getChildren().add(Labels.wrapped(note, StyleClasses.CALLOUT_WARNING)));
        Verdict verdict = manifest.verdict();
        Set<String> said = new HashSet<>();
        column.getChildren().addAll(picture.createView(opened.findings(), opened.leading(),
                ResultPicture.invalid(Optional.ofNullable(verdict)), Optional.empty(), others));
        picture.tiles().forEach(looks::add);
        opened.tables().forEach(table -> column.later(() -> comparison(table, said)));
        if (!opened.explanations().isEmpty()) {
            column.later(() -> Panes.section(text("detail.explained"), explanations()));
        }
        if (verdict != null && !verdict.conditions().isEmpty()) {
            column.later(() -> Panes.section(text("card.verdict-title"),
                    VerdictList.createView(verdict, tools.window()::showCalibration)));
        }
        if (ResultRow.imported(manifest)) {
            VBox notes = new VBox(6);
            opened.record().runs().stream().flatMap(run -> run.notes().stream()).distinct()
                    .forEach(note -> notes.getChildren().add(Labels.wrapped(note)));
            column.later(() -> Panes.section(text("detail.notes"), notes));
        }
        column.later(() -> Panes.section(text("detail.where"), Labels
                .wrapped(ResultRow.imported(manifest) ? text("detail.where-imported") : machine(manifest.machine()))));
        return Panes.scroll(column);
    }

    /// When each scheduler wins, and what was observed in its cells.
    private Node explanations() {
        VBox list = Panes.named("explanations", new VBox(6));
        SchedulerExplanations.paragraphs(opened.explanations()).forEach(scheduler -> {
            list.getChildren().add(Labels.wrapped(scheduler.heading(), StyleClasses.HEADLINE));
            scheduler.seen().forEach(seen -> list.getChildren().add(Labels.wrapped(seen)));
        });
        return list;
    }

    /// The tables of the summary.
    static List<ReportTable> comparison(ExperimentManifest manifest) {
        List<ComparedCell> cells = ComparedCell.of(List.of(manifest));
        if (cells.isEmpty()) {
            return List.of();
        }
        ComparisonTables tables = new ComparisonTables(cells);
        return Stream.of(Recommendations.of(cells, Voice.WINDOW).stream(), tables.all().stream(),
                tables.memory().stream(), QuantisationImpact.of(cells, Voice.WINDOW).stream()).flatMap(each -> each)
                .toList();
    }

    /// @param said what tables above say already; what this one adds is added
    static Node comparison(ReportTable table, Set<String> said) {
        VBox section = Panes.section(table.title(), ReportTableView.createView(table));
        Stream.concat(Stream.of(table.caption()), table.footnotes().stream())
                .filter(line -> !line.isEmpty() && said.add(line))
                .forEach(line -> section.getChildren().add(Labels.wrapped(line, Styles.TEXT_MUTED, Styles.TEXT_SMALL)));
        return section;
    }

    private static String machine(MachineDescription machine) {
        String gpus = machine.gpus().isEmpty() ? text("machine.no-gpu") : String.join(", ", machine.gpus());
        return text("machine.words", machine.processor(), machine.physicalCores(), machine.logicalCores(),
                QuantityText.bytes(machine.memoryBytes()), gpus, machine.operatingSystem(), machine.javaRuntime(),
                machine.inferometerVersion());
    }

    private static Node message(String key) {
        VBox box = new VBox(Labels.of(text(key), StyleClasses.CHART_MESSAGE));
        box.setAlignment(Pos.CENTER);
        return box;
    }

    private Node charts(List<ChartData> charts) {
        if (charts.isEmpty() || disposed) {
            return message("detail.no-charts");
        }
        List<ChartTile> own = ChartTile.of(tools, CHART_ID, charts);
        own.forEach(tile -> tile.getStyleClass().add(StyleClasses.PICTURE_TILE));
        tiles.addAll(own);
        own.forEach(looks::add);
        VBox body = Panes.styled(
                new VBox(new TileGrid(ResultPicture.ACROSS, ResultPicture.NARROWEST, tools.window().textScale(), own)),
                StyleClasses.VIEW_BODY);
        return Panes.scroll(body);
    }

    private Node runs(DetailActions actions) {
        Region table = Panes.styled(
                RunTable.createView(opened, actions.showTimeline(), memory, tools.window()::showCalibration),
                StyleClasses.VIEW_BODY);
        return Panes.scroll(table);
    }

    /// @param fill is called when the tab is first selected
    private static Tab tab(String id, String key, Consumer<Tab> fill) {
        Tab tab = new Tab(text(key), new VBox());
        tab.setId(id);
        tab.setOnSelectionChanged(event -> {
            if (tab.isSelected()) {
                tab.setOnSelectionChanged(null);
                fill.accept(tab);
            }
        });
        return tab;
    }

    /// The figures of a result from its summary, until its requests are read.
    static Node preview(String name, ExperimentManifest manifest) {
        Label title = Labels.of(name, StyleClasses.PANE_TITLE, StyleClasses.MIDDLE_CUT);
        title.setMinWidth(0);
        title.setTooltip(new Tooltip(name));
        HBox header = new HBox(10, title);
        Verdict verdict = manifest.verdict();
        if (verdict != null) {
            header.getChildren().add(Chips.of(verdict.grade()));
        }
        header.setAlignment(Pos.CENTER_LEFT);
        header.getStyleClass().add(StyleClasses.PANE_HEADER);
        VBox column = Panes.styled(new VBox(12, Labels.of(text("results.reading"), Styles.TEXT_MUTED)),
                StyleClasses.VIEW_BODY);
        Set<String> said = new HashSet<>();
        comparison(manifest).forEach(table -> column.getChildren().add(comparison(table, said)));
        VBox pane = Panes.named("result-preview", new VBox(header, Panes.scroll(column)));
        pane.setMinWidth(0);
        pane.getStyleClass().add(StyleClasses.DETAIL_PANE);
        return pane;
    }
}
