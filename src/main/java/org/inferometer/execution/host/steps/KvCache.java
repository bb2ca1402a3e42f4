package org.inferometer.execution.host.steps;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.scheduling.PoolId;

/// One pool of KV blocks, off-heap.
///
/// Layout `[layers][blocks][kvHeads]{ keys [headDim][blockTokens], values [blockTokens][headDim] }`: scores of adjacent
/// positions fill a vector, and so do adjacent elements of a value (see [KvProducts]). Only the lane that runs a
/// request writes its blocks; full blocks shared by requests are read-only.
public final class KvCache {
    private final int kvHeads;
    private final int headDim;
    private final long headBytes;
    private final KvGeometry geometry;
    private final MemorySegment memory;
    private final KvProducts products;

    public KvCache(ModelShape shape, HostOptions options, PoolId pool, int blocks, Arena arena) {
        kvHeads = shape.kvHeads();
        headDim = shape.headDim();
        int blockTokens = options.blockTokens();
        headBytes = KvProducts.bytes(options.kvDtype(), headDim, blockTokens);
        geometry = new KvGeometry(pool, blockTokens, blocks, blockBytes(shape, options));
        memory = arena.allocate(geometry.bytes() + KvProducts.SLACK_BYTES, 64);
        products = KvProducts.of(options.kvDtype(), memory, headDim, blockTokens);
    }

    /// Bytes of a block over all layers.
    public static long blockBytes(ModelShape shape, HostOptions options) {
        return 2L * shape.layers() * shape.kvHeads()
                * KvProducts.bytes(options.kvDtype(), shape.headDim(), options.blockTokens());
    }

    public KvGeometry geometry() {
        return geometry;
    }

    /// Stores key and value of one position: `[kvHeads, headDim]` at `kAt` and `vAt`.
    public void write(int layer, int block, int slot, float[] keys, int kAt, float[] values, int vAt) {
        for (int head = 0; head < kvHeads; head++) {
            products.writeKey(keysAt(layer, block, head), slot, keys, kAt + head * headDim);
            products.writeValue(valuesAt(layer, block, head), slot, values, vAt + head * headDim);
        }
    }

    /// Copies the first `count` blocks of a sequence, all layers, to its blocks in another pool of the same model and format.
    ///
    /// @return bytes copied
    public long copyTo(KvCache to, int[] fromBlocks, int[] toBlocks, int count) {
        long layerBlockBytes = 2 * kvHeads * headBytes;
        long bytes = 0;
        for (long layer = 0; layer < geometry.blockBytes() / layerBlockBytes; layer++) {
            for (int i = 0; i < count; i++) {
                long source = (layer * geometry.blocks() + fromBlocks[i]) * layerBlockBytes;
                long target = (layer * to.geometry.blocks() + toBlocks[i]) * layerBlockBytes;
                MemorySegment.copy(memory, source, to.memory, target, layerBlockBytes);
                bytes += layerBlockBytes;
            }
        }
        return bytes;
    }

    /// The products that read keys and values.
    KvProducts products() {
        return products;
    }

    /// Offset of the keys of a head in a block.
    long keysAt(int layer, int block, int head) {
        return (((long) layer * geometry.blocks() + block) * kvHeads + head) * 2 * headBytes;
    }

    /// Offset of the values of a head in a block.
    long valuesAt(int layer, int block, int head) {
        return keysAt(layer, block, head) + headBytes;
    }
}
