package org.inferometer.ui.designer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;

/// A scheduler that can be ticked, with the form of its options. The same scheduler can stand there several times, each with other
/// options.
public final class SchedulerChoice {
    private final SchedulerDescription<?> description;
    private final int number;
    private final BooleanProperty selected = new SimpleBooleanProperty();
    private final List<OptionViewModel> options;
    private final List<OptionGroup> groups;

    /// Starts unticked, every option at its default.
    ///
    /// @param number 1 for the first of its name, which is always there
    /// @param all the schedulers of the program, to say which options are shared
    public SchedulerChoice(SchedulerDescription<?> description, int number, List<SchedulerDescription<?>> all) {
        this.description = description;
        this.number = number;
        this.options = description.options().stream().map(OptionViewModel::new).toList();
        this.groups = OptionGroup.of(description, options, all);
    }

    /// What the scheduler is.
    public SchedulerDescription<?> description() {
        return description;
    }

    /// Which of its name it is, from 1.
    public int number() {
        return number;
    }

    /// Names it in the window: "parallel", "parallel-2".
    public String key() {
        return number == 1 ? description.name() : description.name() + "-" + number;
    }

    /// Whether it takes part.
    public BooleanProperty selected() {
        return selected;
    }

    /// Its options.
    public List<OptionViewModel> options() {
        return options;
    }

    /// Its options as the form shows them.
    public List<OptionGroup> groups() {
        return groups;
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
