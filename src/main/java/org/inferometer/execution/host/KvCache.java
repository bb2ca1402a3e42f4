package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.FLOATS;
import static org.inferometer.execution.host.Vectors.LANES;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;
import org.inferometer.engine.Bf16;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.KvGeometry;
import org.inferometer.scheduling.PoolId;

/// One pool of KV blocks, off-heap.
///
/// Layout `[layers][blocks][kvHeads]{ keys [headDim][blockTokens], values [blockTokens][headDim] }`: keys lie so that scores of
/// neighbouring positions fill a vector, values so that neighbouring elements do. A block is written by the one lane that runs
/// its request and read by nobody else meanwhile; a full block that several requests begin with is written by none of them.
final class KvCache {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final VectorSpecies<Short> HALVES =
            VectorSpecies.of(short.class, VectorShape.forBitSize(FLOATS.vectorBitSize() / 2));

    private final int kvHeads;
    private final int headDim;
    private final int blockTokens;
    private final HostOptions.KvDtype dtype;
    private final KvGeometry geometry;
    private final MemorySegment memory;

    KvCache(ModelShape shape, HostOptions options, PoolId pool, int blocks, Arena arena) {
        kvHeads = shape.kvHeads();
        headDim = shape.headDim();
        blockTokens = options.blockTokens();
        dtype = options.kvDtype();
        geometry = new KvGeometry(pool, blockTokens, blocks, blockBytes(shape, options));
        memory = arena.allocate(geometry.bytes(), 64);
    }

    /// Bytes of a block over all layers.
    static long blockBytes(ModelShape shape, HostOptions options) {
        return shape.kvElementsPerToken() * options.blockTokens() * options.kvDtype().bytes();
    }

    KvGeometry geometry() {
        return geometry;
    }

    /// Stores key and value of one position: `[kvHeads, headDim]` at `kAt` and `vAt`.
    void write(int layer, int block, int slot, float[] keys, int kAt, float[] values, int vAt) {
        int elementBytes = dtype.bytes();
        for (int head = 0; head < kvHeads; head++) {
            long key = keyOffset(layer, block, head) + (long) slot * elementBytes;
            long value = valueOffset(layer, block, head) + (long) slot * headDim * elementBytes;
            for (int d = 0; d < headDim; d++) {
                put(key + (long) d * blockTokens * elementBytes, keys[kAt + head * headDim + d]);
                put(value + (long) d * elementBytes, values[vAt + head * headDim + d]);
            }
        }
    }

    private void put(long offset, float element) {
        if (dtype == HostOptions.KvDtype.FP32) {
            memory.set(FLOAT, offset, element);
        } else {
            memory.set(SHORT, offset, Bf16.encode(element));
        }
    }

    /// Copies the first `count` blocks of a sequence, all layers, to its blocks in another pool of the same model and format.
    ///
    /// @return bytes copied
    long copyTo(KvCache to, int[] fromBlocks, int[] toBlocks, int count) {
        long layerBlockBytes = 2L * kvHeads * headDim * blockTokens * dtype.bytes();
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

    /// Copies the keys of a block, `[headDim][blockTokens]`, widened to FP32.
    void readKeys(int layer, int block, int head, float[] to) {
        read(keyOffset(layer, block, head), to);
    }

    /// Copies the values of a block, `[blockTokens][headDim]`, widened to FP32.
    void readValues(int layer, int block, int head, float[] to) {
        read(valueOffset(layer, block, head), to);
    }

    private void read(long from, float[] to) {
        int count = headDim * blockTokens;
        if (dtype == HostOptions.KvDtype.FP32) {
            MemorySegment.copy(memory, FLOAT, from, to, 0, count);
        } else {
            widen(memory, from, count, to);
        }
    }

    private static void widen(MemorySegment memory, long from, int count, float[] to) {
        int i = 0;
        for (; i + LANES <= count; i += LANES) {
            ShortVector halves = ShortVector.fromMemorySegment(HALVES, memory, from + 2L * i, ByteOrder.nativeOrder());
            halves.convertShape(VectorOperators.ZERO_EXTEND_S2I, Vectors.INTS, 0)
                    .reinterpretAsInts()
                    .lanewise(VectorOperators.LSHL, 16)
                    .reinterpretAsFloats()
                    .intoArray(to, i);
        }
        for (; i < count; i++) {
            to[i] = Bf16.decode(memory.get(SHORT, from + 2L * i));
        }
    }

    private long keyOffset(int layer, int block, int head) {
        long blockHead = ((long) layer * geometry.blocks() + block) * kvHeads + head;
        return blockHead * 2 * headDim * blockTokens * dtype.bytes();
    }

    private long valueOffset(int layer, int block, int head) {
        return keyOffset(layer, block, head) + (long) headDim * blockTokens * dtype.bytes();
    }
}
