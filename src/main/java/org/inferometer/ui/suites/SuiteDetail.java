package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.beans.InvalidationListener;
import javafx.collections.FXCollections;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.Tab;
import javafx.scene.control.TabPane;
import javafx.scene.control.TableView;
import javafx.scene.control.TextArea;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.suite.SuiteFile.ExperimentFile;
import org.inferometer.suite.mapping.MappedTest;
import org.inferometer.suite.mapping.MappedTest.MappedField;
import org.inferometer.suite.running.SessionTest;
import org.inferometer.suite.running.TestLog;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.Questions;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.PlainText;
import org.jspecify.annotations.Nullable;

/// The selected file: what was found in it, what becomes of its fields, and its text. A finding leads to its line.
final class SuiteDetail {
    private static final double TEXT_WIDTH = 320;
    private static final double CELL_GAP = 8;

    private final SuitesViewModel model;
    private final Consumer<Path> openResult;
    private final BorderPane pane = Panes.styled(new BorderPane(), StyleClasses.DETAIL_PANE);
    private final Supplier<Optional<ExperimentSpec>> edited;
    private final Consumer<ExperimentSpec> edit;
    private final Questions questions;
    private final SuiteText content;
    private final TableView<Finding> findings = TableColumns.table("suite-findings");
    private final TableView<MappedField> fields = TableColumns.table("suite-fields");
    private final TabPane tabs = Panes.named("suite-tabs", new TabPane());
    private final TextArea logs = Panes.named("suite-logs", new TextArea(), StyleClasses.PATH);
    private final Tab logsTab = new Tab(text("suites.logs"), logs);
    private final Tab textTab = new Tab(text("suites.text"));
    private @Nullable SuiteRow shown;

    SuiteDetail(SuitesViewModel model, Supplier<Optional<ExperimentSpec>> edited, Consumer<ExperimentSpec> edit,
            Questions questions, Consumer<Path> openResult) {
        this.model = model;
        this.edited = edited;
        this.edit = edit;
        this.questions = questions;
        this.content = new SuiteText(model.edits());
        this.openResult = openResult;
    }

    /// A sentence in a cell, over as many lines as it needs.
    private static Node wrapped(String sentence) {
        return Labels.cell(sentence, TEXT_WIDTH - 2 * CELL_GAP);
    }

    /// The sentence of a finding and its rule.
    private static Node described(Finding finding) {
        VBox lines =
                new VBox(wrapped(finding.sentence()), Labels.of(finding.rule(), Styles.TEXT_MUTED, Styles.TEXT_SMALL));
        lines.setPadding(new Insets(4, 0, 4, 0));
        return lines;
    }

    Node createView() {
        findings.getColumns()
                .setAll(List.of(TableColumns.numbers("suites.finding-line", 60, Finding::line, String::valueOf),
                        TableColumns.text("suites.finding-kind", 80,
                                finding -> finding.severity().name().toLowerCase(Locale.ROOT)),
                        TableColumns.nodes("suites.finding-text", TEXT_WIDTH, SuiteDetail::described),
                        TableColumns.text("suites.finding-found", 110, Finding::found),
                        TableColumns.text("suites.finding-wanted", 150, Finding::wanted)));
        ColumnWidths.keep(findings, findings.getColumns().getLast());
        findings.setPlaceholder(Labels.centred(text("suites.no-findings"), Styles.TEXT_MUTED));
        TableColumns.onOpen(findings, this::lead, (row, finding) -> {});
        findings.getSelectionModel().selectedItemProperty().addListener((observed, before, now) -> {
            if (now != null) {
                content.mark(now);
            }
        });
        fields.getColumns()
                .setAll(List.of(
                        TableColumns.text("suites.field-use", 80,
                                field -> text("suites.use-" + field.use().name().toLowerCase(Locale.ROOT))),
                        TableColumns.text("suites.field-name", 230, MappedField::field),
                        TableColumns.text("suites.field-value", 90, MappedField::value),
                        TableColumns.sentences("suites.field-text", TEXT_WIDTH, MappedField::sentence)));
        ColumnWidths.keep(fields, fields.getColumns().getLast());
        textTab.setContent(content.createView());
        tabs.setTabClosingPolicy(TabPane.TabClosingPolicy.UNAVAILABLE);
        tabs.getTabs().setAll(List.of(new Tab(text("suites.findings"), findings),
                new Tab(text("suites.fields"), fields), textTab, logsTab));
        logs.setEditable(false);
        logs.setAccessibleText(text("suites.logs"));
        logsTab.selectedProperty().addListener((observed, before, now) -> showLogs());
        InvalidationListener changed = observed -> show();
        for (var each : List.of(model.selected(), model.session().session(), model.session().running(),
                model.platform().engine(), model.platform().kind(), model.platform().target())) {
            each.addListener(changed);
        }
        show();
        return pane;
    }

    private void show() {
        SuiteRow row = model.selected().get();
        if (row == null) {
            shown = null;
            pane.setTop(null);
            pane.setCenter(Labels.centred(text("suites.none-selected"), Styles.TEXT_MUTED));
            return;
        }
        if (row != shown) {
            shown = row;
            findings.setItems(FXCollections.observableList(row.findings()));
            content.show(row);
        }
        Optional<MappedTest> mapped = model.mapped(row);
        fields.setItems(FXCollections.observableList(mapped.map(MappedTest::fields).orElse(List.of())));
        fields.setPlaceholder(Labels.centred(text("suites.no-fields"), Styles.TEXT_MUTED));
        pane.setTop(header(row, mapped));
        pane.setCenter(tabs);
        showLogs();
    }

    /// Only while they are looked at: they are read from files that grow.
    private void showLogs() {
        SuiteRow row = shown;
        if (row == null || !logsTab.isSelected()) {
            return;
        }
        model.session().readLogs(row.id(), found -> {
            if (row == shown) {
                logs.setText(found.isEmpty() ? text("suites.no-logs")
                        : found.stream().map(SuiteDetail::shown).collect(Collectors.joining("\n\n")));
            }
        });
    }

    private static String shown(TestLog log) {
        return text(log.cut() ? "suites.log-end" : "suites.log", log.name()) + "\n"
                + log.text().lines().map(PlainText::of).collect(Collectors.joining("\n"));
    }

    private Node header(SuiteRow row, Optional<MappedTest> mapped) {
        VBox header = Panes.named("suite-header", new VBox(4, Labels.wrapped(row.id(), StyleClasses.HEADLINE),
                Labels.wrapped(row.shown() + " · " + row.smallLine(), Styles.TEXT_MUTED)));
        Optional<SessionTest> progress = model.session().progress(row.id());
        progress.ifPresent(test -> {
            header.getChildren().add(SuitesView.chip(test));
            if (!test.job().isEmpty()) {
                header.getChildren().add(Labels.wrapped(text("suites.job", test.job()), Styles.TEXT_MUTED));
            }
            if (!test.reason().isEmpty()) {
                header.getChildren().add(Labels.wrapped(test.reason()));
            }
            model.session().record(row.id()).ifPresent(folder -> {
                Hyperlink link =
                        Buttons.link("suite-result", text("suites.open-result"), () -> openResult.accept(folder));
                header.getChildren().add(link);
            });
        });
        if (progress.isEmpty()) {
            mapped.ifPresent(test -> test.blocked()
                    .forEach(reason -> header.getChildren().add(Labels.wrapped(text("suites.blocked", reason)))));
        }
        if (row.file() instanceof ExperimentFile experiment) {
            header.getChildren().add(benchLinks(row, experiment));
        }
        header.getStyleClass().add(StyleClasses.RESULT_HEADER);
        return header;
    }

    /// Bench's form edits the matrix of an experiment.
    private Node benchLinks(SuiteRow row, ExperimentFile experiment) {
        Hyperlink change =
                Buttons.link("suite-edit", text("suites.edit-in-bench"), () -> experiment.spec().ifPresent(edit));
        change.setDisable(experiment.spec().isEmpty());
        Hyperlink take = Buttons.link("suite-take", text("suites.take-from-bench"), () -> take(row));
        return Panes.row(12, change, take);
    }

    private void take(SuiteRow row) {
        edited.get().ifPresent(spec -> {
            if (questions.confirmed(text("suites.take-heading", row.shown()), text("suites.take-detail"),
                    text("suites.take-do"), text("suites.take-keep"))) {
                model.edits().replace(row, spec);
            }
        });
    }

    /// Shows the line of a finding.
    private void lead(Finding finding) {
        content.mark(finding);
        tabs.getSelectionModel().select(textTab);
        content.requestFocus();
    }

    /// The text of the selected file, which can be changed and saved.
    private static final class SuiteText {
        private final EditViewModel edits;
        private final TextArea content = Panes.named("suite-text", new TextArea(), StyleClasses.PATH);
        private final Button save = Buttons.of("suite-text-save", "mdmz-save", text("suites.save"), this::save);
        private final Button revert = Buttons.of("suite-text-revert", "mdmz-undo", text("suites.revert"), this::revert);
        private final Label note = Labels.of("", Styles.TEXT_MUTED);
        private @Nullable SuiteRow shown;

        SuiteText(EditViewModel edits) {
            this.edits = edits;
        }

        Node createView() {
            content.setAccessibleText(text("suites.text"));
            content.textProperty().addListener((observed, before, now) -> {
                SuiteRow row = shown;
                if (row != null && edits.isEditable(row)) {
                    edits.draft(row, now);
                    update(row);
                }
            });
            note.setMinWidth(0);
            HBox bar = Panes.styled(Panes.row(8, save, revert, note), StyleClasses.TIMELINE_BAR);
            return new BorderPane(content, bar, null, null, null);
        }

        void show(SuiteRow row) {
            shown = null;
            content.setText(edits.shown(row));
            content.setEditable(edits.isEditable(row));
            shown = row;
            update(row);
        }

        private void update(SuiteRow row) {
            boolean changed = edits.isChanged(row);
            save.setDisable(!changed);
            revert.setDisable(!changed);
            note.setText(!edits.isEditable(row) ? text("suites.not-editable") : changed ? text("suites.not-saved")
                    : row.shown());
        }

        private void save() {
            if (shown != null) {
                edits.save(shown);
            }
        }

        private void revert() {
            SuiteRow row = shown;
            if (row != null) {
                edits.revert(row);
                show(row);
            }
        }

        void requestFocus() {
            content.requestFocus();
        }

        /// Selects the line of a finding.
        void mark(Finding finding) {
            String[] lines = content.getText().split("\n", -1);
            int from = 0;
            for (int i = 0; i < Math.min(finding.line() - 1, lines.length - 1); i++) {
                from += lines[i].length() + 1;
            }
            int line = Math.clamp(finding.line() - 1, 0, lines.length - 1);
            content.selectRange(from, from + lines[line].length());
        }
    }
}
