package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.units.NearMisses;

/// The available schedulers, in listing order. To add one, add a line.
///
/// @param descriptions with unique names
/// @param plugins by the names of the schedulers that they add
public record SchedulerRegistry(List<SchedulerDescription<?>> descriptions, Map<String, SchedulerPlugin> plugins) {
    public SchedulerRegistry {
        descriptions = List.copyOf(descriptions);
        plugins = Map.copyOf(plugins);
        if (descriptions.stream().map(SchedulerDescription::name).distinct().count() < descriptions.size()) {
            throw new IllegalArgumentException("Two schedulers have the same name.");
        }
    }

    /// Schedulers that come from no plug-in.
    public SchedulerRegistry(List<SchedulerDescription<?>> descriptions) {
        this(descriptions, Map.of());
    }

    /// The schedulers of this program.
    public static SchedulerRegistry standard() {
        return new SchedulerRegistry(List.of(NaiveScheduler.DESCRIPTION, DynamicScheduler.DESCRIPTION,
                SimpleScheduler.DESCRIPTION, ParallelScheduler.DESCRIPTION, ContinuousScheduler.DESCRIPTION,
                DisaggregatedScheduler.DESCRIPTION));
    }

    /// The same with the schedulers of a plug-in behind them.
    ///
    /// @throws IllegalArgumentException if a name occurs twice
    public SchedulerRegistry with(SchedulerPlugin plugin, List<SchedulerDescription<?>> added) {
        List<SchedulerDescription<?>> all = new ArrayList<>(descriptions);
        all.addAll(added);
        Map<String, SchedulerPlugin> origins = new HashMap<>(plugins);
        added.forEach(scheduler -> origins.put(scheduler.name(), plugin));
        return new SchedulerRegistry(all, origins);
    }

    /// The plug-in of a scheduler; empty for those of this program.
    public Optional<SchedulerPlugin> plugin(String name) {
        return Optional.ofNullable(plugins.get(name));
    }

    /// The names, in order.
    public List<String> names() {
        return descriptions.stream().map(SchedulerDescription::name).toList();
    }

    /// The scheduler of that name.
    ///
    /// @throws OptionException with near misses and the valid names
    public SchedulerDescription<?> find(String name) throws OptionException {
        for (SchedulerDescription<?> description : descriptions) {
            if (description.name().equals(name)) {
                return description;
            }
        }
        throw new OptionException(List.of(NearMisses.sentence("scheduler", name, names())));
    }

    /// A new scheduler for one run.
    ///
    /// @throws OptionException with all faults: unknown name, unknown options, values out of range
    public Scheduler create(Selection selection) throws OptionException {
        return find(selection.name()).create(selection);
    }

    /// Reasons why a load of these lengths cannot run with a scheduler under these limits; see [Scheduler#faults].
    ///
    /// @throws OptionException with all faults of the selection
    public List<String> faults(Selection selection, Limits limits, int largestPrompt, int largestTotal)
            throws OptionException {
        return find(selection.name()).faults(selection, limits, largestPrompt, largestTotal);
    }
}
