package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import java.util.List;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.RunRecord;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.results.DefinitionViewModel.DefinitionSheet;
import org.inferometer.ui.theme.StyleClasses;

/// A run under the definitions of another tool: values here and there, and the rules that differ.
final class DefinitionPane {
    private final DefinitionViewModel model;
    private final VBox body = Panes.styled(new VBox(10), StyleClasses.VIEW_BODY);

    DefinitionPane(DefinitionViewModel model) {
        this.model = model;
    }

    Region createView() {
        if (model.runs().isEmpty()) {
            body.getChildren().setAll(Labels.of(text("definition.no-run"), StyleClasses.CHART_MESSAGE));
            return body;
        }
        ProgressBar progress = new ProgressBar();
        progress.setPrefWidth(120);
        progress.visibleProperty().bind(model.working());
        ComboBox<Definition> definition = ComboBoxes.of("definition-tool", Definition::label);
        definition.getItems().setAll(Definition.values());
        definition.valueProperty().bindBidirectional(model.definition());
        definition.setMinWidth(Region.USE_PREF_SIZE);
        ComboBox<RunRecord> run = ComboBoxes.of("definition-run", model::label);
        run.getItems().setAll(model.runs());
        run.valueProperty().bindBidirectional(model.run());
        // As wide as its widest name.
        run.setPrefWidth(Region.USE_COMPUTED_SIZE);
        VBox shown = new VBox(10);
        model.sheet().addListener((observed, before, now) -> shown.getChildren()
                .setAll(now.map(DefinitionPane::sheet).orElse(List.of())));
        body.getChildren().setAll(choices(definition, run, progress),
                Labels.message("definition-problem", model.problem(), StyleClasses.CALLOUT_DANGER), shown);
        model.refresh();
        return body;
    }

    /// Both boxes in a row, or the second below where they do not fit.
    private static Node choices(ComboBox<Definition> definition, ComboBox<RunRecord> run, Node progress) {
        HBox first = Panes.row(10, named("definition.rules-of", definition), definition);
        HBox second = Panes.row(10, named("definition.run", run), run, progress);
        FlowPane choices = Panes.named("definition-choices", new FlowPane(16, 8, first, second));
        // No row of boxes is wider than the pane.
        second.maxWidthProperty().bind(choices.widthProperty());
        return choices;
    }

    private static List<Node> sheet(DefinitionSheet sheet) {
        if (sheet.table().rows().isEmpty()) {
            return List.of(Labels.wrapped(text("definition.nothing"), Styles.TEXT_MUTED));
        }
        VBox notes = Panes.named("definition-rules", new VBox(4));
        sheet.numberedRules()
                .forEach(rule -> notes.getChildren().add(Labels.wrapped(rule, StyleClasses.DEFINITION_RULE)));
        if (sheet.definition() == Definition.INFEROMETER) {
            notes.getChildren().add(Labels.wrapped(text("definition.ours"), Styles.TEXT_MUTED));
        } else if (sheet.rules().isEmpty()) {
            notes.getChildren()
                    .add(Labels.wrapped(text("definition.unmoved", sheet.definition().label()), Styles.TEXT_MUTED));
        }
        sheet.caveats().forEach(caveat -> notes.getChildren().add(Labels.wrapped(caveat, Styles.TEXT_MUTED)));
        Region table =
                Panes.named("definition-table", ReportTableView.createView(sheet.table(), sheet.table().rows().size()));
        return List.of(notes, table);
    }

    private static Label named(String key, Node control) {
        Label label = Labels.fixed(text(key), Styles.TEXT_MUTED);
        label.setLabelFor(control);
        return label;
    }
}
