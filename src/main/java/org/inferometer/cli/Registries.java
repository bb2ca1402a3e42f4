package org.inferometer.cli;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.execution.Backends;
import org.inferometer.experiment.KnownOptions;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.TargetKind.TargetKinds;

/// The schedulers, backends and targets that can be selected by name.
///
/// @param backends the default first
public record Registries(SchedulerRegistry schedulers, Backends backends, TargetKinds targets) implements KnownOptions {
    @Override
    public List<String> of(Owner owner, String name) {
        try {
            List<OptionDescription> options = switch (owner) {
                case SCHEDULER -> schedulers.find(name).options();
                case BACKEND -> backends.find(name).options();
                case TARGET -> targets.find(name).options();
            };
            return options.stream()
                    .flatMap(option -> Stream.concat(Stream.of(option.name()), option.aliases().stream())).toList();
        } catch (OptionException | IllegalArgumentException e) {
            // The plan reports the unknown name.
            return List.of();
        }
    }
}
