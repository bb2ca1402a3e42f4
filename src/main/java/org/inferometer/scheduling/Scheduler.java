package org.inferometer.scheduling;

import java.util.List;

/// The policy that decides the next step of each idle lane.
///
/// Called by one thread. No clock, threads, input or output; private state is allowed, with one instance per run. Equal
/// views give equal decisions.
public interface Scheduler {
    /// Decides for one idle lane.
    Decision decide(Lane lane, EngineView view);

    /// Reasons why requests of these lengths can never run under these limits; empty if they can.
    ///
    /// The planner asks for the workload's largest lengths; the engine asks for each arrival and refuses it for the first
    /// reason.
    ///
    /// @param promptTokens the longest prompt
    /// @param totalPositions the most positions of a request at its end
    default List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return List.of();
    }

    /// Whether freed blocks keep their content for later requests with an equal prefix.
    default boolean reusesPrefixes() {
        return false;
    }

    /// Whether it may be asked for the step after a running one. The view then has the running step's requests as they will
    /// be, each with one more known token. A decision is dropped unless it repeats the step, so one that is dropped must not
    /// affect later ones.
    default boolean decidesAhead() {
        return false;
    }

    /// Reports a completed step or transfer of any lane.
    default void observe(CompletedWork outcome) {}
}
