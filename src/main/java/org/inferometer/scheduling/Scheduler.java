package org.inferometer.scheduling;

/// The policy that decides the next step of each idle lane.
///
/// Called by the loop's one thread. No clock, no threads, no input or output; private state is allowed, so there is one
/// instance a run. Equal views give equal decisions.
public interface Scheduler {
    /// Decides for one idle lane.
    Decision decide(Lane lane, EngineView view);

    /// Learns how a step of any lane went.
    default void observe(Outcome outcome) {}
}
