package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.text;

import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import org.inferometer.ui.fx.Messages;
import org.kordamp.ikonli.javafx.FontIcon;

/// A scheduler's tick, what was changed of it, and, unfolded, its options; another of the same name can be added beside it.
final class SchedulerForm extends VBox {
    SchedulerForm(SchedulerChoice choice, SchedulerChoices choices) {
        String key = choice.key();
        getStyleClass().add("scheduler-form");
        CheckBox tick = new CheckBox(choice.number() == 1 ? choice.description().name()
                : text("designer.scheduler-number", choice.description().name(), choice.number()));
        tick.setMnemonicParsing(false);
        tick.setId("scheduler-" + key);
        tick.selectedProperty().bindBidirectional(choice.selected());
        Tooltip what = new Tooltip(choice.description().summary() + "\n" + choice.description().whenItWins());
        what.setWrapText(true);
        what.setMaxWidth(420);
        tick.setTooltip(what);
        Region space = new Region();
        HBox.setHgrow(space, Priority.ALWAYS);
        HBox line = new HBox(2, tick, space);
        line.setAlignment(Pos.CENTER_LEFT);
        getChildren().add(line);
        if (choice.options().isEmpty()) {
            return;
        }
        OptionForm form = new OptionForm(key, choice.groups());
        ToggleButton unfold = new ToggleButton(Messages.counted("designer.options", choice.options().size()),
                new FontIcon("mdal-expand_more"));
        unfold.setId("scheduler-" + key + "-options");
        unfold.getStyleClass().addAll("flat", "small", "unfold");
        unfold.disableProperty().bind(choice.selected().not());
        Button add = tool("scheduler-" + key + "-duplicate", "mdal-add",
                text("designer.scheduler-duplicate", choice.description().name()));
        add.disableProperty().bind(choice.selected().not());
        add.setOnAction(event -> choices.duplicate(choice));
        line.getChildren().addAll(unfold, add);
        if (choice.number() > 1) {
            Button remove = tool("scheduler-" + key + "-remove", "mdal-close", text("designer.scheduler-remove"));
            remove.setOnAction(event -> choices.remove(choice));
            line.getChildren().add(remove);
            unfold.setSelected(true);
        }
        form.visibleProperty().bind(unfold.selectedProperty().and(choice.selected()));
        form.managedProperty().bind(form.visibleProperty());
        choice.options().forEach(option -> option.error().addListener((observed, before, now) -> {
            if (!now.isEmpty()) {
                unfold.setSelected(true);
            }
        }));
        getChildren().addAll(changes(choice), form);
    }

    /// "streams=3, strategy=balanced": what makes it different can be read without unfolding.
    private static Label changes(SchedulerChoice choice) {
        Label changes = new Label();
        changes.getStyleClass().addAll("muted", "small-text", "scheduler-changes");
        changes.setWrapText(true);
        Runnable show = () -> {
            String words = choice.selection().toString();
            int colon = words.indexOf(':');
            changes.setText(colon < 0 ? "" : words.substring(colon + 1).replace(",", ", "));
            changes.setVisible(colon >= 0 && choice.selected().get());
            changes.setManaged(changes.isVisible());
        };
        choice.selected().addListener((observed, before, now) -> show.run());
        choice.options().forEach(option -> option.text().addListener((observed, before, now) -> show.run()));
        show.run();
        return changes;
    }

    private static Button tool(String id, String icon, String words) {
        Button button = new Button(null, new FontIcon(icon));
        button.setId(id);
        button.getStyleClass().addAll("flat", "button-icon", "scheduler-tool");
        button.setTooltip(new Tooltip(words));
        button.setAccessibleText(words);
        return button;
    }
}
