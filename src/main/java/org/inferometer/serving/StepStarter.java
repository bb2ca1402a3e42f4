package org.inferometer.serving;

import org.inferometer.execution.LaneJob;
import org.inferometer.scheduling.Lane;

/// Starts work on idle lanes and queues it behind running steps: an executor, or a model of one in virtual time. It never throws; failures come as outcomes.
@FunctionalInterface
interface StepStarter {
    /// Starts a job; its outcome goes to [EngineCore#complete].
    void start(Lane lane, LaneJob job);
}
