package org.inferometer.serving;

import java.util.List;
import java.util.function.Supplier;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;

/// Lanes and KV pools by index, the limits of the run, and the memory of an engine.
///
/// @param ends how answers of the model can end before their length
/// @param memory bytes of the executor, read when a scheduler asks
/// @param queuedSteps steps that a lane holds behind its running one, 0 or 1
public record EngineSetup(List<Lane> lanes, List<KvGeometry> pools, Limits limits, Supplier<OwnedMemory> memory,
        AnswerEnds ends, int queuedSteps) {
    /// @throws IllegalArgumentException if lanes, pools and limits do not match
    public EngineSetup {
        lanes = List.copyOf(lanes);
        pools = List.copyOf(pools);
        require(!lanes.isEmpty(), "An engine needs at least one lane.");
        require(queuedSteps == 0 || queuedSteps == 1, "A lane queues 0 or 1 steps, not " + queuedSteps + ".");
        require(limits.maxBatchRows() >= 1 && limits.maxStepPositions() >= 1 && limits.maxSequencePositions() >= 1,
                "Each limit of a run must be at least 1: " + limits + ".");
        for (int i = 0; i < pools.size(); i++) {
            KvGeometry pool = pools.get(i);
            require(pool.pool().index() == i, "KV pool " + pool.pool().index() + " is at index " + i + ".");
            require(pool.blockTokens() >= 1 && pool.blocks() >= 1,
                    "KV pool " + i + " needs at least one block of at least one token.");
        }
        for (int i = 0; i < lanes.size(); i++) {
            Lane lane = lanes.get(i);
            require(lane.id().index() == i, "Lane " + lane.id().index() + " is at index " + i + ".");
            require(lane.pool().index() >= 0 && lane.pool().index() < pools.size(),
                    "Lane " + i + " uses KV pool " + lane.pool().index() + ", which does not exist.");
        }
    }

    /// An engine whose answers always have their length.
    ///
    /// @throws IllegalArgumentException if lanes, pools and limits do not match
    public EngineSetup(List<Lane> lanes, List<KvGeometry> pools, Limits limits, Supplier<OwnedMemory> memory) {
        this(lanes, pools, limits, memory, AnswerEnds.NONE, 0);
    }

    /// The setup for an executor under the limits of a run.
    ///
    /// @throws IllegalArgumentException if the executor cannot run steps of that size
    public static EngineSetup of(Executor executor, Limits limits, AnswerEnds ends) {
        require(limits.maxStepPositions() <= executor.maxStepPositions(), "Steps of " + limits.maxStepPositions()
                + " positions exceed the limit of the executor of " + executor.maxStepPositions() + ".");
        return new EngineSetup(executor.lanes(), executor.pools(), limits, executor::memory, ends,
                executor.queuedSteps());
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }
}
