package org.inferometer.execution.host.steps;

import java.util.List;
import java.util.OptionalLong;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.PoolBlocks;
import org.inferometer.execution.host.kernels.PackedModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.LaneThreads;
import org.inferometer.execution.host.products.ProductPlan;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.QuantityText;

/// Memory that an executor needs, computed and compared with free memory before anything is allocated.
///
/// @param poolBlocks blocks of each KV pool, by index
/// @param memory bytes by owner, all lanes and pools together; weights and KV cache are off-heap, the rest is Java heap
record HostMemoryPlan(List<Integer> poolBlocks, OwnedMemory memory) {
    /// @throws ExecutorException when a pool in which requests end cannot hold one, or another pool holds nothing
    static HostMemoryPlan of(ModelShape shape, ModelWeights weights, HostOptions options, LaneLayout layout,
            LaneThreads threads, ExecutorSizes sizes, ProductPlan products) throws ExecutorException {
        long blockBytes = KvCache.blockBytes(shape, options);
        List<Integer> poolBlocks =
                new PoolBlocks(layout, options.blockTokens(), blockBytes, smallerKv(options)).of(sizes);
        if (HostLaneBuffers.largestArray(shape, sizes) > Integer.MAX_VALUE - 8) {
            throw new ExecutorException("A step of " + sizes.maxStepPositions() + " positions with "
                    + sizes.maxSampledRows()
                    + " sampled rows is too large for this model. Lower the scheduler's token budget or batch size.");
        }
        long activations = 0;
        long workspace = RotaryTable.bytes(shape, sizes.maxSequencePositions());
        for (int laneThreads : threads.perLane()) {
            if (laneThreads > 0) {
                activations += HostLaneBuffers.bytes(shape, sizes, products);
                workspace += HostForwardPass.scratchBytes(shape, weights, sizes, options.blockTokens(), laneThreads,
                        products);
            }
        }
        long kvBytes = poolBlocks.stream().mapToLong(blocks -> blocks * blockBytes).sum();
        return new HostMemoryPlan(poolBlocks,
                new OwnedMemory(PackedModel.bytes(weights), kvBytes, activations, workspace));
    }

    /// @param physical free physical memory, empty where unknown
    /// @param heap free Java heap
    /// @throws ExecutorException with needed and free memory and how to free memory
    void require(OptionalLong physical, long heap, HostOptions options) throws ExecutorException {
        long onHeap = memory.activationBytes() + memory.workspaceBytes();
        if (onHeap > heap) {
            throw new ExecutorException("The buffers of a step need " + QuantityText.bytes(onHeap)
                    + " of Java heap and " + QuantityText.bytes(heap)
                    + " are free. Raise -Xmx, lower the scheduler's token budget, or use fewer lanes.");
        }
        long total = memory.totalBytes();
        if (physical.isPresent() && total > physical.getAsLong()) {
            throw new ExecutorException("This engine needs " + QuantityText.bytes(total) + " of memory ("
                    + QuantityText.bytes(memory.weightBytes()) + " weights, " + QuantityText.bytes(memory.kvBytes())
                    + " KV cache) and " + QuantityText.bytes(physical.getAsLong())
                    + " are free. Lower the KV memory, choose a smaller or INT4 engine, or use "
                    + (smallerKv(options).isEmpty() ? "fewer lanes" : smallerKv(options)) + ".");
        }
    }

    private static String smallerKv(HostOptions options) {
        return options.kvDtype() == HostOptions.KvDtype.BF16 ? "" : "kv_dtype=bf16";
    }
}
