package org.inferometer.execution.cuda.steps;

import java.util.List;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.PoolBlocks;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.QuantityText;

/// The GPU memory that an executor needs, computed and compared with the free memory before any allocation.
///
/// @param poolBlocks blocks of each KV pool, by index
/// @param memory bytes by owner, all lanes and pools together
/// @param libraryBytes of the workspace: for products that cuBLASLt computes
record CudaMemoryPlan(List<Integer> poolBlocks, OwnedMemory memory, long libraryBytes) {
    private static final long MOST_RESERVE_BYTES = 256L << 20;

    /// @param gemmBytes of a lane for products that cuBLASLt computes
    /// @throws ExecutorException if a pool cannot hold one request, or heads are too wide for the kernels
    static CudaMemoryPlan of(ModelShape shape, ModelWeights weights, CudaOptions options, LaneLayout layout,
            ExecutorSizes sizes, CudaLaneBuffers.Sizes buffers, long gemmBytes) throws ExecutorException {
        if (shape.headDim() > KernelTiles.MOST_HEAD_DIM) {
            throw new ExecutorException("The cuda backend supports head dimensions up to " + KernelTiles.MOST_HEAD_DIM
                    + "; this model has " + shape.headDim() + ". Use the host backend.");
        }
        long blockBytes = CudaKvPool.blockBytes(shape, options);
        String smaller = options.kvDtype() == CudaOptions.KvDtype.FP8 ? "" : "kv_dtype=fp8";
        List<Integer> blocks = new PoolBlocks(layout, options.blockTokens(), blockBytes, smaller).of(sizes);
        long kvBytes = blocks.stream().mapToLong(count -> count * blockBytes).sum();
        long positions = sizes.maxSequencePositions();
        boolean learned = shape.traits().learnedPositions();
        long positionBytes = learned ? Float.BYTES * positions * shape.hidden() : 0;
        long rotaryBytes = learned ? 0 : 2L * Float.BYTES * positions * (shape.headDim() / 2);
        int lanes = layout.computingLanes();
        long tableBytes = (1 + options.queuedSteps()) * StepSlot.tableBytes(sizes, buffers, options.blockTokens());
        return new CudaMemoryPlan(blocks, new OwnedMemory(DeviceModel.bytes(weights) + positionBytes, kvBytes,
                lanes * buffers.bytes(), lanes * (tableBytes + gemmBytes) + rotaryBytes), lanes * gemmBytes);
    }

    /// Memory left to the driver for code, graphs and rounding of allocations.
    private static long reserveBytes(CudaDevice device) {
        return Math.min(MOST_RESERVE_BYTES, device.totalBytes() / 64);
    }

    /// @throws ExecutorException with needed and free memory and how to free memory
    void require(CudaDevice device) throws ExecutorException {
        long reserve = reserveBytes(device);
        long needed = memory.totalBytes() + reserve;
        long free = device.freeBytes();
        if (needed > free) {
            throw new ExecutorException("This run needs " + QuantityText.bytes(needed) + " on GPU " + device.index()
                    + " (" + device.name() + "): " + QuantityText.bytes(memory.weightBytes()) + " weights, "
                    + QuantityText.bytes(memory.kvBytes()) + " KV cache, "
                    + QuantityText.bytes(memory.activationBytes()) + " activations, "
                    + QuantityText.bytes(memory.workspaceBytes()) + " workspace, " + QuantityText.bytes(reserve)
                    + " for the driver; " + QuantityText.bytes(free) + " of " + QuantityText.bytes(device.totalBytes())
                    + " are free. Options: " + DeviceMemory.waysOut()
                    + (libraryBytes == 0 ? "" : "; gemm=own needs " + QuantityText.bytes(libraryBytes) + " less")
                    + ".");
        }
    }
}
