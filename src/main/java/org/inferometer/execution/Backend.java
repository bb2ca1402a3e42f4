package org.inferometer.execution;

import java.util.List;
import java.util.Optional;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelShape;
import org.inferometer.options.OptionDescription;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// What can compute: a backend as the planner and the worker know it; `app` hands in those that exist.
public interface Backend {
    /// "host", "cuda".
    String name();

    /// A description in one sentence.
    String summary();

    /// What people choose it by: "CPU (host), 2 cores".
    String label();

    /// Its options.
    List<OptionDescription> options();

    /// The reason why it cannot be used on this machine, with what to do; empty if it can. Checked at each call.
    default Optional<String> absence() {
        return Optional.empty();
    }

    /// What is wrong with the options given, one sentence each; empty when all is well.
    List<String> faults(Selection selection);

    /// Lanes of the selection; 0 leaves the number to the scheduler. The selection has no faults.
    int lanes(Selection selection);

    /// Threads of each lane of a layout, by index; empty if lanes are not groups of threads. The selection has no faults.
    default List<Integer> threads(Selection selection, LaneLayout layout) {
        return List.of();
    }

    /// Bytes that one position leaves in the KV cache. The selection has no faults.
    long kvBytesPerToken(ModelShape shape, Selection selection);

    /// Positions in a KV block. The selection has no faults.
    int blockTokens(Selection selection);

    /// Checks for `selfcheck`: agreement with the reference pass, and one decode step against a plain read. They need no engine.
    default List<BackendCheck> checks(Clock clock) {
        return List.of();
    }

    /// Memory of the device that computes, in bytes; 0 if there is none. The selection has no faults.
    long deviceMemoryBytes(Selection selection);

    /// Opens an executor with these lanes and pools; the caller closes it, before the engine.
    ///
    /// @throws ExecutorException with needed, free and how to free memory when memory does not suffice
    Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes, Clock clock)
            throws ExecutorException;
}
