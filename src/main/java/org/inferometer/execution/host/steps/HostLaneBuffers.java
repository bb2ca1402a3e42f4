package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.host.kernels.BlockKernels;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.products.ActivationRows;
import org.inferometer.execution.host.products.ProductPlan;

/// The activation buffers of one lane, allocated for its largest step. Rows are rounded up to whole tiles.
final class HostLaneBuffers {
    final float[] residual; // [rows, stride(hidden)]
    final int hiddenStride;
    final ActivationRows normed; // hidden
    final float[] query; // [rows, stride(queryWidth)]
    final int queryStride;
    final float[] key; // [rows, stride(kvWidth)]
    final float[] value; // [rows, stride(kvWidth)]
    final int kvStride;
    final ActivationRows attended; // queryWidth
    final ActivationRows activated; // intermediate
    final ActivationRows sampled; // hidden, of the sampled rows
    final float[] logits; // [sampled rows, stride(vocabulary)]
    final int logitStride;

    /// @param arena as long-lived as the buffers
    HostLaneBuffers(ModelShape shape, ExecutorSizes sizes, ProductPlan plan, Arena arena) {
        int rows = BlockKernels.wholeTiles(sizes.maxStepPositions());
        int sampledRows = BlockKernels.wholeTiles(sizes.maxSampledRows());
        hiddenStride = Vectors.stride(shape.hidden());
        residual = new float[rows * hiddenStride];
        normed = new ActivationRows(shape.hidden(), rows, plan, arena);
        queryStride = Vectors.stride(shape.queryWidth());
        query = new float[rows * queryStride];
        kvStride = Vectors.stride(shape.kvWidth());
        key = new float[rows * kvStride];
        value = new float[rows * kvStride];
        attended = new ActivationRows(shape.queryWidth(), rows, plan, arena);
        activated = new ActivationRows(shape.intermediate(), rows, plan, arena);
        sampled = new ActivationRows(shape.hidden(), sampledRows, plan, arena);
        logitStride = Vectors.stride(shape.vocabulary());
        logits = new float[sampledRows * logitStride];
    }

    /// Bytes of all buffers of a lane.
    static long bytes(ModelShape shape, ExecutorSizes sizes, ProductPlan plan) {
        int rows = BlockKernels.wholeTiles(sizes.maxStepPositions());
        int sampledRows = BlockKernels.wholeTiles(sizes.maxSampledRows());
        long plain = (long) Vectors.stride(shape.hidden()) + Vectors.stride(shape.queryWidth())
                + 2L * Vectors.stride(shape.kvWidth());
        return 4 * rows * plain + ActivationRows.bytes(shape.hidden(), rows, plan)
                + ActivationRows.bytes(shape.queryWidth(), rows, plan)
                + ActivationRows.bytes(shape.intermediate(), rows, plan)
                + ActivationRows.bytes(shape.hidden(), sampledRows, plan)
                + 4L * sampledRows * Vectors.stride(shape.vocabulary());
    }

    /// Elements of the longest array; Java allows 2^31 at most.
    static long largestArray(ModelShape shape, ExecutorSizes sizes) {
        long widest = Math.max(Math.max(shape.hidden(), shape.intermediate()), shape.queryWidth());
        long perRow = Vectors.stride((int) widest) * (long) BlockKernels.wholeTiles(sizes.maxStepPositions());
        return Math.max(perRow,
                (long) Vectors.stride(shape.vocabulary()) * BlockKernels.wholeTiles(sizes.maxSampledRows()));
    }
}
