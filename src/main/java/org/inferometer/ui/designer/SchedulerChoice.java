package org.inferometer.ui.designer;

import java.util.List;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.SchedulerDescription;

/// A scheduler to select, with its options. A scheduler can be listed several times with different options.
public final class SchedulerChoice {
    private final SchedulerDescription<?> description;
    private final int number;
    private final BooleanProperty selected = new SimpleBooleanProperty();
    private final List<OptionViewModel> options;
    private final List<OptionGroup> groups;

    /// Not selected, all options at their defaults.
    ///
    /// @param number 1 for the first of its name, which cannot be removed
    /// @param all the schedulers of the program, for shared options
    public SchedulerChoice(SchedulerDescription<?> description, int number, List<SchedulerDescription<?>> all) {
        this.description = description;
        this.number = number;
        this.options = description.options().stream().map(OptionViewModel::new).toList();
        this.groups = OptionGroup.of(description, options, all);
    }

    /// The description.
    public SchedulerDescription<?> description() {
        return description;
    }

    /// Number among those of its name, from 1.
    public int number() {
        return number;
    }

    /// Its id: "parallel", "parallel-2".
    public String key() {
        return number == 1 ? description.name() : description.name() + "-" + number;
    }

    /// Whether it is selected.
    public BooleanProperty selected() {
        return selected;
    }

    /// Its options.
    public List<OptionViewModel> options() {
        return options;
    }

    /// Its options in groups.
    public List<OptionGroup> groups() {
        return groups;
    }

    /// The selection for a specification, with options that differ from their defaults.
    public Selection selection() {
        return OptionViewModel.selection(Selection.of(description.name()), options);
    }

    /// Loads a selection: selected, with its options; the others at their defaults.
    public void load(Selection chosen) {
        selected.set(true);
        OptionViewModel.load(options, chosen);
    }
}
