package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.text;

import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.measurement.definitions.Definition;
import org.inferometer.record.RunRecord;
import org.inferometer.ui.fx.ComboBoxes;
import org.inferometer.ui.fx.Labels;

/// A run under another tool's rules: whose, which run, the figures before and after, and which rule moved which.
final class DefinitionPane {
    private final DefinitionViewModel model;
    private final VBox body = new VBox(10);

    DefinitionPane(DefinitionViewModel model) {
        this.model = model;
    }

    Region createView() {
        body.getStyleClass().add("view-body");
        if (model.runs().isEmpty()) {
            Label none = new Label(text("definition.no-run"));
            none.getStyleClass().add("chart-message");
            body.getChildren().setAll(none);
            return body;
        }
        ProgressBar progress = new ProgressBar();
        progress.setPrefWidth(120);
        progress.visibleProperty().bind(model.working());
        ComboBox<Definition> definition = ComboBoxes.of("definition-tool", Definition::label);
        definition.getItems().setAll(Definition.values());
        definition.valueProperty().bindBidirectional(model.definition());
        definition.setPrefWidth(170);
        ComboBox<RunRecord> run = ComboBoxes.of("definition-run", model::words);
        run.getItems().setAll(model.runs());
        run.valueProperty().bindBidirectional(model.run());
        run.setPrefWidth(380);
        HBox bar = new HBox(10, named("definition.rules-of", definition), definition, named("definition.run", run), run,
                progress);
        bar.setAlignment(Pos.CENTER_LEFT);
        VBox shown = new VBox(10);
        model.sheet().addListener((observed, before, now) -> shown.getChildren()
                .setAll(now.map(DefinitionPane::sheet).orElse(List.of())));
        Label problem = Labels.wrapped("", "callout-danger");
        problem.textProperty().bind(model.problem());
        problem.visibleProperty().bind(model.problem().isNotEmpty());
        problem.managedProperty().bind(problem.visibleProperty());
        body.getChildren().setAll(bar, problem, shown);
        model.refresh();
        return body;
    }

    private static List<Node> sheet(DefinitionSheet sheet) {
        if (sheet.table().rows().isEmpty()) {
            return List.of(Labels.wrapped(text("definition.nothing"), "muted"));
        }
        VBox notes = new VBox(4);
        notes.setId("definition-rules");
        sheet.numberedRules().forEach(rule -> notes.getChildren().add(Labels.wrapped(rule, "definition-rule")));
        if (sheet.definition() == Definition.INFEROMETER) {
            notes.getChildren().add(Labels.wrapped(text("definition.ours"), "muted"));
        } else if (sheet.rules().isEmpty()) {
            notes.getChildren().add(Labels.wrapped(text("definition.unmoved", sheet.definition().label()), "muted"));
        }
        sheet.caveats().forEach(caveat -> notes.getChildren().add(Labels.wrapped(caveat, "muted")));
        Region table = ReportTableView.createView(sheet.table(), sheet.table().rows().size());
        table.setId("definition-table");
        return List.of(notes, table);
    }

    private static Label named(String key, Node control) {
        Label label = new Label(text(key));
        label.setLabelFor(control);
        label.setMinWidth(Region.USE_PREF_SIZE);
        label.getStyleClass().add("muted");
        return label;
    }
}
