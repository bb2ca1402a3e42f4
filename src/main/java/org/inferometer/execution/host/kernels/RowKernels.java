package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Matrix kernels for one activation row: two units of a [PackedMatrix] at once if possible, so that four chains of
/// multiply-adds hide each other's latency.
///
/// An output is a sum of chains over the inputs in ascending order, `chain` words each. [SmallBatchKernels], [EightRowKernels] and [BlockKernels]
/// use the same operations, so all give the same bits. Loops over the values of a word stay rolled: unrolling gains
/// nothing and exceeds the inlining budget. INT4 has its own: [Int4Kernels], [W4A8RowKernels].
public final class RowKernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;

    private RowKernels() {}

    /// `out[0..4·LANES)` = the products of units `a` and `b` with `x[xo..]`.
    public static void bf16(MemorySegment w, long a, long b, int words, int chain, float[] x, int xo, float[] out) {
        FloatVector s0 = FloatVector.zero(FLOATS);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int first = 0; first < words; first += chain) {
            int end = Math.min(words, first + chain);
            FloatVector c0 = FloatVector.zero(FLOATS);
            FloatVector c1 = c0;
            FloatVector c2 = c0;
            FloatVector c3 = c0;
            for (int i = first; i < end; i++) {
                long line = (long) i * LINE;
                IntVector w0 = ints(w, a + line);
                IntVector w1 = ints(w, a + line + BYTES);
                IntVector w2 = ints(w, b + line);
                IntVector w3 = ints(w, b + line + BYTES);
                FloatVector low = FloatVector.broadcast(FLOATS, x[xo + 2 * i]);
                c0 = Dequantization.bf16Low(w0).fma(low, c0);
                c1 = Dequantization.bf16Low(w1).fma(low, c1);
                c2 = Dequantization.bf16Low(w2).fma(low, c2);
                c3 = Dequantization.bf16Low(w3).fma(low, c3);
                FloatVector high = FloatVector.broadcast(FLOATS, x[xo + 2 * i + 1]);
                c0 = Dequantization.bf16High(w0).fma(high, c0);
                c1 = Dequantization.bf16High(w1).fma(high, c1);
                c2 = Dequantization.bf16High(w2).fma(high, c2);
                c3 = Dequantization.bf16High(w3).fma(high, c3);
            }
            s0 = s0.add(c0);
            s1 = s1.add(c1);
            s2 = s2.add(c2);
            s3 = s3.add(c3);
        }
        store(out, s0, s1, s2, s3);
    }

    /// As [#bf16], without the channels' scales and the corrections of [Fp8Corrections].
    public static void fp8(MemorySegment w, long a, long b, int words, int chain, float[] x, int xo, float[] out) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        FloatVector s0 = FloatVector.zero(FLOATS);
        FloatVector s1 = s0;
        FloatVector s2 = s0;
        FloatVector s3 = s0;
        for (int first = 0; first < words; first += chain) {
            int end = Math.min(words, first + chain);
            FloatVector c0 = FloatVector.zero(FLOATS);
            FloatVector c1 = c0;
            FloatVector c2 = c0;
            FloatVector c3 = c0;
            for (int i = first; i < end; i++) {
                long line = (long) i * LINE;
                IntVector w0 = ints(w, a + line);
                IntVector w1 = ints(w, a + line + BYTES);
                IntVector w2 = ints(w, b + line);
                IntVector w3 = ints(w, b + line + BYTES);
                for (int j = 0; j < 4; j++) {
                    FloatVector input = FloatVector.broadcast(FLOATS, x[xo + 4 * i + j]);
                    c0 = Dequantization.fp8(w0, mask, exponent).fma(input, c0);
                    c1 = Dequantization.fp8(w1, mask, exponent).fma(input, c1);
                    c2 = Dequantization.fp8(w2, mask, exponent).fma(input, c2);
                    c3 = Dequantization.fp8(w3, mask, exponent).fma(input, c3);
                    w0 = w0.lanewise(VectorOperators.LSHL, 8);
                    w1 = w1.lanewise(VectorOperators.LSHL, 8);
                    w2 = w2.lanewise(VectorOperators.LSHL, 8);
                    w3 = w3.lanewise(VectorOperators.LSHL, 8);
                }
            }
            s0 = s0.add(c0);
            s1 = s1.add(c1);
            s2 = s2.add(c2);
            s3 = s3.add(c3);
        }
        store(out, s0, s1, s2, s3);
    }

    /// `out[at..at + UNIT)` = the products of one unit of which many codes have no exponent, without the channels' scales.
    ///
    /// @param passes 1 for a chain over all inputs of `chain` words; 2 for one over the even inputs and one over the odd ones
    public static void fp8Exact(MemorySegment w, long unit, int words, int chain, int passes, float[] x, int xo,
            float[] out, int at) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        FloatVector s0 = FloatVector.zero(FLOATS);
        FloatVector s1 = s0;
        for (int first = 0; first < words; first += chain) {
            int end = Math.min(words, first + chain);
            FloatVector t0 = FloatVector.zero(FLOATS);
            FloatVector t1 = t0;
            for (int pass = 0; pass < passes; pass++) {
                FloatVector c0 = FloatVector.zero(FLOATS);
                FloatVector c1 = c0;
                for (int i = first; i < end; i++) {
                    long line = unit + (long) i * LINE;
                    IntVector w0 = ints(w, line).lanewise(VectorOperators.LSHL, 8 * pass);
                    IntVector w1 = ints(w, line + BYTES).lanewise(VectorOperators.LSHL, 8 * pass);
                    for (int j = pass; j < 4; j += passes) {
                        FloatVector input = FloatVector.broadcast(FLOATS, x[xo + 4 * i + j]);
                        c0 = Dequantization.fp8Exact(w0, magnitude, exponent, sign, two, offset).fma(input, c0);
                        c1 = Dequantization.fp8Exact(w1, magnitude, exponent, sign, two, offset).fma(input, c1);
                        w0 = w0.lanewise(VectorOperators.LSHL, 8 * passes);
                        w1 = w1.lanewise(VectorOperators.LSHL, 8 * passes);
                    }
                }
                t0 = t0.add(c0);
                t1 = t1.add(c1);
            }
            s0 = s0.add(t0);
            s1 = s1.add(t1);
        }
        s0.intoArray(out, at);
        s1.intoArray(out, at + LANES);
    }

    /// Fills `out[0..4·LANES)`.
    static void store(float[] out, FloatVector c0, FloatVector c1, FloatVector c2, FloatVector c3) {
        c0.intoArray(out, 0);
        c1.intoArray(out, LANES);
        c2.intoArray(out, 2 * LANES);
        c3.intoArray(out, 3 * LANES);
    }
}
