package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import javafx.scene.control.CheckBox;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultNotes;
import org.inferometer.ui.fx.Labels;

/// Name, star, tags and notes of a result, to be written.
final class NotesForm extends GridPane {
    private static final int ROWS = 6;
    private static final double WIDTH = 440;
    private final TextField name;
    private final TextField tags;
    private final TextArea notes;
    private final CheckBox star = new CheckBox(text("notes.star"));

    /// @param row whose notes are shown first
    NotesForm(ResultRow row) {
        super(12, 10);
        setId("notes-form");
        setPrefWidth(WIDTH);
        name = new TextField(row.notes().name());
        name.setId("notes-name");
        name.setPromptText(row.manifest().map(ExperimentManifest::name).orElse(""));
        tags = new TextField(String.join(" ", row.notes().tags()));
        tags.setId("notes-tags");
        tags.setPromptText(text("notes.tags-prompt"));
        notes = new TextArea(row.notes().text());
        notes.setId("notes-text");
        notes.setPrefRowCount(ROWS);
        notes.setWrapText(true);
        star.setId("notes-star");
        star.setSelected(row.notes().starred());
        addRow(0, Labels.fixed(text("notes.name")), name);
        addRow(1, Labels.fixed(text("notes.tags")), tags);
        addRow(2, Labels.fixed(text("notes.text")), notes);
        add(star, 1, 3);
    }

    /// What was typed.
    ///
    /// @throws IllegalArgumentException with one sentence if something is too long
    ResultNotes typed() {
        return ResultNotes.of(name.getText(), star.isSelected(), tags.getText(), notes.getText());
    }
}
