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

/// A backend that computes steps; `app` supplies those that exist.
public interface Backend {
    /// The name: "host", "cuda".
    String name();

    /// A description in one sentence.
    String summary();

    /// The label in lists: "CPU (host), 2 cores".
    String label();

    /// Its options.
    List<OptionDescription> options();

    /// The reason why it cannot be used on this machine and what to do; empty if it can. Checked at each call.
    default Optional<String> absence() {
        return Optional.empty();
    }

    /// Faults of the options, one sentence each; empty if there are none.
    List<String> faults(Selection selection);

    /// The number of lanes; 0 leaves it to the scheduler. The selection has no faults.
    int lanes(Selection selection);

    /// Threads of each lane, by index; empty if lanes are not thread groups. The selection has no faults.
    default List<Integer> threads(Selection selection, LaneLayout layout) {
        return List.of();
    }

    /// KV bytes per position. The selection has no faults.
    long kvBytesPerToken(ModelShape shape, Selection selection);

    /// Positions in a KV block. The selection has no faults.
    int blockTokens(Selection selection);

    /// Checks for `selfcheck` without an engine: agreement with the reference pass, and speed against a plain read.
    default List<BackendCheck> checks(Clock clock) {
        return List.of();
    }

    /// Memory of the device, in bytes; 0 without a device. Half of it limits the default KV pool. The selection has no faults.
    long deviceMemoryBytes(Selection selection);

    /// Opens an executor with these lanes and pools. The caller closes it before the engine.
    ///
    /// @throws ExecutorException if memory does not suffice: needed, free, and how to free memory
    Executor open(Engine engine, Selection selection, LaneLayout layout, Limits limits, long kvBytes, Clock clock)
            throws ExecutorException;
}
