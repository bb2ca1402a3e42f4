package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.execution.host.machine.WorkerGroup;
import org.inferometer.scheduling.PoolId;

/// The attention of decode steps over made-up caches that together are larger than the processor's, and a plain read of the same
/// keys and values: for measuring.
///
/// Blocks of the sequences of a step take turns in the pool, as they do when sequences grow together. Off-heap; lives as long as
/// the arena. Threads: those of the group that runs it.
public final class AttentionLoad {
    private static final long COLD_BYTES = 96L << 20;

    private final ModelShape shape;
    private final int context;
    private final int sequences;
    private final int steps;
    private final int[][] blockTable; // [steps * sequences][blocks]
    private final KvCache cache;
    private final long headBytes;
    private final AttentionKernel[] kernels;
    private final float[] queries; // [sequences, heads, headDim]
    private final float[] outputs; // [sequences, heads, headDim]
    private final long[] sums;

    /// @param shape of one layer
    /// @param context positions of each sequence
    public AttentionLoad(ModelShape shape, HostOptions options, int context, int sequences, int threads, Arena arena) {
        this.shape = shape;
        this.context = context;
        this.sequences = sequences;
        int blocks = Math.ceilDiv(context, options.blockTokens());
        headBytes = 2 * KvProducts.bytes(options.kvDtype(), shape.headDim(), options.blockTokens());
        long stepBytes = headBytes * shape.kvHeads() * blocks * sequences;
        steps = (int) Math.max(2, Math.ceilDiv(COLD_BYTES, stepBytes));
        int stepBlocks = blocks * sequences;
        cache = new KvCache(shape, options, new PoolId(0), steps * stepBlocks, arena);
        blockTable = new int[steps * sequences][blocks];
        float[] element = new float[shape.kvWidth()];
        for (int i = 0; i < steps * stepBlocks; i++) {
            blockTable[i / stepBlocks * sequences + i % sequences][i % stepBlocks / sequences] = i;
            for (int slot = 0; slot < options.blockTokens(); slot++) {
                element[(i + slot) % element.length] = (float) Math.sin(31 * i + slot);
                cache.write(0, i, slot, element, 0, element, 0);
            }
        }
        kernels = new AttentionKernel[threads];
        for (int i = 0; i < threads; i++) {
            kernels[i] = new AttentionKernel(shape.headDim(), options.blockTokens(), context, 0);
        }
        queries = new float[sequences * shape.queryWidth()];
        for (int i = 0; i < queries.length; i++) {
            queries[i] = (float) Math.cos(i);
        }
        outputs = new float[queries.length];
        sums = new long[16 * threads];
    }

    /// Steps that [#attend] and [#read] know; neighbouring ones share no block.
    public int steps() {
        return steps;
    }

    /// Bytes of keys and values that a step reads.
    public long stepBytes() {
        return headBytes * shape.kvHeads() * blockTable[0].length * sequences;
    }

    /// One step's attention.
    public void attend(WorkerGroup group, int step) {
        int groupHeads = shape.heads() / shape.kvHeads();
        group.run((worker, item) -> {
            int sequence = item / shape.kvHeads();
            int kvHead = item % shape.kvHeads();
            AttentionKernel kernel = kernels[worker];
            for (int i = 0; i < groupHeads; i++) {
                kernel.queryAt[i] = sequence * shape.queryWidth() + (kvHead * groupHeads + i) * shape.headDim();
                kernel.visible[i] = context;
            }
            kernel.attend(cache, 0, kvHead, blockTable[step * sequences + sequence], groupHeads, queries, outputs);
        }, sequences * shape.kvHeads());
    }

    /// Sums the same keys and values as integers, in the order of their blocks.
    public void read(WorkerGroup group, int step) {
        group.run((worker, item) -> {
            for (int block : blockTable[step * sequences + item / shape.kvHeads()]) {
                long from = cache.keysAt(0, block, item % shape.kvHeads());
                sums[16 * worker] += Vectors.sum(cache.products().memory, from, headBytes);
            }
        }, sequences * shape.kvHeads());
    }
}
