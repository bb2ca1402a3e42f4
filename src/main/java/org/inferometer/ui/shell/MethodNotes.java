package org.inferometer.ui.shell;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import java.util.stream.Stream;
import javafx.beans.value.ObservableValue;
import javafx.collections.FXCollections;
import javafx.collections.transformation.FilteredList;
import javafx.geometry.Insets;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.MetricFamily;
import org.inferometer.measurement.Metrics;
import org.inferometer.record.Metric;
import org.inferometer.ui.fx.ColumnWidths;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.SearchFields;
import org.inferometer.ui.fx.TableColumns;
import org.inferometer.ui.theme.StyleClasses;
import org.inferometer.units.LetterCase;

/// How it is measured: the rules in short, and the definition of every figure.
final class MethodNotes extends VBox {
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
        TableView<Definition> table = new TableView<>();
        table.setId("method-table");
        table.getStyleClass().addAll(Styles.DENSE, StyleClasses.TEXT_TABLE);
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
