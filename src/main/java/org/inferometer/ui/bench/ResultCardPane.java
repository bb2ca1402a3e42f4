package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import java.util.Locale;
import javafx.geometry.HPos;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.control.ScrollPane;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.record.Verdict;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.results.VerdictList;
import org.inferometer.ui.theme.Chips;
import org.inferometer.units.QuantityText;
import org.kordamp.ikonli.javafx.FontIcon;

/// What came of the experiment: the answer first, then the cells, then what the answer rests on.
final class ResultCardPane {
    private final BenchViewModel model;
    private final ResultActions actions;

    /// What can be done with a result.
    interface ResultActions {
        void saveReport();

        void openInResults();

        void copyPath();
    }

    ResultCardPane(BenchViewModel model, ResultActions actions) {
        this.model = model;
        this.actions = actions;
    }

    Node createView(ResultCard card) {
        VBox column = new VBox(12, header(card));
        column.setId("result-card");
        column.getStyleClass().add("view-body");
        if (!card.problem().isEmpty()) {
            column.getChildren().add(Labels.wrapped(card.problem(), "callout-danger"));
        }
        if (!card.manifest().failure().isEmpty()) {
            column.getChildren().add(Labels.wrapped(card.manifest().failure(), "callout-danger"));
        }
        if (!card.findings().isEmpty()) {
            column.getChildren().add(findings(card));
        }
        if (!card.rows().isEmpty()) {
            column.getChildren().add(cells(card.rows()));
        }
        if (card.wantsMoreRuns()) {
            column.getChildren().add(moreRuns(card));
        }
        card.verdict().filter(verdict -> !verdict.conditions().isEmpty()).ifPresent(verdict -> {
            VBox box = section("card.verdict-title", VerdictList.createView(verdict));
            column.getChildren().add(box);
        });
        column.getChildren().add(pathLine(card));
        ScrollPane scroll = new ScrollPane(column);
        scroll.setFitToWidth(true);
        scroll.getStyleClass().add("plain-scroll");
        return scroll;
    }

    private Node header(ResultCard card) {
        Label title = new Label(text("card.title", card.manifest().spec().name()));
        title.getStyleClass().add("title-3");
        title.setMinWidth(0);
        HBox chips = new HBox(6, Chips.of(card.manifest().status()));
        chips.setAlignment(Pos.CENTER_LEFT);
        card.verdict().ifPresent(verdict -> chips.getChildren().add(Chips.of(verdict.grade())));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        Button save = new Button(text("action.save-report"), new FontIcon("mdmz-save"));
        save.setId("result-save-report");
        save.setDisable(card.record() == null);
        save.setOnAction(event -> actions.saveReport());
        Button open = new Button(text("action.open-in-results"), new FontIcon("mdal-insert_chart"));
        open.setId("result-open");
        open.getStyleClass().add("accent");
        open.setDisable(card.record() == null);
        open.setOnAction(event -> actions.openInResults());
        Button again = new Button(text("action.new-run"), new FontIcon("mdmz-replay"));
        again.setId("result-back");
        again.setOnAction(event -> model.backToWelcome());
        List.of(save, open, again).forEach(button -> button.setMinWidth(Region.USE_PREF_SIZE));
        HBox first = new HBox(10, title, chips);
        first.setAlignment(Pos.CENTER_LEFT);
        String seconds = card.seconds().map(taken -> text("card.took", QuantityText.minutesSeconds(taken))).orElse("");
        Label detail = new Label(
                text("card.detail", card.manifest().plan().size(), card.manifest().machine().processor(), seconds));
        detail.getStyleClass().add("muted");
        detail.setWrapText(true);
        FlowPane buttons = new FlowPane(8, 8, open, save, again);
        VBox header = new VBox(8, first, detail, buttons);
        header.getStyleClass().addAll("card", "result-header");
        return header;
    }

    private static Node findings(ResultCard card) {
        List<String> sentences = card.findings();
        boolean invalid = card.verdict().map(Verdict::grade).filter(Verdict.Grade.INVALID::equals).isPresent();
        VBox list = new VBox(6);
        for (int i = 0; i < sentences.size(); i++) {
            Label sentence = new Label(sentences.get(i));
            sentence.setWrapText(true);
            if (i == 0) {
                sentence.getStyleClass().add("first-finding");
            }
            FontIcon dot = new FontIcon(i > 0 ? "mdal-arrow_right" : invalid ? "mdal-error" : "mdal-lightbulb");
            dot.getStyleClass().add(i == 0 && invalid ? "finding-fault" : "finding-icon");
            HBox row = new HBox(8, dot, sentence);
            HBox.setHgrow(sentence, Priority.ALWAYS);
            row.setAlignment(Pos.TOP_LEFT);
            list.getChildren().add(row);
        }
        list.setId("result-findings");
        return section("card.findings-title", list);
    }

    private static Node cells(List<ResultCard.CellRow> rows) {
        GridPane grid = new GridPane();
        grid.setId("result-cells");
        grid.getStyleClass().add("cell-grid");
        grid.setHgap(16);
        grid.setVgap(8);
        String[] heads = {"card.engine", "card.scheduler", "card.tokens", "", "card.ttft", "card.itl", "card.runs"};
        for (int i = 0; i < heads.length; i++) {
            ColumnConstraints column = new ColumnConstraints();
            if (i == 3) {
                column.setHgrow(Priority.ALWAYS);
                column.setMinWidth(60);
            } else if (i >= 2) {
                column.setHalignment(HPos.RIGHT);
                column.setMinWidth(Region.USE_PREF_SIZE);
            }
            grid.getColumnConstraints().add(column);
            if (!heads[i].isEmpty()) {
                Label head = new Label(text(heads[i]));
                head.getStyleClass().add("column-head");
                grid.add(head, i, 0);
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            ResultCard.CellRow row = rows.get(i);
            Label engine = new Label(row.engine());
            Label precision = new Label(row.precision().toUpperCase(Locale.ROOT));
            precision.getStyleClass().addAll("tag", "tag-precision");
            HBox name = new HBox(8, engine, precision);
            name.setAlignment(Pos.CENTER_LEFT);
            ProgressBar share = new ProgressBar(Double.isNaN(row.share()) ? 0 : row.share());
            share.getStyleClass().addAll("small", "share-bar");
            share.setMaxWidth(Double.MAX_VALUE);
            grid.addRow(i + 1, name, new Label(row.scheduler()), figure(row.tokensPerSecond()), share,
                    figure(row.ttft()), figure(row.itl()), figure(row.runs()));
        }
        return section("card.cells-title", grid);
    }

    private Node moreRuns(ResultCard card) {
        Label words = new Label(text("card.too-few"));
        words.setWrapText(true);
        HBox.setHgrow(words, Priority.ALWAYS);
        words.setMaxWidth(Double.MAX_VALUE);
        String seconds = card.seconds()
                .map(taken -> text("card.run-more-time",
                        Math.max(1,
                                Math.round(taken * ResultCard.MORE_RUNS / Math.max(1, card.manifest().spec().runs())))))
                .orElse("");
        Button more =
                new Button(text("action.run-more", ResultCard.MORE_RUNS, seconds).strip(), new FontIcon("mdmz-replay"));
        more.setId("result-run-more");
        more.getStyleClass().add("accent");
        more.setMinWidth(Region.USE_PREF_SIZE);
        more.setOnAction(event -> model.runMore());
        HBox box = new HBox(12, new FontIcon("mdal-info"), words, more);
        box.setAlignment(Pos.CENTER_LEFT);
        box.getStyleClass().add("callout-accent");
        return box;
    }

    private Node pathLine(ResultCard card) {
        Label path = new Label(card.folder().toString());
        path.setId("result-path");
        path.getStyleClass().addAll("muted", "path");
        path.setMinWidth(0);
        Button copy = new Button(text("action.copy-path"), new FontIcon("mdal-content_copy"));
        copy.getStyleClass().addAll("flat", "small");
        copy.setMinWidth(Region.USE_PREF_SIZE);
        copy.setOnAction(event -> actions.copyPath());
        HBox line = new HBox(6, new FontIcon("mdal-folder_open"), path, copy);
        line.setAlignment(Pos.CENTER_LEFT);
        return line;
    }

    private static Label figure(String words) {
        Label label = new Label(words);
        label.getStyleClass().add("figure");
        label.setMinWidth(Region.USE_PREF_SIZE);
        return label;
    }

    private static VBox section(String key, Node content) {
        Label title = new Label(text(key));
        title.getStyleClass().add("tile-title");
        VBox section = new VBox(10, title, content);
        section.getStyleClass().addAll("card", "section-card");
        return section;
    }
}
