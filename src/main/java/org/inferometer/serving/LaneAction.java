package org.inferometer.serving;

import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;

/// What an idle lane does next.
sealed interface LaneAction {
    /// No action before the next event.
    LaneAction NONE = new Wait(EngineCore.NEVER);

    /// Runs a step.
    record RunStep(Step step) implements LaneAction {}

    /// Copies keys and values between pools.
    record CopyKv(KvTransfer transfer) implements LaneAction {}

    /// Asks the scheduler again at this instant or after the next event, whichever comes first.
    record Wait(long untilNanos) implements LaneAction {}
}
