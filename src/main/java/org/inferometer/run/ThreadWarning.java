package org.inferometer.run;

import java.util.List;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.Subject;

/// Warns of backends with more threads than the machine has processors: the threads of a step wait for each other.
final class ThreadWarning {
    private ThreadWarning() {}

    /// One sentence a backend; empty if all fit.
    ///
    /// @param processors of the machine
    static List<String> of(ExperimentSpec spec, int processors) {
        return spec.engines().isEmpty() ? List.of()
                : spec.backends().stream().filter(backend -> Subject.coreThreads(backend).orElse(0) > processors)
                        .map(backend -> backend + " has more threads than the machine has processors (" + processors
                                + "): runs become several times slower. Set threads to " + processors + " or less.")
                        .distinct().toList();
    }
}
