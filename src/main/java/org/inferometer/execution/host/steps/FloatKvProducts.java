package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;

/// Keys and values in FP32.
final class FloatKvProducts extends KvProducts {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    /// Bytes of a row of a whole column.
    private static final int ROW = 4 * BYTES;

    FloatKvProducts(MemorySegment memory, int headDim, int blockTokens) {
        super(memory, headDim, blockTokens);
    }

    @Override
    int perWord() {
        return 1;
    }

    @Override
    int word(float[] elements, int at, int count) {
        return Float.floatToRawIntBits(elements[at]);
    }

    @Override
    FloatVector element(IntVector words) {
        return words.reinterpretAsFloats();
    }

    @Override
    IntVector next(IntVector words) {
        return words;
    }

    @Override
    FloatVector second(IntVector words, MemorySegment rows, int at) {
        return ints(rows, at + BYTES).reinterpretAsFloats();
    }

    @Override
    void place(float[] chains, int at, float[] result, int to) {
        System.arraycopy(chains, at, result, to, headDim);
    }

    @Override
    void addFour(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to, int stride) {
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
}
