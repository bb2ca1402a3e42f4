package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.scheduling.Lane;

/// Starts work on idle lanes: an executor, or a model of one in virtual time. Neither method throws; failures come as outcomes.
interface StepStarter {
    /// Starts a step; its outcome goes to [EngineCore#complete].
    void run(Lane lane, Step step);

    /// Starts a copy of keys and values; its outcome goes to [EngineCore#complete].
    void transfer(Lane lane, KvTransfer transfer);
}
