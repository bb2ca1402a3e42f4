package org.inferometer.ui.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;

/// A scheduler that can be ticked, with the form of its options.
public final class SchedulerChoice {
    private final SchedulerDescription<?> description;
    private final BooleanProperty selected = new SimpleBooleanProperty();
    private final List<OptionViewModel> options;

    /// Starts unticked, every option at its default.
    public SchedulerChoice(SchedulerDescription<?> description) {
        this.description = description;
        this.options = description.options().stream().map(OptionViewModel::new).toList();
    }

    /// What the scheduler is.
    public SchedulerDescription<?> description() {
        return description;
    }

    /// Whether it takes part.
    public BooleanProperty selected() {
        return selected;
    }

    /// Its options.
    public List<OptionViewModel> options() {
        return options;
    }

    /// The choice as specifications write it, with the options that differ from their default.
    public Selection selection() {
        Map<String, String> changed = new LinkedHashMap<>();
        options.forEach(option -> option.changed().ifPresent(value -> changed.put(option.description().name(), value)));
        return new Selection(description.name(), changed);
    }

    /// Takes over a choice: ticked, its options set, the others at their default.
    public void load(Selection chosen) {
        selected.set(true);
        for (OptionViewModel option : options) {
            option.reset();
            chosen.options().forEach((word, value) -> {
                if (option.description().answersTo(word)) {
                    option.text().set(value);
                }
            });
        }
    }
}
