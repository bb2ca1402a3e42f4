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
/// @param lanes the lanes it needs, from its options
public record SchedulerDescription<R extends Record>(String name, String summary, String whenItWins,
        Class<R> optionsType, Function<R, Scheduler> factory, LaneNeed<R> lanes) {

    /// A scheduler that works with however many lanes there are.
    public SchedulerDescription(String name, String summary, String whenItWins, Class<R> optionsType,
            Function<R, Scheduler> factory) {
        this(name, summary, whenItWins, optionsType, factory,
                (options, asked) -> LaneLayout.sharing(Math.max(1, asked)));
    }

    /// Which lanes a scheduler needs.
    @FunctionalInterface
    public interface LaneNeed<R> {
        /// @param asked lanes that the user asked the backend for; 0 when that was left to the scheduler. A scheduler whose own
        ///     options say how many it needs ignores it
        LaneLayout layout(R options, int asked);
    }

    /// Its options, in declaration order.
    public List<OptionDescription> options() {
        return OptionRecords.describe(optionsType);
    }

    /// What keeps a load of these lengths from running with these options and limits; see [Scheduler#faults].
    ///
    /// @throws OptionException with all faults of the options
    public List<String> faults(Selection selection, Limits limits, int largestPrompt, int largestTotal)
            throws OptionException {
        return create(selection).faults(limits, largestPrompt, largestTotal);
    }

    /// The lanes a run with these options needs.
    ///
    /// @param asked lanes that the user asked the backend for; 0 when that was left to the scheduler
    /// @throws OptionException with all faults of the options
    public LaneLayout layout(Selection selection, int asked) throws OptionException {
        return lanes.layout(OptionRecords.read(optionsType, selection), asked);
    }

    /// A fresh scheduler for one run.
    ///
    /// @throws OptionException with all faults of the options
    public Scheduler create(Selection selection) throws OptionException {
        return factory.apply(OptionRecords.read(optionsType, selection));
    }
}
