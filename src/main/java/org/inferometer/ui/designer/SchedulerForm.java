package org.inferometer.ui.designer;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import atlantafx.base.theme.Styles;
import javafx.scene.control.Button;
import javafx.scene.control.CheckBox;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;
import org.inferometer.ui.designer.SchedulerChoices.SchedulerChoice;
import org.inferometer.ui.fx.Buttons;
import org.inferometer.ui.fx.Labels;
import org.inferometer.ui.fx.Panes;
import org.inferometer.ui.theme.StyleClasses;

/// A scheduler with a check box, its changed options and, unfolded, all its options.
final class SchedulerForm extends VBox {
    SchedulerForm(SchedulerChoice choice, SchedulerChoices choices) {
        String name = choice.description().name();
        String id = "scheduler-" + choice.key();
        getStyleClass().add(StyleClasses.SCHEDULER_FORM);
        CheckBox tick =
                new CheckBox(choice.number() == 1 ? name : text("designer.scheduler-number", name, choice.number()));
        tick.setMnemonicParsing(false);
        tick.setId(id);
        tick.selectedProperty().bindBidirectional(choice.selected());
        Tooltip what = new Tooltip(choice.description().summary() + "\n" + choice.description().whenItWins());
        what.setWrapText(true);
        what.setMaxWidth(420);
        tick.setTooltip(what);
        HBox line = Panes.row(2, tick, Panes.spacer());
        getChildren().add(line);
        if (choice.options().isEmpty()) {
            return;
        }
        OptionForm form = new OptionForm(choice.key(), choice.groups());
        FoldButton unfold = new FoldButton(id + "-options", counted("designer.options", choice.options().size()));
        unfold.disableProperty().bind(choice.selected().not());
        Button add =
                Panes.styled(Buttons.icon(id + "-duplicate", "mdal-add", text("designer.scheduler-duplicate", name),
                        () -> choices.duplicate(choice)), StyleClasses.SCHEDULER_TOOL);
        add.disableProperty().bind(choice.selected().not());
        line.getChildren().addAll(unfold, add);
        if (choice.number() > 1) {
            Button remove = Panes.styled(Buttons.icon(id + "-remove", "mdal-close", text("designer.scheduler-remove"),
                    () -> choices.remove(choice)), StyleClasses.SCHEDULER_TOOL);
            line.getChildren().add(remove);
            unfold.setSelected(true);
        }
        Panes.showWhen(form, unfold.folds(form).selectedProperty().and(choice.selected()));
        choice.options().forEach(option -> option.error().addListener((observed, before, now) -> {
            if (!now.isEmpty()) {
                unfold.setSelected(true);
            }
        }));
        getChildren().addAll(changes(choice), form);
    }

    /// "streams=3, strategy=balanced": the changed options, visible while folded.
    private static Label changes(SchedulerChoice choice) {
        Label changes = Labels.of("", Styles.TEXT_MUTED, Styles.TEXT_SMALL, StyleClasses.SCHEDULER_CHANGES);
        changes.setWrapText(true);
        Runnable show = () -> {
            String written = choice.selection().toString();
            int colon = written.indexOf(':');
            changes.setText(colon < 0 ? "" : written.substring(colon + 1).replace(",", ", "));
            Panes.show(changes, colon >= 0 && choice.selected().get());
        };
        choice.selected().addListener((observed, before, now) -> show.run());
        choice.options().forEach(option -> option.text().addListener((observed, before, now) -> show.run()));
        show.run();
        return changes;
    }
}
