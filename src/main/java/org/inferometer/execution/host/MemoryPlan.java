package org.inferometer.execution.host;

import java.util.OptionalLong;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.units.QuantityText;

/// What an executor will allocate, worked out and held against what is free before anything is taken.
///
/// @param kvBlocks blocks of the pool
/// @param memory bytes by owner; weights and KV cache are off-heap, the rest is Java heap
record MemoryPlan(int kvBlocks, OwnedMemory memory) {
    /// @throws ExecutorException when the pool cannot hold one sequence
    static MemoryPlan of(ModelShape shape, ModelWeights weights, HostOptions options, int lanes, int threads, HostSizes sizes)
            throws ExecutorException {
        long blockBytes = KvCache.blockBytes(shape, options);
        long blocks = Math.min(sizes.kvBytes() / blockBytes, Integer.MAX_VALUE);
        long needed = Math.ceilDiv(sizes.maxSequencePositions(), options.blockTokens());
        if (blocks < needed) {
            throw new ExecutorException("The KV cache of " + QuantityText.bytes(sizes.kvBytes()) + " holds "
                    + blocks * options.blockTokens() + " positions, but one request may have " + sizes.maxSequencePositions()
                    + " and needs " + QuantityText.bytes(needed * blockBytes)
                    + "; raise --kv-memory, lower --max-length" + halfKv(options) + ".");
        }
        if (LaneBuffers.largestArray(shape, sizes) > Integer.MAX_VALUE - 8) {
            throw new ExecutorException("A step of " + sizes.maxStepPositions() + " positions with " + sizes.maxSampledRows()
                    + " sampled rows is too large for this model; lower the scheduler's token budget or batch size.");
        }
        long activations = lanes * LaneBuffers.bytes(shape, sizes);
        long scratch = lanes * ForwardPass.scratchBytes(shape, sizes, options.blockTokens(), threads);
        long tables = RotaryTable.bytes(shape, sizes.maxSequencePositions());
        return new MemoryPlan(
                (int) blocks, new OwnedMemory(PackedModel.bytes(weights), blocks * blockBytes, activations, scratch + tables));
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
