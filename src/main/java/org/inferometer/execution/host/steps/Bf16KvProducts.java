package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.Bfloat16;
import org.inferometer.execution.host.kernels.Dequantization;
import org.inferometer.execution.host.machine.Vectors;

/// Keys and values in words of two adjacent BF16 elements of one position, the even one in the low half. With an odd
/// headDim the last word has a spare half. A shift or a mask converts either half to a float.
///
/// A vector of value words gives the even and the odd outputs of two vectors; chains keep this order until [#finish].
record Bf16KvProducts(MemorySegment memory, int headDim, int blockTokens) implements KvProducts {
    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;
    /// Mask of an odd element in its word.
    private static final int ODD = 0xFFFF0000;
    /// Bytes of a row of a whole column.
    private static final int ROW = 2 * BYTES;

    private int words() {
        return Math.ceilDiv(headDim, 2);
    }

    @Override
    public void writeKey(long block, int slot, float[] key, int from) {
        int tile = slot / LANES;
        write(block + tile(tile) + 4L * (slot % LANES), 4 * tileWidth(tile), key, from, headDim);
    }

    @Override
    public void writeValue(long block, int slot, float[] value, int from) {
        for (int column = 0; column * WIDTH < headDim; column++) {
            long row = block + column(column) + 4L * slot * columnWords(column);
            write(row, 4, value, from + column * WIDTH, Math.min(WIDTH, headDim - column * WIDTH));
        }
    }

    private int tileWidth(int tile) {
        return Math.min(LANES, blockTokens - tile * LANES);
    }

    private int columnWords(int column) {
        return Math.min(WIDTH / 2, words() - column * (WIDTH / 2));
    }

    @Override
    public long tile(int index) {
        return (long) index * BYTES * words();
    }

    @Override
    public long column(int index) {
        return 2L * WIDTH * index * blockTokens;
    }

    private void write(long first, int wordStride, float[] elements, int from, int count) {
        int pairs = count / 2;
        MemorySegment to = memory.asSlice(first, (Math.ceilDiv(count, 2) - 1L) * wordStride + 4);
        for (int i = 0; i < pairs; i++) {
            int low = Bfloat16.encode(elements[from + 2 * i]) & 0xFFFF;
            to.set(WORD, i * wordStride, Bfloat16.encode(elements[from + 2 * i + 1]) << 16 | low);
        }
        if (2 * pairs < count) {
            to.set(WORD, pairs * wordStride, Bfloat16.encode(elements[from + 2 * pairs]) & 0xFFFF);
        }
    }

    @Override
    public void score(long keys, int tile, float[] queries, int[] queryAt, int first, float[] scores, int at,
            int stride) {
        int row = 4 * tileWidth(tile);
        MemorySegment rows = memory.asSlice(keys + tile(tile), (words() - 1L) * row + BYTES);
        int q0 = queryAt[first];
        int q1 = queryAt[first + 1];
        int q2 = queryAt[first + 2];
        int q3 = queryAt[first + 3];
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words(); i++) {
            IntVector word = ints(rows, i * row);
            int halves = Math.min(2, headDim - 2 * i);
            for (int j = 0; j < halves; j++) {
                int d = 2 * i + j;
                FloatVector k = word.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                c0 = k.fma(FloatVector.broadcast(FLOATS, queries[q0 + d]), c0);
                c1 = k.fma(FloatVector.broadcast(FLOATS, queries[q1 + d]), c1);
                c2 = k.fma(FloatVector.broadcast(FLOATS, queries[q2 + d]), c2);
                c3 = k.fma(FloatVector.broadcast(FLOATS, queries[q3 + d]), c3);
                word = word.lanewise(VectorOperators.LSHR, 16);
            }
        }
        c0.intoArray(scores, at);
        c1.intoArray(scores, at + stride);
        c2.intoArray(scores, at + 2 * stride);
        c3.intoArray(scores, at + 3 * stride);
    }

    @Override
    public void scoreFour(long a, long b, long c, long d, float[] queries, int[] queryAt, int first, float[] scores,
            int at, int stride) {
        if (headDim % 2 > 0) {
            score(a, 0, queries, queryAt, first, scores, at, stride);
            score(b, 0, queries, queryAt, first, scores, at + LANES, stride);
            score(c, 0, queries, queryAt, first, scores, at + 2 * LANES, stride);
            score(d, 0, queries, queryAt, first, scores, at + 3 * LANES, stride);
        } else {
            scoreFourWhole(a, b, c, d, queries, queryAt, first, scores, at, stride);
        }
    }

    /// Like [#scoreFour], if every word has two elements.
    private void scoreFourWhole(long a, long b, long c, long d, float[] queries, int[] queryAt, int first,
            float[] scores, int at, int stride) {
        long bytes = (long) words() * BYTES;
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
        for (int i = 0; i < headDim / 2; i++) {
            IntVector aw = ints(aKeys, i * BYTES);
            IntVector bw = ints(bKeys, i * BYTES);
            IntVector cw = ints(cKeys, i * BYTES);
            IntVector dw = ints(dKeys, i * BYTES);
            for (int j = 0; j < 2; j++) {
                FloatVector ak = aw.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector bk = bw.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector ck = cw.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector dk = dw.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
                FloatVector q = FloatVector.broadcast(FLOATS, queries[q0 + 2 * i + j]);
                a0 = ak.fma(q, a0);
                b0 = bk.fma(q, b0);
                c0 = ck.fma(q, c0);
                d0 = dk.fma(q, d0);
                q = FloatVector.broadcast(FLOATS, queries[q1 + 2 * i + j]);
                a1 = ak.fma(q, a1);
                b1 = bk.fma(q, b1);
                c1 = ck.fma(q, c1);
                d1 = dk.fma(q, d1);
                q = FloatVector.broadcast(FLOATS, queries[q2 + 2 * i + j]);
                a2 = ak.fma(q, a2);
                b2 = bk.fma(q, b2);
                c2 = ck.fma(q, c2);
                d2 = dk.fma(q, d2);
                q = FloatVector.broadcast(FLOATS, queries[q3 + 2 * i + j]);
                a3 = ak.fma(q, a3);
                b3 = bk.fma(q, b3);
                c3 = ck.fma(q, c3);
                d3 = dk.fma(q, d3);
                aw = aw.lanewise(VectorOperators.LSHR, 16);
                bw = bw.lanewise(VectorOperators.LSHR, 16);
                cw = cw.lanewise(VectorOperators.LSHR, 16);
                dw = dw.lanewise(VectorOperators.LSHR, 16);
            }
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
        int row = 4 * columnWords(column);
        int tokens = end - first;
        MemorySegment rows =
                memory.asSlice(values + column(column) + (long) first * row, (tokens - 1L) * row + 2 * BYTES);
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
            IntVector low = ints(rows, t * row);
            IntVector high = ints(rows, t * row + BYTES);
            FloatVector v0 = low.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
            FloatVector v1 = low.lanewise(VectorOperators.AND, ODD).reinterpretAsFloats();
            FloatVector v2 = high.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
            FloatVector v3 = high.lanewise(VectorOperators.AND, ODD).reinterpretAsFloats();
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
        addFourWords(a, b, c, d, weights, at, chains, to, stride);
        addFourWords(a + BYTES, b + BYTES, c + BYTES, d + BYTES, weights, at, chains, to + 2 * LANES, stride);
    }

    private void addFourWords(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to,
            int stride) {
        long bytes = (blockTokens - 1L) * ROW + BYTES;
        MemorySegment av = memory.asSlice(a, bytes);
        MemorySegment bv = memory.asSlice(b, bytes);
        MemorySegment cv = memory.asSlice(c, bytes);
        MemorySegment dv = memory.asSlice(d, bytes);
        int aw = at;
        int bw = at + blockTokens;
        int cw = at + 2 * blockTokens;
        int dw = at + 3 * blockTokens;
        int bc = to + stride;
        int cc = bc + stride;
        int dc = cc + stride;
        FloatVector a0 = FloatVector.fromArray(FLOATS, chains, to);
        FloatVector a1 = FloatVector.fromArray(FLOATS, chains, to + LANES);
        FloatVector b0 = FloatVector.fromArray(FLOATS, chains, bc);
        FloatVector b1 = FloatVector.fromArray(FLOATS, chains, bc + LANES);
        FloatVector c0 = FloatVector.fromArray(FLOATS, chains, cc);
        FloatVector c1 = FloatVector.fromArray(FLOATS, chains, cc + LANES);
        FloatVector d0 = FloatVector.fromArray(FLOATS, chains, dc);
        FloatVector d1 = FloatVector.fromArray(FLOATS, chains, dc + LANES);
        for (int t = 0; t < blockTokens; t++) {
            FloatVector w = FloatVector.broadcast(FLOATS, weights[aw + t]);
            IntVector word = ints(av, t * ROW);
            a0 = Dequantization.bf16Low(word).fma(w, a0);
            a1 = Dequantization.bf16High(word).fma(w, a1);
            w = FloatVector.broadcast(FLOATS, weights[bw + t]);
            word = ints(bv, t * ROW);
            b0 = Dequantization.bf16Low(word).fma(w, b0);
            b1 = Dequantization.bf16High(word).fma(w, b1);
            w = FloatVector.broadcast(FLOATS, weights[cw + t]);
            word = ints(cv, t * ROW);
            c0 = Dequantization.bf16Low(word).fma(w, c0);
            c1 = Dequantization.bf16High(word).fma(w, c1);
            w = FloatVector.broadcast(FLOATS, weights[dw + t]);
            word = ints(dv, t * ROW);
            d0 = Dequantization.bf16Low(word).fma(w, d0);
            d1 = Dequantization.bf16High(word).fma(w, d1);
        }
        a0.intoArray(chains, to);
        a1.intoArray(chains, to + LANES);
        b0.intoArray(chains, bc);
        b1.intoArray(chains, bc + LANES);
        c0.intoArray(chains, cc);
        c1.intoArray(chains, cc + LANES);
        d0.intoArray(chains, dc);
        d1.intoArray(chains, dc + LANES);
    }

    @Override
    public void finish(float[] chains, int at, int stride, float factor, float[] result, int to) {
        for (int i = 0; i < Vectors.roundUp(headDim, 2 * LANES); i += LANES) {
            int c = at + i;
            FloatVector first =
                    FloatVector.fromArray(FLOATS, chains, c).add(FloatVector.fromArray(FLOATS, chains, c + stride));
            FloatVector second = FloatVector.fromArray(FLOATS, chains, c + 2 * stride)
                    .add(FloatVector.fromArray(FLOATS, chains, c + 3 * stride));
            first.add(second).mul(factor).intoArray(chains, c);
        }
        for (int pair = 0; pair < headDim; pair += 2 * LANES) {
            // Vectors of even and odd outputs alternate.
            int lanes = Math.min(LANES, Math.ceilDiv(headDim - pair, 2));
            for (int i = 0; i < lanes; i++) {
                result[to + pair + 2 * i] = chains[at + pair + i];
                if (pair + 2 * i + 1 < headDim) {
                    result[to + pair + 2 * i + 1] = chains[at + pair + LANES + i];
                }
            }
        }
    }
}
