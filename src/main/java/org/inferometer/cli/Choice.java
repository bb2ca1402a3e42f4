package org.inferometer.cli;

import java.util.List;
import org.inferometer.execution.Backend;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.target.TargetKind;

/// A thing that is chosen by name and may take options: a scheduler or a backend, as the help shows it.
///
/// @param summary one sentence
/// @param whenItWins one sentence more; may be empty
/// @param lanes the lanes it works with where nothing else is asked for, in words; may be empty
public record Choice(String name, String summary, String whenItWins, String lanes, List<OptionDescription> options) {
    /// A scheduler as the registry describes it.
    public static Choice of(SchedulerDescription<?> scheduler) {
        try {
            Selection standard = Selection.of(scheduler.name());
            String lanes = new SchedulerLanes(standard, scheduler.layout(standard, 0), List.of()).words();
            return new Choice(scheduler.name(), scheduler.summary(), scheduler.whenItWins(), lanes,
                    scheduler.options());
        } catch (OptionException e) {
            throw new IllegalStateException("The defaults of " + scheduler.name() + " have faults.", e);
        }
    }

    /// A kind of target outside this process.
    public static Choice of(TargetKind target) {
        return new Choice(target.name(), target.help(), "", "", target.options());
    }

    /// A backend as the planner knows it.
    public static Choice of(Backend backend) {
        return new Choice(backend.name(), backend.summary(), "", "", backend.options());
    }
}
