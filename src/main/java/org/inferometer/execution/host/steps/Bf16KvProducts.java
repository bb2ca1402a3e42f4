package org.inferometer.execution.host.steps;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.Bfloat16;

/// Keys and values in words of two adjacent BF16 elements. A vector of value words gives the even and the odd outputs of two vectors; chains keep this order.
final class Bf16KvProducts extends KvProducts {
    /// Mask of an odd element in its word.
    private static final int ODD = 0xFFFF0000;
    /// Bytes of a row of a whole column.
    private static final int ROW = 2 * BYTES;

    Bf16KvProducts(MemorySegment memory, int headDim, int blockTokens) {
        super(memory, headDim, blockTokens);
    }

    @Override
    int perWord() {
        return 2;
    }

    @Override
    int word(float[] elements, int at, int count) {
        int odd = count == 2 ? Bfloat16.encode(elements[at + 1]) << 16 : 0;
        return odd | (Bfloat16.encode(elements[at]) & 0xFFFF);
    }

    @Override
    FloatVector element(IntVector words) {
        return words.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    @Override
    IntVector next(IntVector words) {
        return words.lanewise(VectorOperators.LSHR, 16);
    }

    @Override
    FloatVector second(IntVector words, MemorySegment rows, int at) {
        return odd(words);
    }

    private static FloatVector odd(IntVector words) {
        return words.lanewise(VectorOperators.AND, ODD).reinterpretAsFloats();
    }

    @Override
    void place(float[] chains, int at, float[] result, int to) {
        for (int pair = 0; pair < headDim; pair += 2 * LANES) {
            int evens = Math.min(LANES, Math.ceilDiv(headDim - pair, 2));
            int odds = Math.min(LANES, (headDim - pair) / 2);
            for (int i = 0; i < evens; i++) {
                result[to + pair + 2 * i] = chains[at + pair + i];
            }
            for (int i = 0; i < odds; i++) {
                result[to + pair + 2 * i + 1] = chains[at + pair + LANES + i];
            }
        }
    }

    @Override
    void addFour(long a, long b, long c, long d, float[] weights, int at, float[] chains, int to, int stride) {
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
            a0 = element(word).fma(w, a0);
            a1 = odd(word).fma(w, a1);
            w = FloatVector.broadcast(FLOATS, weights[bw + t]);
            word = ints(bv, t * ROW);
            b0 = element(word).fma(w, b0);
            b1 = odd(word).fma(w, b1);
            w = FloatVector.broadcast(FLOATS, weights[cw + t]);
            word = ints(cv, t * ROW);
            c0 = element(word).fma(w, c0);
            c1 = odd(word).fma(w, c1);
            w = FloatVector.broadcast(FLOATS, weights[dw + t]);
            word = ints(dv, t * ROW);
            d0 = element(word).fma(w, d0);
            d1 = odd(word).fma(w, d1);
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
}
