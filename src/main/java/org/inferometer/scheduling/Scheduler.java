package org.inferometer.scheduling;

import java.util.List;

/// The policy that decides the next step of each idle lane.
///
/// Called by the loop's one thread. No clock, no threads, no input or output; private state is allowed, so there is one
/// instance a run. Equal views give equal decisions.
public interface Scheduler {
    /// Decides for one idle lane.
    Decision decide(Lane lane, EngineView view);

    /// What keeps requests of these lengths from ever running under these limits, one sentence each; empty when nothing does.
    ///
    /// A plan asks with the workload's largest lengths before a run; the engine asks for each request that arrives and refuses
    /// it for the first fault.
    ///
    /// @param promptTokens the longest prompt
    /// @param totalPositions the most positions that a request holds when it ends
    default List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return List.of();
    }

    /// Whether blocks that were given back are to be kept by content, so that later requests with an equal beginning can use them.
    default boolean reusesPrefixes() {
        return false;
    }

    /// Learns how a step of any lane went.
    default void observe(CompletedWork outcome) {}
}
