package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/// Keys and values in FP32.
///
/// Segments are sliced to the range of a loop, so that its offsets are `int` from zero.
record FloatKvProducts(MemorySegment memory, int headDim, int blockTokens) implements KvProducts {
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    /// Bytes of a row of a whole column.
    private static final int ROW = 4 * BYTES;

    @Override
    public void writeKey(long block, int slot, float[] key, int from) {
        int tile = slot / LANES;
        int row = 4 * tileWidth(tile);
        MemorySegment keys = memory.asSlice(block + tile(tile) + 4L * (slot % LANES), (headDim - 1L) * row + 4);
        for (int d = 0; d < headDim; d++) {
            keys.set(FLOAT, d * row, key[from + d]);
        }
    }

    @Override
    public void writeValue(long block, int slot, float[] value, int from) {
        for (int column = 0; column * WIDTH < headDim; column++) {
            int width = columnWidth(column);
            MemorySegment.copy(value, from + column * WIDTH, memory, FLOAT, block + column(column) + 4L * slot * width,
                    width);
        }
    }

    private int tileWidth(int tile) {
        return Math.min(LANES, blockTokens - tile * LANES);
    }

    private int columnWidth(int column) {
        return Math.min(WIDTH, headDim - column * WIDTH);
    }

    @Override
    public long tile(int index) {
        return (long) index * BYTES * headDim;
    }

    @Override
    public long column(int index) {
        return 4L * WIDTH * index * blockTokens;
    }

    @Override
    public void score(long keys, int tile, float[] queries, int[] queryAt, int first, float[] scores, int at,
            int stride) {
        int row = 4 * tileWidth(tile);
        MemorySegment rows = memory.asSlice(keys + tile(tile), (headDim - 1L) * row + BYTES);
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int d = 0; d < headDim; d++) {
            FloatVector k = FloatVector.fromMemorySegment(FLOATS, rows, d * row, ORDER);
            c0 = k.fma(FloatVector.broadcast(FLOATS, queries[q0 + d]), c0);
            c1 = k.fma(FloatVector.broadcast(FLOATS, queries[q1 + d]), c1);
            c2 = k.fma(FloatVector.broadcast(FLOATS, queries[q2 + d]), c2);
            c3 = k.fma(FloatVector.broadcast(FLOATS, queries[q3 + d]), c3);
        }
        c0.intoArray(scores, at);
        c1.intoArray(scores, at + stride);
        c2.intoArray(scores, at + 2 * stride);
        c3.intoArray(scores, at + 3 * stride);
    }

    @Override
    public void scoreFour(long a, long b, long c, long d, float[] queries, int[] queryAt, int first, float[] scores,
            int at, int stride) {
        long bytes = (long) headDim * BYTES;
        MemorySegment aKeys = memory.asSlice(a, bytes);
        MemorySegment bKeys = memory.asSlice(b, bytes);
        MemorySegment cKeys = memory.asSlice(c, bytes);
        MemorySegment dKeys = memory.asSlice(d, bytes);
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector a0 = FloatVector.zero(FLOATS);
        FloatVector a1 = a0;
        FloatVector a2 = a0;
        FloatVector a3 = a0;
        FloatVector b0 = a0;
        FloatVector b1 = a0;
        FloatVector b2 = a0;
        FloatVector b3 = a0;
        FloatVector c0 = a0;
        FloatVector c1 = a0;
        FloatVector c2 = a0;
        FloatVector c3 = a0;
        FloatVector d0 = a0;
        FloatVector d1 = a0;
        FloatVector d2 = a0;
        FloatVector d3 = a0;
        for (int i = 0; i < headDim; i++) {
            FloatVector ak = FloatVector.fromMemorySegment(FLOATS, aKeys, i * BYTES, ORDER);
            FloatVector bk = FloatVector.fromMemorySegment(FLOATS, bKeys, i * BYTES, ORDER);
            FloatVector ck = FloatVector.fromMemorySegment(FLOATS, cKeys, i * BYTES, ORDER);
            FloatVector dk = FloatVector.fromMemorySegment(FLOATS, dKeys, i * BYTES, ORDER);
            FloatVector q = FloatVector.broadcast(FLOATS, queries[q0 + i]);
            a0 = ak.fma(q, a0);
            b0 = bk.fma(q, b0);
            c0 = ck.fma(q, c0);
            d0 = dk.fma(q, d0);
            q = FloatVector.broadcast(FLOATS, queries[q1 + i]);
            a1 = ak.fma(q, a1);
            b1 = bk.fma(q, b1);
            c1 = ck.fma(q, c1);
            d1 = dk.fma(q, d1);
            q = FloatVector.broadcast(FLOATS, queries[q2 + i]);
            a2 = ak.fma(q, a2);
            b2 = bk.fma(q, b2);
            c2 = ck.fma(q, c2);
            d2 = dk.fma(q, d2);
            q = FloatVector.broadcast(FLOATS, queries[q3 + i]);
            a3 = ak.fma(q, a3);
            b3 = bk.fma(q, b3);
            c3 = ck.fma(q, c3);
            d3 = dk.fma(q, d3);
        }
        a0.intoArray(scores, at);
        b0.intoArray(scores, at + LANES);
        c0.intoArray(scores, at + 2 * LANES);
        d0.intoArray(scores, at + 3 * LANES);
        a1.intoArray(scores, at + stride);
        b1.intoArray(scores, at + stride + LANES);
        c1.intoArray(scores, at + stride + 2 * LANES);
        d1.intoArray(scores, at + stride + 3 * LANES);
        a2.intoArray(scores, at + 2 * stride);
        b2.intoArray(scores, at + 2 * stride + LANES);
        c2.intoArray(scores, at + 2 * stride + 2 * LANES);
        d2.intoArray(scores, at + 2 * stride + 3 * LANES);
        a3.intoArray(scores, at + 3 * stride);
        b3.intoArray(scores, at + 3 * stride + LANES);
        c3.intoArray(scores, at + 3 * stride + 2 * LANES);
        d3.intoArray(scores, at + 3 * stride + 3 * LANES);
    }

    @Override
    public void add(long values, int column, int first, int end, int[] slots, int slot, float[] weights, int at,
            int stride, float[] chains, int to, int chainStride) {
        int row = 4 * columnWidth(column);
        int tokens = end - first;
        MemorySegment rows =
                memory.asSlice(values + column(column) + (long) first * row, (tokens - 1L) * row + 4 * BYTES);
        int aw = at + first + slots[slot] * stride;
        int bw = at + first + slots[slot + 1] * stride;
        int cw = at + first + slots[slot + 2] * stride;
        int dw = at + first + slots[slot + 3] * stride;
        int ac = to + slots[slot] * chainStride;
        int bc = to + slots[slot + 1] * chainStride;
        int cc = to + slots[slot + 2] * chainStride;
        int dc = to + slots[slot + 3] * chainStride;
        FloatVector a0 = FloatVector.fromArray(FLOATS, chains, ac);
        FloatVector a1 = FloatVector.fromArray(FLOATS, chains, ac + LANES);
        FloatVector a2 = FloatVector.fromArray(FLOATS, chains, ac + 2 * LANES);
        FloatVector a3 = FloatVector.fromArray(FLOATS, chains, ac + 3 * LANES);
        FloatVector b0 = FloatVector.fromArray(FLOATS, chains, bc);
        FloatVector b1 = FloatVector.fromArray(FLOATS, chains, bc + LANES);
        FloatVector b2 = FloatVector.fromArray(FLOATS, chains, bc + 2 * LANES);
        FloatVector b3 = FloatVector.fromArray(FLOATS, chains, bc + 3 * LANES);
        FloatVector c0 = FloatVector.fromArray(FLOATS, chains, cc);
        FloatVector c1 = FloatVector.fromArray(FLOATS, chains, cc + LANES);
        FloatVector c2 = FloatVector.fromArray(FLOATS, chains, cc + 2 * LANES);
        FloatVector c3 = FloatVector.fromArray(FLOATS, chains, cc + 3 * LANES);
        FloatVector d0 = FloatVector.fromArray(FLOATS, chains, dc);
        FloatVector d1 = FloatVector.fromArray(FLOATS, chains, dc + LANES);
        FloatVector d2 = FloatVector.fromArray(FLOATS, chains, dc + 2 * LANES);
        FloatVector d3 = FloatVector.fromArray(FLOATS, chains, dc + 3 * LANES);
        for (int t = 0; t < tokens; t++) {
            FloatVector v0 = FloatVector.fromMemorySegment(FLOATS, rows, t * row, ORDER);
            FloatVector v1 = FloatVector.fromMemorySegment(FLOATS, rows, t * row + BYTES, ORDER);
            FloatVector v2 = FloatVector.fromMemorySegment(FLOATS, rows, t * row + 2 * BYTES, ORDER);
            FloatVector v3 = FloatVector.fromMemorySegment(FLOATS, rows, t * row + 3 * BYTES, ORDER);
            FloatVector w = FloatVector.broadcast(FLOATS, weights[aw + t]);
            a0 = v0.fma(w, a0);
            a1 = v1.fma(w, a1);
            a2 = v2.fma(w, a2);
            a3 = v3.fma(w, a3);
            w = FloatVector.broadcast(FLOATS, weights[bw + t]);
            b0 = v0.fma(w, b0);
            b1 = v1.fma(w, b1);
            b2 = v2.fma(w, b2);
            b3 = v3.fma(w, b3);
            w = FloatVector.broadcast(FLOATS, weights[cw + t]);
            c0 = v0.fma(w, c0);
            c1 = v1.fma(w, c1);
            c2 = v2.fma(w, c2);
            c3 = v3.fma(w, c3);
            w = FloatVector.broadcast(FLOATS, weights[dw + t]);
            d0 = v0.fma(w, d0);
            d1 = v1.fma(w, d1);
            d2 = v2.fma(w, d2);
            d3 = v3.fma(w, d3);
        }
        a0.intoArray(chains, ac);
        a1.intoArray(chains, ac + LANES);
        a2.intoArray(chains, ac + 2 * LANES);
        a3.intoArray(chains, ac + 3 * LANES);
        b0.intoArray(chains, bc);
        b1.intoArray(chains, bc + LANES);
        b2.intoArray(chains, bc + 2 * LANES);
        b3.intoArray(chains, bc + 3 * LANES);
        c0.intoArray(chains, cc);
        c1.intoArray(chains, cc + LANES);
        c2.intoArray(chains, cc + 2 * LANES);
        c3.intoArray(chains, cc + 3 * LANES);
        d0.intoArray(chains, dc);
        d1.intoArray(chains, dc + LANES);
        d2.intoArray(chains, dc + 2 * LANES);
        d3.intoArray(chains, dc + 3 * LANES);
    }

    @Override
    public void addFour(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to, int stride) {
        long bytes = (long) blockTokens * ROW;
        MemorySegment av = memory.asSlice(a, bytes);
        MemorySegment bv = memory.asSlice(b, bytes);
        MemorySegment cv = memory.asSlice(c, bytes);
        MemorySegment dv = memory.asSlice(d, bytes);
        int aw = at;
        int bw = at + blockTokens;
        int cw = at + 2 * blockTokens;
        int dw = at + 3 * blockTokens;
        FloatVector a0 = FloatVector.fromArray(FLOATS, chains, to);
        FloatVector a1 = FloatVector.fromArray(FLOATS, chains, to + LANES);
        FloatVector a2 = FloatVector.fromArray(FLOATS, chains, to + 2 * LANES);
        FloatVector a3 = FloatVector.fromArray(FLOATS, chains, to + 3 * LANES);
        int bc = to + stride;
        FloatVector b0 = FloatVector.fromArray(FLOATS, chains, bc);
        FloatVector b1 = FloatVector.fromArray(FLOATS, chains, bc + LANES);
        FloatVector b2 = FloatVector.fromArray(FLOATS, chains, bc + 2 * LANES);
        FloatVector b3 = FloatVector.fromArray(FLOATS, chains, bc + 3 * LANES);
        int cc = bc + stride;
        FloatVector c0 = FloatVector.fromArray(FLOATS, chains, cc);
        FloatVector c1 = FloatVector.fromArray(FLOATS, chains, cc + LANES);
        FloatVector c2 = FloatVector.fromArray(FLOATS, chains, cc + 2 * LANES);
        FloatVector c3 = FloatVector.fromArray(FLOATS, chains, cc + 3 * LANES);
        int dc = cc + stride;
        FloatVector d0 = FloatVector.fromArray(FLOATS, chains, dc);
        FloatVector d1 = FloatVector.fromArray(FLOATS, chains, dc + LANES);
        FloatVector d2 = FloatVector.fromArray(FLOATS, chains, dc + 2 * LANES);
        FloatVector d3 = FloatVector.fromArray(FLOATS, chains, dc + 3 * LANES);
        for (int t = 0; t < blockTokens; t++) {
            FloatVector w = FloatVector.broadcast(FLOATS, weights[aw + t]);
            a0 = w.fma(FloatVector.fromMemorySegment(FLOATS, av, t * ROW, ORDER), a0);
            a1 = w.fma(FloatVector.fromMemorySegment(FLOATS, av, t * ROW + BYTES, ORDER), a1);
            a2 = w.fma(FloatVector.fromMemorySegment(FLOATS, av, t * ROW + 2 * BYTES, ORDER), a2);
            a3 = w.fma(FloatVector.fromMemorySegment(FLOATS, av, t * ROW + 3 * BYTES, ORDER), a3);
            w = FloatVector.broadcast(FLOATS, weights[bw + t]);
            b0 = w.fma(FloatVector.fromMemorySegment(FLOATS, bv, t * ROW, ORDER), b0);
            b1 = w.fma(FloatVector.fromMemorySegment(FLOATS, bv, t * ROW + BYTES, ORDER), b1);
            b2 = w.fma(FloatVector.fromMemorySegment(FLOATS, bv, t * ROW + 2 * BYTES, ORDER), b2);
            b3 = w.fma(FloatVector.fromMemorySegment(FLOATS, bv, t * ROW + 3 * BYTES, ORDER), b3);
            w = FloatVector.broadcast(FLOATS, weights[cw + t]);
            c0 = w.fma(FloatVector.fromMemorySegment(FLOATS, cv, t * ROW, ORDER), c0);
            c1 = w.fma(FloatVector.fromMemorySegment(FLOATS, cv, t * ROW + BYTES, ORDER), c1);
            c2 = w.fma(FloatVector.fromMemorySegment(FLOATS, cv, t * ROW + 2 * BYTES, ORDER), c2);
            c3 = w.fma(FloatVector.fromMemorySegment(FLOATS, cv, t * ROW + 3 * BYTES, ORDER), c3);
            w = FloatVector.broadcast(FLOATS, weights[dw + t]);
            d0 = w.fma(FloatVector.fromMemorySegment(FLOATS, dv, t * ROW, ORDER), d0);
            d1 = w.fma(FloatVector.fromMemorySegment(FLOATS, dv, t * ROW + BYTES, ORDER), d1);
            d2 = w.fma(FloatVector.fromMemorySegment(FLOATS, dv, t * ROW + 2 * BYTES, ORDER), d2);
            d3 = w.fma(FloatVector.fromMemorySegment(FLOATS, dv, t * ROW + 3 * BYTES, ORDER), d3);
        }
        a0.intoArray(chains, to);
        a1.intoArray(chains, to + LANES);
        a2.intoArray(chains, to + 2 * LANES);
        a3.intoArray(chains, to + 3 * LANES);
        b0.intoArray(chains, bc);
        b1.intoArray(chains, bc + LANES);
        b2.intoArray(chains, bc + 2 * LANES);
        b3.intoArray(chains, bc + 3 * LANES);
        c0.intoArray(chains, cc);
        c1.intoArray(chains, cc + LANES);
        c2.intoArray(chains, cc + 2 * LANES);
        c3.intoArray(chains, cc + 3 * LANES);
        d0.intoArray(chains, dc);
        d1.intoArray(chains, dc + LANES);
        d2.intoArray(chains, dc + 2 * LANES);
        d3.intoArray(chains, dc + 3 * LANES);
    }

    @Override
    public void finish(float[] chains, int at, int stride, float factor, float[] result, int to) {
        int i = 0;
        for (; i + LANES <= headDim; i += LANES) {
            int c = at + i;
            FloatVector first =
                    FloatVector.fromArray(FLOATS, chains, c).add(FloatVector.fromArray(FLOATS, chains, c + stride));
            FloatVector second = FloatVector.fromArray(FLOATS, chains, c + 2 * stride)
                    .add(FloatVector.fromArray(FLOATS, chains, c + 3 * stride));
            first.add(second).mul(factor).intoArray(result, to + i);
        }
        for (; i < headDim; i++) {
            int c = at + i;
            result[to + i] =
                    (chains[c] + chains[c + stride] + (chains[c + 2 * stride] + chains[c + 3 * stride])) * factor;
        }
    }
}
