package org.inferometer.ui.suites;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextArea;
import javafx.scene.layout.BorderPane;
import javafx.scene.layout.HBox;
import org.inferometer.suite.serving.TestConfiguration.Finding;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;
import org.jspecify.annotations.Nullable;

/// The text of the selected file, which can be changed and saved.
final class SuiteText {
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
