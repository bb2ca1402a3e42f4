package org.inferometer.scheduling;

import java.util.List;
import java.util.function.Function;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;

/// A scheduler as the registry knows it: name, summary, options, and how one is made for a run.
///
/// @param whenItWins one sentence: the load for which this policy is the right one
/// @param optionsType the record that carries its options
public record SchedulerDescription<R extends Record>(
        String name, String summary, String whenItWins, Class<R> optionsType, Function<R, Scheduler> factory) {

    /// Its options, in declaration order.
    public List<OptionDescription> options() {
        return OptionRecords.describe(optionsType);
    }

    /// What keeps a load of these lengths from running with these options and limits; see [Scheduler#faults].
    ///
    /// @throws OptionException with all faults of the options
    public List<String> faults(Selection selection, Limits limits, int largestPrompt, int largestTotal) throws OptionException {
        return create(selection).faults(limits, largestPrompt, largestTotal);
    }

    /// A fresh scheduler for one run.
    ///
    /// @throws OptionException with all faults of the options
    public Scheduler create(Selection selection) throws OptionException {
        return factory.apply(OptionRecords.read(optionsType, selection));
    }
}
