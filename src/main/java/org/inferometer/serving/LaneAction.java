package org.inferometer.serving;

import org.inferometer.execution.LaneJob;

/// What an idle lane does next.
sealed interface LaneAction {
    /// No action before the next event.
    LaneAction NONE = new Wait(EngineCore.NEVER);

    /// Starts a step or a transfer.
    record Start(LaneJob job) implements LaneAction {}

    /// Asks the scheduler again at this instant or after the next event, whichever comes first.
    record Wait(long untilNanos) implements LaneAction {}
}
