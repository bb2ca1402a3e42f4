package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import javafx.css.PseudoClass;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.comparison.Margin;
import org.inferometer.report.charts.ChartData;
import org.inferometer.report.charts.ChartData.Marks;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.report.compare.ResultComparison.Pair;
import org.inferometer.report.compare.SettingTable;
import org.inferometer.report.compare.SideNames;
import org.inferometer.results.bundle.SavedLook.ChartLook;
import org.inferometer.results.bundle.SavedLook.ComparisonLook;
import org.inferometer.ui.chart.ChartTile;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.chart.TileGrid;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.PartLooks;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.results.ComparisonCards.SettingsCard;
import org.inferometer.ui.results.ComparisonViewModel.ComparisonOutcome;
import org.inferometer.ui.results.SideChooser.ResultLabels;
import org.inferometer.ui.theme.StyleClasses;

/// Compares two results: selection at the top, then the answer with its two charts, verdicts, regression gate, the other charts and tables.
final class ComparisonPane {
    private static final PseudoClass ERROR = PseudoClass.getPseudoClass("error");
    private static final double CHART_HEIGHT = 280;
    private static final double ROW_HEIGHT = 32;
    private static final double AROUND_ROWS = 122;
    private static final double SIDES_GAP = 10;
    /// Width of a side at the usual size of texts.
    private static final double LEAST_SIDE = 480;
    private final ComparisonViewModel model;
    private final ReportSaver reports;
    private final List<ChartTile> tiles = new ArrayList<>();
    private final PartLooks<ChartTile, ChartLook> looks = ChartTile.looks();
    private final VBox body = Panes.styled(new VBox(12), StyleClasses.VIEW_BODY);
    private final Node gate;
    private final VBox judged = new VBox(6);
    private final SideChooser base;
    private final SideChooser candidate;
    private final MenuButton more = Panes.named("comparison-more", new MenuButton());
    private final SettingsCard settings = new SettingsCard();
    private final ScrollPane scroll = Panes.named("comparison-scroll", Panes.scroll(body));

    ComparisonPane(ComparisonViewModel model, ReportSaver reports) {
        this.model = model;
        this.reports = reports;
        base = new SideChooser("comparison-base", model.base());
        candidate = new SideChooser("comparison-candidate", model.candidate());
        gate = gate();
    }

    /// Sets the results to choose from.
    void offer(List<ResultRow> choices) {
        base.offer(choices);
        candidate.offer(choices);
        ResultLabels labels = new ResultLabels(choices);
        more.getItems().setAll(choices.stream().map(row -> moreItem(row, labels.of(row))).toList());
        showMore();
    }

    private CheckMenuItem moreItem(ResultRow row, String label) {
        CheckMenuItem item = new CheckMenuItem(label);
        item.setMnemonicParsing(false);
        item.setUserData(row);
        item.setOnAction(event -> {
            if (item.isSelected()) {
                model.more().add(row);
            } else {
                model.more().removeIf(other -> other.folder().equals(row.folder()));
            }
        });
        return item;
    }

    /// Full, it offers only what is chosen.
    private void showMore() {
        boolean full = model.more().size() >= ComparisonViewModel.MOST_MORE;
        more.setText(
                model.more().isEmpty() ? text("compare.more") : counted("compare.more-chosen", model.more().size()));
        for (MenuItem item : more.getItems()) {
            Path folder = ((ResultRow) item.getUserData()).folder();
            boolean chosen = model.more().stream().anyMatch(row -> row.folder().equals(folder));
            ((CheckMenuItem) item).setSelected(chosen);
            item.setDisable(full && !chosen);
        }
    }

    /// The pane; called once.
    Node createView() {
        VBox.setVgrow(scroll, Priority.ALWAYS);
        model.reading().addListener((observed, before, now) -> show());
        model.comparing().addListener((observed, before, now) -> show());
        model.problem().addListener((observed, before, now) -> show());
        model.strict().addListener((observed, before, now) -> judge());
        // A new comparison starts at its verdict.
        Stream.of(model.base(), model.candidate()).forEach(side -> {
            side.result().addListener((observed, before, now) -> {
                scroll.setVvalue(0);
                looks.forget();
            });
            side.part().addListener((observed, before, now) -> scroll.setVvalue(0));
        });
        show();
        return Panes.named("comparison", new VBox(header(), sides(), scroll), StyleClasses.DETAIL_PANE);
    }

    /// Removes the charts.
    void dispose() {
        looks.release();
        tiles.forEach(ChartTile::dispose);
        tiles.clear();
    }

    /// What it looks like.
    ComparisonLook look() {
        return new ComparisonLook(looks.all(), written(model.margins().get()), model.strict().get());
    }

    /// Looks as it was taken down; charts follow when they are made.
    void show(ComparisonLook look) {
        looks.show(look.charts());
        model.strict().set(look.strict());
        if (!look.margins().isEmpty()) {
            model.typeMargins(look.margins());
        }
    }

    private static String written(List<Margin> margins) {
        return String.join(", ", margins.stream().map(Margin::written).toList());
    }

    private Node header() {
        ProgressBar progress = Panes.named("comparison-progress", new ProgressBar());
        progress.setPrefWidth(120);
        progress.visibleProperty().bind(model.comparing());
        Button copy = Buttons.of("comparison-copy", "mdal-code", text("compare.copy"), this::copyCommand);
        copy.setTooltip(new Tooltip(text("compare.copy.tooltip")));
        Button save = Buttons.of("comparison-save", "mdmz-save", text("action.save-report"), this::saveReport);
        Label title = Labels.bound("comparison-title", model.title(), StyleClasses.PANE_TITLE);
        Labels.tellWhole(title);
        title.setMinWidth(0);
        return Panes.styled(
                Panes.row(10, title, progress, Panes.spacer(), copy, save,
                        Buttons.icon("comparison-close", "mdal-close", text("compare.close"), model::close)),
                StyleClasses.PANE_HEADER);
    }

    private Node sides() {
        Region left = side(base.createView("compare.base"),
                Buttons.icon("comparison-swap", "mdmz-swap_horiz", text("compare.swap"), model::swap));
        Region right = side(candidate.createView("compare.candidate"), more);
        FlowPane line = new FlowPane(SIDES_GAP, SIDES_GAP, left, right);
        // Both sides share the width equally, or stand one above the other.
        ObservableValue<Double> least = reports.tools().window().textScale().map(scale -> LEAST_SIDE * scale);
        for (Region side : List.of(left, right)) {
            side.prefWidthProperty().bind(Bindings.createDoubleBinding(() -> {
                double whole = line.getWidth() - line.getInsets().getLeft() - line.getInsets().getRight();
                double half = Math.floor((whole - SIDES_GAP) / 2);
                return half < least.getValue() ? whole : half;
            }, line.widthProperty(), line.insetsProperty(), least));
        }
        more.setMinWidth(Region.USE_PREF_SIZE);
        more.setTooltip(new Tooltip(text("compare.more.tooltip", ComparisonViewModel.MOST_MORE)));
        model.more().addListener((ListChangeListener<ResultRow>) change -> showMore());
        line.getStyleClass().add(StyleClasses.COMPARISON_SIDES);
        return line;
    }

    private static Region side(Node chooser, Node button) {
        HBox.setHgrow(chooser, Priority.ALWAYS);
        return Panes.row(SIDES_GAP, chooser, button);
    }

    /// Scrolls to the settings that differ; nothing while no comparison is shown.
    ///
    /// @return whether they are shown
    boolean showSettings() {
        if (!model.opened().get() || settings.view().getScene() == null) {
            return false;
        }
        Panes.reveal(scroll, settings.view());
        settings.requestFocus();
        return true;
    }

    private void saveReport() {
        ComparisonOutcome outcome = model.reading().get();
        if (outcome == null) {
            reports.tools().notifier().problem(text("compare.choose"));
        } else {
            reports.save(new ReportSubject.Comparison(outcome.comparison(), model.compareCommand().orElse("")));
        }
    }

    private void copyCommand() {
        model.command().ifPresentOrElse(command -> {
            TextClipboard.copy(command);
            reports.tools().notifier().done(text("compare.copied"));
        }, () -> reports.tools().notifier().problem(text("compare.choose")));
    }

    private void show() {
        dispose();
        ComparisonOutcome outcome = model.reading().get();
        if (!model.problem().get().isEmpty()) {
            body.getChildren().setAll(Labels.wrapped(model.problem().get(), StyleClasses.CALLOUT_DANGER));
        } else if (outcome != null) {
            show(outcome);
        } else {
            Label hint = Panes.named("comparison-hint", Labels.of(
                    text(model.comparing().get() ? "compare.reading" : "compare.choose"), StyleClasses.CHART_MESSAGE));
            body.getChildren().setAll(hint);
        }
    }

    private void show(ComparisonOutcome outcome) {
        body.getChildren().clear();
        Runnable showDevices = reports.tools().window()::showCalibration;
        List<Pair> pairs = outcome.comparison().pairs();
        if (pairs.isEmpty()) {
            body.getChildren().add(Labels.wrapped(text("compare.nothing"), StyleClasses.CALLOUT_WARNING));
        } else {
            body.getChildren().add(ComparisonCards.answer(outcome, () -> model.anyway().set(true), showDevices));
        }
        charts(outcome, outcome.charts().stream().limit(2).toList());
        SideNames names = SideNames.ofPairs(pairs);
        // The answer says for the others, once, why they have no verdict.
        pairs.stream().filter(Pair::isTested).map(pair -> ComparisonCards.verdict(pair, names, showDevices))
                .forEach(body.getChildren()::add);
        if (!outcome.comparison().unpaired().isEmpty()) {
            body.getChildren().add(
                    Labels.wrapped(String.join("\n", outcome.comparison().unpaired()), StyleClasses.CALLOUT_WARNING));
        }
        judge();
        if (!pairs.isEmpty()) {
            settings.show(SettingTable.of(outcome.comparison()));
            body.getChildren().add(settings.view());
        }
        body.getChildren().add(gate);
        charts(outcome, outcome.charts().stream().skip(2).toList());
        List<String> notes = PairText.sharedNotes(pairs);
        pairs.stream().map(pair -> ComparisonCards.figures(pair, names, pairs.size() > 1, notes))
                .forEach(body.getChildren()::add);
        notes.stream().map(ComparisonCards::note).forEach(body.getChildren()::add);
    }

    private void judge() {
        ComparisonOutcome outcome = model.reading().get();
        if (outcome != null) {
            judged.getChildren().setAll(ComparisonCards.gate(outcome, model.strict().get()));
        }
    }

    /// Two charts a row, as high as the rows of their ratios need with two lines of text each.
    private void charts(ComparisonOutcome outcome, List<ChartData> charts) {
        if (charts.isEmpty()) {
            return;
        }
        double height = charts.stream().mapToDouble(
                chart -> chart.marks() instanceof Marks.Ratios(var rows) ? AROUND_ROWS + rows.size() * ROW_HEIGHT : 0)
                .reduce(CHART_HEIGHT, Math::max);
        ChartTools tools = reports.tools().from(source(), ChartSource.of(outcome.comparison()));
        List<ChartTile> own = ChartTile.of(tools, "comparison-", charts);
        own.forEach(tile -> {
            tile.prefHeightProperty().bind(reports.tools().window().textScale().map(scale -> scale * height));
            tile.setMinHeight(Region.USE_PREF_SIZE);
        });
        tiles.addAll(own);
        own.forEach(looks::add);
        ChartTile.sharedLegend(own).ifPresent(body.getChildren()::add);
        body.getChildren().add(
                new TileGrid(ResultPicture.ACROSS, ResultPicture.NARROWEST, reports.tools().window().textScale(), own));
    }

    /// Ids of the compared results, for the names of exported files.
    private String source() {
        Set<String> ids = new LinkedHashSet<>();
        for (ComparedChoice side : List.of(model.candidate(), model.base())) {
            ResultRow row = side.result().get();
            if (row != null) {
                ids.add(String.valueOf(row.folder().getFileName()));
            }
        }
        return String.join(" against ", ids);
    }

    private Node gate() {
        TextField margins = new TextField(written(model.margins().get()));
        model.margins().addListener((observed, before, now) -> margins.setText(written(now)));
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
        CheckBox strict = Panes.named("gate-strict", new CheckBox(text("gate.strict")));
        strict.setMinWidth(Region.USE_PREF_SIZE);
        strict.setTooltip(new Tooltip(text("gate.strict.help")));
        strict.selectedProperty().bindBidirectional(model.strict());
        Label fault =
                Labels.message("gate-fault", model.marginsFault(), StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
        model.marginsFault()
                .addListener((observed, before, now) -> margins.pseudoClassStateChanged(ERROR, !now.isEmpty()));
        return Panes.named("gate",
                new VBox(8, Labels.of(text("gate.title"), StyleClasses.TILE_TITLE),
                        Panes.row(10, label, margins, strict), fault, judged),
                StyleClasses.CARD, StyleClasses.SECTION_CARD);
    }
}
