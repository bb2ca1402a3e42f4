package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.Optional;
import javafx.geometry.HPos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.report.charts.ChartSource;
import org.inferometer.ui.chart.ChartTools;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Chips;
import org.inferometer.ui.fx.EndsRow;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TextClipboard;
import org.inferometer.ui.results.ResultPicture;
import org.inferometer.ui.results.VerdictList;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.inferometer.units.QuantityText;
import org.kordamp.ikonli.javafx.FontIcon;

/// A result in the Bench view: its picture first, with more repetitions beside the answer, then the cells, then the conditions of the verdict. [#dispose] ends its charts.
final class ResultCardPane {
    private final BenchViewModel model;
    private final ResultCard card;
    private final Runnable saveReport;
    private final Runnable openInResults;
    private final Notifier notifier;
    private final Runnable showDevices;
    private final ResultPicture picture;

    ResultCardPane(BenchViewModel model, ResultCard card, Runnable saveReport, Runnable openInResults,
            ChartTools tools) {
        this.model = model;
        this.card = card;
        this.saveReport = saveReport;
        this.openInResults = openInResults;
        this.notifier = tools.notifier();
        this.showDevices = tools.window()::showCalibration;
        this.picture = new ResultPicture(tools.from(card.manifest().id(), ChartSource.of(card.manifest())), "result");
    }

    /// Ends the charts.
    void dispose() {
        picture.dispose();
    }

    Node createView() {
        VBox column = Panes.named("result-card", new VBox(12, header()), StyleClasses.VIEW_BODY);
        for (String problem : List.of(card.problem(), card.manifest().failure())) {
            if (!problem.isEmpty()) {
                column.getChildren().add(Labels.wrapped(problem, StyleClasses.CALLOUT_DANGER));
            }
        }
        column.getChildren()
                .addAll(picture.createView(card.findings(), card.leading(), ResultPicture.invalid(card.verdict()),
                        Optional.of(card).filter(ResultCard::wantsMoreRuns).map(each -> moreRuns()),
                        ResultPicture.ChartOpener.NONE));
        if (!card.rows().isEmpty()) {
            column.getChildren().add(Panes.section(text("card.cells-title"), cells(card.rows())));
        }
        card.verdict().filter(verdict -> !verdict.conditions().isEmpty()).ifPresent(verdict -> column.getChildren()
                .add(Panes.section(text("card.verdict-title"), VerdictList.createView(verdict, showDevices))));
        column.getChildren().add(pathLine());
        return Panes.scroll(column);
    }

    private Node header() {
        Label title = Labels.of(text("card.title", card.manifest().spec().name()), Styles.TITLE_3);
        title.setMinWidth(0);
        HBox chips = Panes.row(6, Chips.of(card.manifest().status()));
        card.verdict().ifPresent(
                verdict -> chips.getChildren().add(VerdictList.chip(verdict, card.manifest().cells(), showDevices)));
        Button save = Buttons.of("result-save-report", "mdmz-save", text("action.save-report"), saveReport);
        save.setDisable(card.record() == null);
        Button open = Panes.styled(
                Buttons.of("result-open", "mdal-insert_chart", text("action.open-in-results"), openInResults),
                Styles.ACCENT);
        open.setDisable(card.record() == null);
        String seconds = card.seconds().map(taken -> text("card.took", QuantityText.minutesSeconds(taken))).orElse("");
        HBox actions =
                Panes.row(8, open, save, Buttons.of("result-back", "mdmz-replay", text("action.new-run"), model::edit));
        return Panes.styled(
                new VBox(6, new EndsRow(Panes.row(10, title, chips), actions),
                        Labels.wrapped(detail(card.manifest(), seconds), Styles.TEXT_MUTED)),
                StyleClasses.CARD, StyleClasses.RESULT_HEADER);
    }

    /// "12 runs on AMD EPYC, in 01:40"; "2 of 12 runs" where not all are complete.
    private static String detail(ExperimentManifest manifest, String seconds) {
        int planned = manifest.plan().size();
        int complete = manifest.cells().stream().mapToInt(ExperimentManifest.CellSummary::runs).sum();
        String processor = manifest.machine().processor();
        return complete < planned ? text("card.detail-part", complete, planned, processor, seconds)
                : counted("card.detail", planned, processor, seconds);
    }

    private static Node cells(List<ResultCard.CellRow> rows) {
        GridPane grid = Panes.named("result-cells", new GridPane(16, 8));
        String[] heads = {"card.engine", "card.scheduler", "card.tokens", "", "card.ttft", "card.itl", "card.runs"};
        for (int i = 0; i < heads.length; i++) {
            ColumnConstraints column = new ColumnConstraints();
            if (heads[i].isEmpty()) {
                column.setHgrow(Priority.ALWAYS);
                column.setMinWidth(60);
            } else {
                column.setHalignment(i >= 2 ? HPos.RIGHT : HPos.LEFT);
                column.setMinWidth(i >= 2 ? Region.USE_PREF_SIZE : Region.USE_COMPUTED_SIZE);
                grid.add(Labels.of(text(heads[i]), StyleClasses.COLUMN_HEAD), i, 0);
            }
            grid.getColumnConstraints().add(column);
        }
        for (int i = 0; i < rows.size(); i++) {
            ResultCard.CellRow row = rows.get(i);
            ProgressBar share = Panes.styled(new ProgressBar(Double.isNaN(row.share()) ? 0 : row.share()), Styles.SMALL,
                    StyleClasses.SHARE_BAR);
            share.setMaxWidth(Double.MAX_VALUE);
            grid.addRow(i + 1,
                    Panes.row(8, new Label(row.engine()),
                            Labels.of(LetterCase.upper(row.precision()), StyleClasses.TAG, StyleClasses.TAG_PRECISION)),
                    new Label(row.scheduler()), Labels.fixed(row.tokensPerSecond(), StyleClasses.FIGURE), share,
                    Labels.fixed(row.ttft(), StyleClasses.FIGURE), Labels.fixed(row.itl(), StyleClasses.FIGURE),
                    Labels.fixed(row.runs(), StyleClasses.FIGURE));
        }
        return grid;
    }

    private Node moreRuns() {
        String seconds = card.seconds()
                .map(taken -> text("card.run-more-time",
                        Math.max(1,
                                Math.round(taken * ResultCard.MORE_RUNS / Math.max(1, card.manifest().spec().runs())))))
                .orElse("");
        Button more = Buttons.of("result-run-more", "mdmz-replay",
                text("action.run-more", ResultCard.MORE_RUNS, seconds).strip(), () -> model.runMore(card));
        more.setTooltip(new Tooltip(text("card.too-few")));
        more.getStyleClass().add(Styles.ACCENT);
        more.setMinWidth(Region.USE_PREF_SIZE);
        return more;
    }

    private Node pathLine() {
        Label path =
                Panes.named("result-path", Labels.of(card.folder().toString(), Styles.TEXT_MUTED, StyleClasses.PATH));
        path.setMinWidth(0);
        Labels.tellWhole(path);
        Button copy = Buttons.of("result-copy-path", "mdal-content_copy", text("action.copy-path"), () -> {
            TextClipboard.copy(card.folder().toString());
            notifier.done(text("notice.path-copied"));
        });
        copy.getStyleClass().addAll(Styles.FLAT, Styles.SMALL);
        return Panes.row(6, new FontIcon("mdal-folder_open"), path, copy);
    }
}
