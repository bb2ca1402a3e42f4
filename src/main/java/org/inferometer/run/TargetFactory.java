package org.inferometer.run;

import org.inferometer.execution.Executor;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.RequestListener;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;

/// Makes the target of a run: an engine served in this process.
@FunctionalInterface
public interface TargetFactory {
    /// The caller closes the target before the executor.
    Target open(Executor executor, Limits limits, Scheduler scheduler, Clock clock, RequestListener requests,
            EngineListener engine);
}
