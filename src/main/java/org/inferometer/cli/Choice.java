package org.inferometer.cli;

import java.util.List;
import org.inferometer.benchmark.Backend;
import org.inferometer.options.OptionDescription;
import org.inferometer.scheduling.SchedulerDescription;

/// A thing that is chosen by name and may take options: a scheduler or a backend, as the help shows it.
///
/// @param summary one sentence
/// @param whenItWins one sentence more; may be empty
public record Choice(String name, String summary, String whenItWins, List<OptionDescription> options) {
    /// A scheduler as the registry describes it.
    public static Choice of(SchedulerDescription<?> scheduler) {
        return new Choice(scheduler.name(), scheduler.summary(), scheduler.whenItWins(), scheduler.options());
    }

    /// A backend as the planner knows it.
    ///
    /// @param summary one sentence for people
    public static Choice of(Backend backend, String summary) {
        return new Choice(backend.name(), summary, "", backend.options());
    }
}
