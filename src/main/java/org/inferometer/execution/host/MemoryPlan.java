package org.inferometer.execution.host;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.QuantityText;

/// What an executor will allocate, worked out and held against what is free before anything is taken.
///
/// @param poolBlocks blocks of each KV pool, by index
/// @param memory bytes by owner, all lanes and pools together; weights and KV cache are off-heap, the rest is Java heap
record MemoryPlan(List<Integer> poolBlocks, OwnedMemory memory) {
    /// @throws ExecutorException when a pool in which requests end cannot hold one, or another pool holds nothing
    static MemoryPlan of(
            ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout, LaneThreads threads, HostSizes sizes, Int4Plan int4)
            throws ExecutorException {
        long blockBytes = KvCache.blockBytes(shape, options);
        List<Integer> poolBlocks = split(sizes.kvBytes() / blockBytes, layout.poolShares());
        requireRoomForOne(blockBytes, poolBlocks, layout, options, sizes);
        if (LaneBuffers.largestArray(shape, sizes) > Integer.MAX_VALUE - 8) {
            throw new ExecutorException("A step of " + sizes.maxStepPositions() + " positions with " + sizes.maxSampledRows()
                    + " sampled rows is too large for this model; lower the scheduler's token budget or batch size.");
        }
        long activations = 0;
        long workspace = RotaryTable.bytes(shape, sizes.maxSequencePositions());
        for (int laneThreads : threads.perLane()) {
            if (laneThreads > 0) {
                activations += LaneBuffers.bytes(shape, sizes, int4.form());
                workspace += ForwardPass.scratchBytes(shape, sizes, options.blockTokens(), laneThreads, int4);
            }
        }
        long kvBytes = poolBlocks.stream().mapToLong(blocks -> blocks * blockBytes).sum();
        return new MemoryPlan(poolBlocks, new OwnedMemory(PackedModel.bytes(weights), kvBytes, activations, workspace));
    }

    /// Whole blocks for each pool, none lost between them: the boundaries are rounded, not the sizes.
    static List<Integer> split(long blocks, List<Double> shares) {
        List<Integer> split = new ArrayList<>();
        double upTo = 0;
        long given = 0;
        for (int i = 0; i < shares.size(); i++) {
            upTo += shares.get(i);
            long end = i == shares.size() - 1 ? blocks : Math.min(blocks, Math.round(blocks * upTo));
            split.add((int) Math.min(end - given, Integer.MAX_VALUE));
            given = end;
        }
        return split;
    }

    private static void requireRoomForOne(
            long blockBytes, List<Integer> poolBlocks, LaneLayout layout, HostOptions options, HostSizes sizes) throws ExecutorException {
        List<Double> shares = layout.poolShares();
        double enough = 0;
        int lacking = -1;
        for (int i = 0; i < shares.size(); i++) {
            long needed = blocksForOne(new PoolId(i), layout, options, sizes);
            // One more, because a boundary between pools may be rounded down.
            enough = Math.max(enough, Math.ceil((needed + (shares.size() > 1 ? 1 : 0)) / shares.get(i)));
            lacking = lacking < 0 && poolBlocks.get(i) < needed ? i : lacking;
        }
        if (lacking < 0) {
            return;
        }
        boolean single = shares.size() == 1;
        String split = single ? "" : " is split over " + shares.size() + " pools, and pool " + lacking;
        long longestBytes = (long) Math.ceilDiv(sizes.maxSequencePositions(), options.blockTokens()) * blockBytes;
        throw new ExecutorException("The KV cache of " + QuantityText.bytes(sizes.kvBytes()) + split + " holds "
                + (long) poolBlocks.get(lacking) * options.blockTokens() + " positions, but one request may have "
                + sizes.maxSequencePositions() + " and needs " + QuantityText.bytes(longestBytes) + "; raise --kv-memory"
                + (single ? "" : " to " + QuantityText.bytes((long) enough * blockBytes)) + ", lower --max-length" + halfKv(options) + ".");
    }

    /// Where only prefill lanes work, the engine refuses by itself whose prompt is too long for the pool.
    private static long blocksForOne(PoolId pool, LaneLayout layout, HostOptions options, HostSizes sizes) {
        boolean wholeRequests = layout.lanes().stream()
                .anyMatch(lane -> lane.pool().equals(pool) && (lane.role() == Lane.Role.ANY || lane.role() == Lane.Role.DECODE));
        return wholeRequests ? Math.ceilDiv(sizes.maxSequencePositions(), options.blockTokens()) : 1;
    }

    /// @param physical free physical memory, empty where unknown
    /// @param heap free Java heap
    /// @throws ExecutorException with what is needed, what is free and the ways out
    void require(OptionalLong physical, long heap, HostOptions options) throws ExecutorException {
        long onHeap = memory.activationBytes() + memory.workspaceBytes();
        if (onHeap > heap) {
            throw new ExecutorException("The buffers of a step need " + QuantityText.bytes(onHeap) + " of Java heap and "
                    + QuantityText.bytes(heap) + " are free; raise -Xmx, lower the scheduler's token budget, or use fewer lanes.");
        }
        long total = memory.weightBytes() + memory.kvBytes() + onHeap;
        if (physical.isPresent() && total > physical.getAsLong()) {
            throw new ExecutorException("This engine needs " + QuantityText.bytes(total) + " of memory ("
                    + QuantityText.bytes(memory.weightBytes()) + " weights, " + QuantityText.bytes(memory.kvBytes())
                    + " KV cache) and " + QuantityText.bytes(physical.getAsLong())
                    + " are free; lower --kv-memory, choose a smaller or INT4 engine" + halfKv(options) + ".");
        }
    }

    private static String halfKv(HostOptions options) {
        return options.kvDtype() == HostOptions.KvDtype.BF16 ? ", or use fewer lanes" : ", or use kv_dtype=bf16";
    }
}
