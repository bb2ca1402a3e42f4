package org.inferometer.scheduling;

import java.util.List;
import java.util.function.Function;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;

/// A registered scheduler: name, summary, options and constructor.
///
/// @param whenItWins the load that suits this policy, a noun phrase with a full stop; "NAME suits" is put before it
/// @param optionsType the record of its options
/// @param lanes the lanes it needs, from its options
public record SchedulerDescription<R extends Record>(String name, String summary, String whenItWins,
        Class<R> optionsType, Function<R, Scheduler> factory, LaneNeed<R> lanes) {

    /// A scheduler for any number of lanes.
    public SchedulerDescription(String name, String summary, String whenItWins, Class<R> optionsType,
            Function<R, Scheduler> factory) {
        this(name, summary, whenItWins, optionsType, factory,
                (options, asked) -> LaneLayout.sharing(Math.max(1, asked)));
    }

    /// The lanes that a scheduler needs.
    @FunctionalInterface
    public interface LaneNeed<R> {
        /// @param asked lanes requested of the backend; 0 if not given. Ignored by schedulers whose options give the
        ///     number
        LaneLayout layout(R options, int asked);
    }

    /// Options that can switch off what makes their scheduler win.
    public interface SwitchableBenefit {
        boolean isOff();
    }

    /// The load that suits it with these options; empty where they switch its benefit off.
    public String whenItWins(Selection selection) {
        try {
            return OptionRecords.read(optionsType, selection) instanceof SwitchableBenefit benefit && benefit.isOff()
                    ? "" : whenItWins;
        } catch (OptionException e) {
            // Of a record that has options of another version.
            return whenItWins;
        }
    }

    /// Its options, in declaration order.
    public List<OptionDescription> options() {
        return OptionRecords.describe(optionsType);
    }

    /// Reasons why a load of these lengths cannot run with these options and limits; see [Scheduler#faults].
    ///
    /// @throws OptionException with all faults of the options
    public List<String> faults(Selection selection, Limits limits, int largestPrompt, int largestTotal)
            throws OptionException {
        return create(selection).faults(limits, largestPrompt, largestTotal);
    }

    /// The lanes of a run with these options.
    ///
    /// @param asked lanes requested of the backend; 0 if not given
    /// @throws OptionException with all faults of the options
    public LaneLayout layout(Selection selection, int asked) throws OptionException {
        return lanes.layout(OptionRecords.read(optionsType, selection), asked);
    }

    /// A new scheduler for one run.
    ///
    /// @throws OptionException with all faults of the options
    public Scheduler create(Selection selection) throws OptionException {
        return factory.apply(OptionRecords.read(optionsType, selection));
    }
}
