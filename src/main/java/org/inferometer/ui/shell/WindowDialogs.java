package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import javafx.collections.FXCollections;
import javafx.collections.transformation.FilteredList;
import javafx.geometry.Insets;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.ui.bench.LiveViewModel;
import org.inferometer.ui.fx.Action;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.Appearance;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.ui.theme.TextSize;
import org.inferometer.units.LetterCase;

/// The dialogs of the window that belong to no view.
///
/// @param over a node of the window
/// @param version of the program
record WindowDialogs(Node over, String version, Appearance appearance, Preferences preferences, LiveViewModel live) {
    /// @param actions of the window
    void showPreferences(List<Action> actions) {
        InfoDialog.show(text("preferences.title"), "", new PreferencesPane(preferences, live, actions), over,
                appearance);
    }

    /// @param actions whose keys are listed
    void showKeys(List<Action> actions) {
        InfoDialog.show(text("shortcuts.title"), "",
                ShortcutSheet.createView(ShortcutSheet.lines(actions) + text("shortcuts.body")), over, appearance);
    }

    /// How it is measured.
    void showMethod() {
        InfoDialog.show(text("method.title"), "", new MethodNotes(appearance.textSize().map(TextSize::scale)), over,
                appearance);
    }

    void showAbout() {
        InfoDialog.show(text("about.title"), text("about.body", version), null, over, appearance);
    }

    /// How it is measured: the rules in short, and the definition of every figure.
    static final class MethodNotes extends VBox {
        private static final double WIDTH = 540;
        private static final double HEIGHT = 320;

        /// A figure, or all figures of a distribution.
        private record Definition(String name, String formula) {
            boolean matches(String wanted) {
                return LetterCase.lower(name + " " + formula).contains(LetterCase.lower(wanted.strip()));
            }
        }

        /// @param textScale size of texts as a share of the usual one
        MethodNotes(ObservableValue<Double> textScale) {
            super(10);
            setId("method-notes");
            prefWidthProperty().bind(textScale.map(scale -> WIDTH * scale));
            setPadding(new Insets(14, 0, 0, 0));
            FilteredList<Definition> rows = new FilteredList<>(FXCollections.observableList(definitions()));
            TextField filter = SearchFields.of("method-filter", text("method.filter"));
            filter.textProperty().subscribe(wanted -> rows.setPredicate(each -> each.matches(wanted)));
            TableView<Definition> table = TableColumns.table("method-table");
            table.setPrefHeight(HEIGHT);
            table.getColumns().add(TableColumns.sentences("method.figure", 170, Definition::name));
            table.getColumns().add(TableColumns.sentences("method.formula", 350, Definition::formula));
            ColumnWidths.keep(table, table.getColumns().getLast());
            table.setItems(rows);
            table.setPlaceholder(new Label(text("method.none")));
            VBox.setVgrow(table, Priority.ALWAYS);
            getChildren().addAll(Labels.wrapped(text("method.body")), filter, table);
        }

        /// Distributions first, each once, then the other figures.
        private static List<Definition> definitions() {
            List<Metric> ofFamilies = Metrics.families().stream().flatMap(family -> family.metrics().stream()).toList();
            Stream<Definition> families = Metrics.families().stream().map(MethodNotes::definition);
            Stream<Definition> others = Metrics.all().stream().filter(metric -> !ofFamilies.contains(metric))
                    .map(metric -> new Definition(metric.label(), metric.definition()));
            return Stream.concat(families, others).toList();
        }

        private static Definition definition(MetricFamily family) {
            return new Definition(family.label(), family.definition());
        }
    }

    /// Keyboard shortcuts: keys at the left, actions at the right. The first part has a column, the others stand below each other beside it.
    static final class ShortcutSheet {
        private static final String BETWEEN = "   ";

        private ShortcutSheet() {}

        /// The actions that have a key, a line each, and an empty line.
        static String lines(List<Action> actions) {
            return actions.stream().filter(action -> !action.keyText().isEmpty())
                    .map(action -> action.keyText() + BETWEEN + action.label() + "\n").collect(Collectors.joining())
                    + "\n";
        }

        /// @param body one shortcut per line, three spaces between keys and action; a line without is a heading, an empty one ends a part
        static GridPane createView(String body) {
            GridPane grid = Panes.named("shortcuts", new GridPane(24, 3));
            int row = 0;
            int column = 0;
            for (String line : body.split("\n", -1)) {
                int between = line.indexOf(BETWEEN);
                if (line.isEmpty() && column == 0) {
                    row = 0;
                    column = 2;
                } else if (line.isEmpty()) {
                    grid.add(Labels.of(""), column, row++);
                } else if (between < 0) {
                    grid.add(Labels.fixed(line, StyleClasses.TILE_TITLE), column, row++, 2, 1);
                } else {
                    grid.add(Labels.fixed(line.substring(0, between), Styles.TEXT_MUTED), column, row);
                    grid.add(Labels.fixed(line.substring(between).strip()), column + 1, row++);
                }
            }
            return grid;
        }
    }
}
