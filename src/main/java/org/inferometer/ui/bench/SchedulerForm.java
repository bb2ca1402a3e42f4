package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Texts.text;

import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.CheckBox;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.options.OptionKind;
import org.inferometer.ui.fx.Texts;
import org.kordamp.ikonli.javafx.FontIcon;

/// A scheduler's tick and, unfolded, the form made from its option descriptions.
final class SchedulerForm extends VBox {
    SchedulerForm(SchedulerChoice choice) {
        String name = choice.description().name();
        getStyleClass().add("scheduler-form");
        CheckBox tick = new CheckBox(name);
        tick.setId("scheduler-" + name);
        tick.selectedProperty().bindBidirectional(choice.selected());
        tick.setTooltip(new Tooltip(choice.description().summary() + "\n" + choice.description().whenItWins()));
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox line = new HBox(6, tick, space);
        line.setAlignment(Pos.CENTER_LEFT);
        getChildren().add(line);
        if (choice.options().isEmpty()) {
            return;
        }
        VBox form = new VBox(4);
        form.getStyleClass().add("option-form");
        choice.options().forEach(option -> form.getChildren().add(control(name, option)));
        ToggleButton unfold = new ToggleButton(Texts.counted("designer.options", choice.options().size()), new FontIcon("mdal-expand_more"));
        unfold.setId("scheduler-" + name + "-options");
        unfold.getStyleClass().addAll("flat", "small", "unfold");
        unfold.disableProperty().bind(choice.selected().not());
        line.getChildren().add(unfold);
        form.visibleProperty().bind(unfold.selectedProperty().and(choice.selected()));
        form.managedProperty().bind(form.visibleProperty());
        choice.options().forEach(option -> option.error().addListener((observed, before, now) -> {
            if (!now.isEmpty()) {
                unfold.setSelected(true);
            }
        }));
        getChildren().add(form);
    }

    private static Node control(String scheduler, OptionViewModel option) {
        return switch (option.description().kind()) {
            case OptionKind.Whole ignored -> FieldRow.of(scheduler, option);
            case OptionKind.Decimal ignored -> FieldRow.of(scheduler, option);
            case OptionKind.Flag() -> flag(scheduler, option);
            case OptionKind.Choice(var words) -> {
                ComboBox<String> box = new ComboBox<>();
                box.getItems().setAll(words);
                box.valueProperty().bindBidirectional(option.text());
                box.setMaxWidth(Double.MAX_VALUE);
                yield labelled(scheduler, option, box);
            }
        };
    }

    private static Node flag(String scheduler, OptionViewModel option) {
        CheckBox box = new CheckBox();
        box.setSelected(Boolean.parseBoolean(option.text().get()));
        box.selectedProperty().addListener((observed, before, now) -> option.text().set(Boolean.toString(now)));
        option.text().addListener((observed, before, now) -> box.setSelected(Boolean.parseBoolean(now)));
        return labelled(scheduler, option, box);
    }

    private static Node labelled(String scheduler, OptionViewModel option, javafx.scene.control.Control control) {
        Label label = new Label(option.description().name());
        label.getStyleClass().add("field-label");
        label.setMinWidth(0);
        label.setLabelFor(control);
        control.setId(scheduler + "-" + option.description().name());
        control.setTooltip(new Tooltip(text("designer.option-help", option.description().help(), option.description().range())));
        HBox.setHgrow(control, Priority.ALWAYS);
        HBox line = new HBox(8, label, control);
        line.setAlignment(Pos.CENTER_LEFT);
        line.getStyleClass().add("field-row");
        return line;
    }
}
