package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.event.ActionEvent;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ButtonBar;
import javafx.scene.control.ButtonType;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Dialog;
import javafx.scene.control.DialogPane;
import javafx.scene.control.Label;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.VBox;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultNotes;
import org.inferometer.results.ResultTrash;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.UndoStack;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Names, stars, notes and deletes results that are selected in a list.
///
/// @param undo takes changes back
/// @param dress gives a dialog the look of the window
public record ResultActions(ResultsViewModel model, Notifier notifier, UndoStack undo, Clock clock,
        Consumer<DialogPane> dress) {
    /// Adds the actions to a list: a menu, and the key Delete.
    ///
    /// @param selected the selected rows
    void offer(Node list, Supplier<List<ResultRow>> selected, Runnable compare, ContextMenu menu) {
        MenuItem open = Buttons.item("results-menu-open", text("action.open"), () -> one(selected.get(), model::open));
        MenuItem compared = Buttons.item("results-menu-compare", text("action.compare"), compare);
        MenuItem star = Buttons.item("results-menu-star", text("notes.star-on"), () -> star(selected.get()));
        MenuItem notes = Buttons.item("results-menu-notes", text("notes.edit"),
                () -> one(selected.get(), row -> edit(row, list)));
        MenuItem delete = Buttons.item("results-menu-delete", text("notes.delete"), () -> delete(selected.get()));
        menu.getItems().addAll(open, compared, new SeparatorMenuItem(), star, notes, new SeparatorMenuItem(), delete);
        menu.setOnShowing(event -> {
            List<ResultRow> rows = selected.get();
            boolean own = rows.stream().allMatch(row -> row.origin() == ResultRow.Origin.OWN);
            menu.getItems().forEach(item -> item.setDisable(rows.isEmpty()));
            open.setDisable(rows.size() != 1);
            notes.setDisable(rows.size() != 1);
            delete.setDisable(rows.isEmpty() || !own);
            boolean starred = !rows.isEmpty() && rows.stream().allMatch(row -> row.notes().starred());
            star.setText(text(starred ? "notes.star-off" : "notes.star-on"));
        });
        list.addEventHandler(KeyEvent.KEY_PRESSED, event -> {
            if (event.getCode() == KeyCode.DELETE) {
                delete(selected.get());
                event.consume();
            }
        });
    }

    private static void one(List<ResultRow> rows, Consumer<ResultRow> action) {
        if (rows.size() == 1) {
            action.accept(rows.getFirst());
        }
    }

    /// Gives results a star, or takes it from all if all have one.
    void star(List<ResultRow> rows) {
        boolean starred = rows.stream().allMatch(row -> row.notes().starred());
        change(text(starred ? "undo.star-off" : "undo.star-on"),
                rows.stream().map(row -> new Change(row, row.notes(), row.notes().withStar(!starred))).toList());
    }

    /// Writes what a person says about a result.
    void note(ResultRow row, ResultNotes typed) {
        if (!typed.equals(row.notes())) {
            change(text(typed.name().equals(row.notes().name()) ? "undo.notes" : "undo.rename"),
                    List.of(new Change(row, row.notes(), typed)));
        }
    }

    /// Other notes of a result.
    private record Change(ResultRow row, ResultNotes before, ResultNotes after) {}

    /// Writes notes as one step that can be taken back.
    private void change(String label, List<Change> changes) {
        if (changes.isEmpty()) {
            return;
        }
        Runnable forth = () -> changes.forEach(change -> model.note(change.row, change.after, this::notSaved));
        Runnable back = () -> changes.forEach(change -> model.note(change.row, change.before, this::notSaved));
        forth.run();
        undo.push(new UndoStack.Step(label, back, forth));
    }

    private void notSaved(Throwable failure) {
        notifier.problem(text("notes.failed", ErrorText.sentence(failure)));
    }

    /// Moves results of the workspace into the trash; the undo stack brings them back.
    void delete(List<ResultRow> rows) {
        if (rows.stream().anyMatch(row -> row.origin() == ResultRow.Origin.OWN)) {
            delete(rows, this::remember);
        }
    }

    /// Moves a result of the workspace into the trash that may not be listed yet; the undo stack brings it back.
    public void discard(Path folder) {
        if (Files.isDirectory(folder)) {
            delete(List.of(new ResultRow(ResultRow.Origin.OWN, folder, Optional.empty(), "")));
        } else {
            notifier.done(text("stop.nothing"));
        }
    }

    /// @param remember keeps what was deleted, even if another result could not be
    private void delete(List<ResultRow> rows, Consumer<List<ResultTrash.Deleted>> remember) {
        model.delete(rows, clock.wall(), deleted -> {
            remember.accept(deleted);
            notifier.done(counted("notes.deleted", deleted.size()));
        }, failure -> notifier.problem(text("notes.not-deleted", ErrorText.sentence(failure))));
    }

    private void remember(List<ResultTrash.Deleted> first) {
        // The trash gives a result another name each time.
        List<ResultTrash.Deleted> deleted = new ArrayList<>(first);
        undo.push(new UndoStack.Step(text("undo.delete"),
                () -> model.restore(List.copyOf(deleted),
                        failure -> notifier.problem(text("notes.not-restored", ErrorText.sentence(failure)))),
                () -> delete(listed(deleted), again -> {
                    deleted.clear();
                    deleted.addAll(again);
                })));
    }

    private List<ResultRow> listed(List<ResultTrash.Deleted> deleted) {
        return model.readable().stream().filter(
                row -> deleted.stream().anyMatch(each -> each.id().equals(String.valueOf(row.folder().getFileName()))))
                .toList();
    }

    /// Asks for name, tags and notes.
    private void edit(ResultRow row, Node over) {
        NotesForm form = new NotesForm(row);
        Label fault = Labels.wrapped("", StyleClasses.FIELD_MESSAGE, StyleClasses.FAULT);
        Panes.show(fault, false);
        Dialog<@Nullable ResultNotes> dialog = new Dialog<>();
        dialog.setTitle(text("notes.title"));
        dialog.setHeaderText(row.name());
        dialog.initOwner(over.getScene().getWindow());
        ButtonType save = new ButtonType(text("notes.save"), ButtonBar.ButtonData.OK_DONE);
        dialog.getDialogPane().getButtonTypes().setAll(save, ButtonType.CANCEL);
        dialog.getDialogPane().setContent(new VBox(8, form, fault));
        dress.accept(dialog.getDialogPane());
        ((Button) dialog.getDialogPane().lookupButton(save)).addEventFilter(ActionEvent.ACTION, event -> {
            try {
                form.typed();
            } catch (IllegalArgumentException e) {
                fault.setText(e.getMessage());
                Panes.show(fault, true);
                event.consume();
            }
        });
        dialog.setResultConverter(button -> button == save ? form.typed() : null);
        dialog.setOnHidden(event -> {
            ResultNotes typed = dialog.getResult();
            if (typed != null) {
                note(row, typed);
            }
        });
        dialog.show();
    }

    /// Name, star, tags and notes of a result, to be written.
    private static final class NotesForm extends GridPane {
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
}
