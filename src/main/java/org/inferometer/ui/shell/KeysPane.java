package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.Optional;
import javafx.collections.FXCollections;
import javafx.collections.transformation.FilteredList;
import javafx.geometry.Insets;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// The keys of all actions: press one to change the selected action's.
final class KeysPane extends VBox {
    private static final double HEIGHT = 320;
    private final KeyBindings keys;
    private final FilteredList<Action> rows;
    private final TableView<Action> table = new TableView<>();
    private final Label words = Labels.wrapped(text("keys.hint"), Styles.TEXT_MUTED);
    private @Nullable Action waiting;

    KeysPane(KeyBindings keys) {
        super(10);
        this.keys = keys;
        setId("preferences-keys");
        setPadding(new Insets(14, 0, 0, 0));
        rows = new FilteredList<>(FXCollections.observableList(keys.actions()));
        table.setId("keys-table");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
        table.setPrefHeight(HEIGHT);
        table.getColumns().add(TableColumns.text("keys.action", 270, Action::label));
        table.getColumns().add(TableColumns.text("keys.key", 150, Action::keyText));
        ColumnWidths.keep(table, table.getColumns().getFirst());
        table.setItems(rows);
        table.setPlaceholder(new Label(text("keys.none")));
        VBox.setVgrow(table, Priority.ALWAYS);
        words.setId("keys-words");
        Button change = Buttons.of("keys-change", "mdal-keyboard", text("keys.change"), this::await);
        Button clear = Buttons.of("keys-clear", "mdal-clear", text("keys.clear"), () -> bind(""));
        Button reset = Buttons.of("keys-reset", "mdmz-undo", text("keys.reset"), this::reset);
        for (Button each : new Button[]{change, clear, reset}) {
            each.disableProperty().bind(table.getSelectionModel().selectedItemProperty().isNull());
        }
        Button all = Buttons.of("keys-reset-all", "mdmz-restore", text("keys.reset-all"), () -> {
            keys.resetAll();
            show(text("keys.hint"));
        });
        getChildren().addAll(table, words, Panes.row(8, change, clear, reset, Panes.spacer(), all));
        addEventFilter(KeyEvent.KEY_PRESSED, this::pressed);
    }

    /// Shows the actions whose name or key has a text.
    ///
    /// @return how many
    int find(String wanted) {
        String part = LetterCase.lower(wanted.strip());
        rows.setPredicate(action -> LetterCase.lower(action.label() + " " + action.keyText()).contains(part));
        return rows.size();
    }

    private void await() {
        waiting = table.getSelectionModel().getSelectedItem();
        if (waiting != null) {
            show(text("keys.press", waiting.label()));
        }
    }

    /// While a key is awaited, none acts.
    private void pressed(KeyEvent event) {
        if (waiting == null || event.getCode().isModifierKey()) {
            return;
        }
        event.consume();
        if (event.getCode() == KeyCode.ESCAPE) {
            waiting = null;
            show(text("keys.hint"));
            return;
        }
        Optional<String> key = KeyBindings.key(event);
        if (key.isEmpty()) {
            show(text("keys.impossible"));
        } else {
            bind(key.get());
        }
    }

    private void bind(String key) {
        Action action = table.getSelectionModel().getSelectedItem();
        waiting = null;
        if (action != null) {
            told(action, keys.bind(action, key));
        }
    }

    private void reset() {
        Action action = table.getSelectionModel().getSelectedItem();
        if (action != null) {
            told(action, keys.reset(action));
        }
    }

    private void told(Action action, Optional<Action> other) {
        show(other.map(each -> text("keys.taken", each.keyText(), each.label()))
                .orElseGet(() -> action.keyText().isEmpty() ? text("keys.now-none", action.label())
                        : text("keys.now", action.label(), action.keyText())));
    }

    private void show(String sentence) {
        words.setText(sentence);
        table.refresh();
    }
}
