package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// [RowKernels] that add up as matrix tiles do: see `SumOrder.TILES`; [RowKernels#fp8Exact] does with two passes. Words that a row lacks count as zeros, which change no sum.
public final class TileOrderKernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;
    /// Words of 32 inputs.
    private static final int BF16_WORDS = 16;
    public static final int FP8_WORDS = 8;

    private TileOrderKernels() {}

    /// `out[0..4·LANES)` = the products of units `a` and `b` with `x[xo..]`.
    public static void bf16(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] out) {
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector s0 = zero;
        FloatVector s1 = zero;
        FloatVector s2 = zero;
        FloatVector s3 = zero;
        for (int first = 0; first < words; first += BF16_WORDS) {
            int end = Math.min(words, first + BF16_WORDS);
            FloatVector even0 = zero;
            FloatVector even1 = zero;
            FloatVector even2 = zero;
            FloatVector even3 = zero;
            FloatVector odd0 = zero;
            FloatVector odd1 = zero;
            FloatVector odd2 = zero;
            FloatVector odd3 = zero;
            for (int i = first; i < end; i++) {
                long line = (long) i * LINE;
                IntVector w0 = ints(w, a + line);
                IntVector w1 = ints(w, a + line + BYTES);
                IntVector w2 = ints(w, b + line);
                IntVector w3 = ints(w, b + line + BYTES);
                FloatVector low = FloatVector.broadcast(FLOATS, x[xo + 2 * i]);
                even0 = Dequantization.bf16Low(w0).fma(low, even0);
                even1 = Dequantization.bf16Low(w1).fma(low, even1);
                even2 = Dequantization.bf16Low(w2).fma(low, even2);
                even3 = Dequantization.bf16Low(w3).fma(low, even3);
                FloatVector high = FloatVector.broadcast(FLOATS, x[xo + 2 * i + 1]);
                odd0 = Dequantization.bf16High(w0).fma(high, odd0);
                odd1 = Dequantization.bf16High(w1).fma(high, odd1);
                odd2 = Dequantization.bf16High(w2).fma(high, odd2);
                odd3 = Dequantization.bf16High(w3).fma(high, odd3);
            }
            s0 = s0.add(even0.add(odd0));
            s1 = s1.add(even1.add(odd1));
            s2 = s2.add(even2.add(odd2));
            s3 = s3.add(even3.add(odd3));
        }
        RowKernels.store(out, s0, s1, s2, s3);
    }

    /// As [#bf16], without the channels' scales and the corrections of [Fp8Corrections]. Even and odd inputs have a pass each, since
    /// with both the compiler would stop inlining.
    public static void fp8(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] out) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector s0 = zero;
        FloatVector s1 = zero;
        FloatVector s2 = zero;
        FloatVector s3 = zero;
        for (int first = 0; first < words; first += FP8_WORDS) {
            int end = Math.min(words, first + FP8_WORDS);
            FloatVector t0 = zero;
            FloatVector t1 = zero;
            FloatVector t2 = zero;
            FloatVector t3 = zero;
            for (int odd = 0; odd < 2; odd++) {
                FloatVector c0 = zero;
                FloatVector c1 = zero;
                FloatVector c2 = zero;
                FloatVector c3 = zero;
                for (int i = first; i < end; i++) {
                    long line = (long) i * LINE;
                    IntVector w0 = ints(w, a + line).lanewise(VectorOperators.LSHL, 8 * odd);
                    IntVector w1 = ints(w, a + line + BYTES).lanewise(VectorOperators.LSHL, 8 * odd);
                    IntVector w2 = ints(w, b + line).lanewise(VectorOperators.LSHL, 8 * odd);
                    IntVector w3 = ints(w, b + line + BYTES).lanewise(VectorOperators.LSHL, 8 * odd);
                    for (int j = odd; j < 4; j += 2) {
                        FloatVector input = FloatVector.broadcast(FLOATS, x[xo + 4 * i + j]);
                        c0 = Dequantization.fp8(w0, mask, exponent).fma(input, c0);
                        c1 = Dequantization.fp8(w1, mask, exponent).fma(input, c1);
                        c2 = Dequantization.fp8(w2, mask, exponent).fma(input, c2);
                        c3 = Dequantization.fp8(w3, mask, exponent).fma(input, c3);
                        w0 = w0.lanewise(VectorOperators.LSHL, 16);
                        w1 = w1.lanewise(VectorOperators.LSHL, 16);
                        w2 = w2.lanewise(VectorOperators.LSHL, 16);
                        w3 = w3.lanewise(VectorOperators.LSHL, 16);
                    }
                }
                t0 = t0.add(c0);
                t1 = t1.add(c1);
                t2 = t2.add(c2);
                t3 = t3.add(c3);
            }
            s0 = s0.add(t0);
            s1 = s1.add(t1);
            s2 = s2.add(t2);
            s3 = s3.add(t3);
        }
        RowKernels.store(out, s0, s1, s2, s3);
    }
}
