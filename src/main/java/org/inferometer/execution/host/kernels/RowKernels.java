package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.BYTES;
import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.INTS;
import static org.inferometer.execution.host.kernels.Vectors.LANES;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;
import static org.inferometer.execution.host.kernels.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Matrix kernels for one activation row: two units of a [PackedMatrix] at once if possible, so that four chains of
/// multiply-adds hide each other's latency.
///
/// An output is one chain over the inputs in ascending order (INT4: one chain per group, then the groups in order).
/// [SmallBatchKernels], [EightRowKernels] and [BlockKernels] use the same operations, so all give the same bits. Loops
/// over the values of a word stay rolled: unrolling gains nothing and exceeds the inlining budget.
public final class RowKernels {
    private static final int LINE = PackedMatrix.LINE_BYTES;

    private RowKernels() {}

    /// `out[0..4·LANES)` = the products of units `a` and `b` with `x[xo..]`.
    static void bf16(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] out) {
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words; i++) {
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
        store(out, c0, c1, c2, c3);
    }

    /// As [#bf16], without the channels' scales and the corrections of [Fp8Corrections].
    static void fp8(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] out) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words; i++) {
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
        store(out, c0, c1, c2, c3);
    }

    /// `out[at..at + UNIT)` = the products of one unit of which many codes have no exponent, without the channels' scales.
    static void fp8Exact(MemorySegment w, long unit, int words, float[] x, int xo, float[] out, int at) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        for (int i = 0; i < words; i++) {
            long line = unit + (long) i * LINE;
            IntVector w0 = ints(w, line);
            IntVector w1 = ints(w, line + BYTES);
            for (int j = 0; j < 4; j++) {
                FloatVector input = FloatVector.broadcast(FLOATS, x[xo + 4 * i + j]);
                c0 = Dequantization.fp8Exact(w0, magnitude, exponent, sign, two, offset).fma(input, c0);
                c1 = Dequantization.fp8Exact(w1, magnitude, exponent, sign, two, offset).fma(input, c1);
                w0 = w0.lanewise(VectorOperators.LSHL, 8);
                w1 = w1.lanewise(VectorOperators.LSHL, 8);
            }
        }
        c0.intoArray(out, at);
        c1.intoArray(out, at + LANES);
    }

    /// Like [#bf16], without [ShortVectorInt4#USED]; `x` is scaled for [Dequantization#int4], `sums[so + 3 * group]`
    /// holds each group's [ActivationRows#sums].
    static void int4(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] sums, int so, float[] out) {
        FloatVector zero = FloatVector.zero(FLOATS);
        store(out, zero, zero, zero, zero);
        int group = 0;
        for (int word = 0; word < words; word += PackedMatrix.GROUP_WORDS) {
            long header = (long) group * (PackedMatrix.GROUP_WORDS + 1) * LINE;
            int count = Math.min(PackedMatrix.GROUP_WORDS, words - word);
            int4Group(w, a + header, b + header, count, x, xo + 8 * word, sums, so + ActivationRows.SUMS * group, out,
                    0);
            group++;
        }
    }

    /// Like [#int4] for four units, `out[0..8·LANES)` and as much scratch after it: four streams in different pages use
    /// more memory bandwidth than two, and each input is loaded for eight chains instead of four. The decoding is
    /// inlined by hand: see docs/performance.md.
    static void int4(MemorySegment w, long a, long b, long c, long d, int words, float[] x, int xo, float[] sums,
            int so, float[] out) {
        Arrays.fill(out, 0, 8 * LANES, 0f);
        int group = 0;
        for (int word = 0; word < words; word += PackedMatrix.GROUP_WORDS) {
            long header = (long) group * (PackedMatrix.GROUP_WORDS + 1) * LINE;
            int count = Math.min(PackedMatrix.GROUP_WORDS, words - word);
            int xAt = xo + 8 * word;
            int sumsAt = so + ActivationRows.SUMS * group;
            int4Chains(w, a + header, b + header, c + header, d + header, count, x, xAt, out, 8 * LANES);
            addUnit(w, a + header, out, 8 * LANES, sums, sumsAt, 0);
            addUnit(w, b + header, out, 8 * LANES, sums, sumsAt, UNIT);
            addUnit(w, c + header, out, 8 * LANES, sums, sumsAt, 2 * UNIT);
            addUnit(w, d + header, out, 8 * LANES, sums, sumsAt, 3 * UNIT);
            group++;
        }
    }

    private static void int4Chains(MemorySegment w, long a, long b, long c, long d, int words, float[] x, int xo,
            float[] chains, int to) {
        IntVector low = IntVector.broadcast(INTS, Dequantization.INT4_LOW);
        IntVector high = IntVector.broadcast(INTS, Dequantization.INT4_HIGH);
        IntVector one = IntVector.broadcast(INTS, Dequantization.ONE);
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        FloatVector c4 = c0;
        FloatVector c5 = c0;
        FloatVector c6 = c0;
        FloatVector c7 = c0;
        for (int i = 0; i < words; i++) {
            long line = (long) (i + 1) * LINE;
            IntVector w0 = ints(w, a + line);
            IntVector w1 = ints(w, a + line + BYTES);
            IntVector w2 = ints(w, b + line);
            IntVector w3 = ints(w, b + line + BYTES);
            IntVector w4 = ints(w, c + line);
            IntVector w5 = ints(w, c + line + BYTES);
            IntVector w6 = ints(w, d + line);
            IntVector w7 = ints(w, d + line + BYTES);
            for (int j = 0; j < 4; j++) {
                FloatVector even = FloatVector.broadcast(FLOATS, x[xo + 8 * i + 2 * j]);
                c0 = w0.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c0);
                c1 = w1.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c1);
                c2 = w2.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c2);
                c3 = w3.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c3);
                c4 = w4.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c4);
                c5 = w5.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c5);
                c6 = w6.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c6);
                c7 = w7.lanewise(VectorOperators.AND, low).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(even, c7);
                FloatVector odd = FloatVector.broadcast(FLOATS, x[xo + 8 * i + 2 * j + 1]);
                c0 = w0.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c0);
                c1 = w1.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c1);
                c2 = w2.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c2);
                c3 = w3.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c3);
                c4 = w4.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c4);
                c5 = w5.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c5);
                c6 = w6.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c6);
                c7 = w7.lanewise(VectorOperators.AND, high).lanewise(VectorOperators.OR, one).reinterpretAsFloats()
                        .fma(odd, c7);
                w0 = w0.lanewise(VectorOperators.ROR, 8);
                w1 = w1.lanewise(VectorOperators.ROR, 8);
                w2 = w2.lanewise(VectorOperators.ROR, 8);
                w3 = w3.lanewise(VectorOperators.ROR, 8);
                w4 = w4.lanewise(VectorOperators.ROR, 8);
                w5 = w5.lanewise(VectorOperators.ROR, 8);
                w6 = w6.lanewise(VectorOperators.ROR, 8);
                w7 = w7.lanewise(VectorOperators.ROR, 8);
            }
        }
        c0.intoArray(chains, to);
        c1.intoArray(chains, to + LANES);
        c2.intoArray(chains, to + 2 * LANES);
        c3.intoArray(chains, to + 3 * LANES);
        c4.intoArray(chains, to + 4 * LANES);
        c5.intoArray(chains, to + 5 * LANES);
        c6.intoArray(chains, to + 6 * LANES);
        c7.intoArray(chains, to + 7 * LANES);
    }

    /// Adds a finished group of one unit, `out[chains + at..]`, to `out[at..]`; `sums` as [ActivationRows#sums], the group's at `so`.
    static void addUnit(MemorySegment w, long header, float[] out, int chains, float[] sums, int so, int at) {
        addGroup(w, header, FloatVector.fromArray(FLOATS, out, chains + at), sums, so, out, at);
        addGroup(w, header + BYTES, FloatVector.fromArray(FLOATS, out, chains + at + LANES), sums, so, out, at + LANES);
    }

    private static void int4Group(MemorySegment w, long a, long b, int words, float[] x, int xo, float[] sums, int so,
            float[] out, int to) {
        IntVector low = IntVector.broadcast(INTS, Dequantization.INT4_LOW);
        IntVector high = IntVector.broadcast(INTS, Dequantization.INT4_HIGH);
        IntVector one = IntVector.broadcast(INTS, Dequantization.ONE);
        FloatVector c0 = FloatVector.zero(FLOATS);
        FloatVector c1 = c0;
        FloatVector c2 = c0;
        FloatVector c3 = c0;
        for (int i = 0; i < words; i++) {
            long line = (long) (i + 1) * LINE;
            IntVector w0 = ints(w, a + line);
            IntVector w1 = ints(w, a + line + BYTES);
            IntVector w2 = ints(w, b + line);
            IntVector w3 = ints(w, b + line + BYTES);
            for (int j = 0; j < 4; j++) {
                FloatVector even = FloatVector.broadcast(FLOATS, x[xo + 8 * i + 2 * j]);
                c0 = Dequantization.int4(w0, low, one).fma(even, c0);
                c1 = Dequantization.int4(w1, low, one).fma(even, c1);
                c2 = Dequantization.int4(w2, low, one).fma(even, c2);
                c3 = Dequantization.int4(w3, low, one).fma(even, c3);
                FloatVector odd = FloatVector.broadcast(FLOATS, x[xo + 8 * i + 2 * j + 1]);
                c0 = Dequantization.int4(w0, high, one).fma(odd, c0);
                c1 = Dequantization.int4(w1, high, one).fma(odd, c1);
                c2 = Dequantization.int4(w2, high, one).fma(odd, c2);
                c3 = Dequantization.int4(w3, high, one).fma(odd, c3);
                w0 = w0.lanewise(VectorOperators.ROR, 8);
                w1 = w1.lanewise(VectorOperators.ROR, 8);
                w2 = w2.lanewise(VectorOperators.ROR, 8);
                w3 = w3.lanewise(VectorOperators.ROR, 8);
            }
        }
        addGroup(w, a, c0, sums, so, out, to);
        addGroup(w, a + BYTES, c1, sums, so, out, to + LANES);
        addGroup(w, b, c2, sums, so, out, to + 2 * LANES);
        addGroup(w, b + BYTES, c3, sums, so, out, to + 3 * LANES);
    }

    private static void addGroup(MemorySegment w, long header, FloatVector chain, float[] sums, int so, float[] total,
            int at) {
        IntVector bits = ints(w, header);
        addGroup(scale(bits), zeroPoint(bits), chain, sums, so, total, at);
    }

    /// Adds a finished group to several rows.
    ///
    /// @param chains `[rows][UNIT]` of the group with its header at `header`
    /// @param so where the first row's sums begin, rows `sumsStride` apart
    /// @param total `[rows][UNIT]`
    static void addGroups(MemorySegment w, long header, float[] chains, int rows, float[] sums, int so, int sumsStride,
            float[] total) {
        for (int i = 0; i < UNIT; i += LANES) {
            IntVector bits = ints(w, header + 4L * i);
            FloatVector scale = scale(bits);
            FloatVector zero = zeroPoint(bits);
            for (int row = 0; row < rows; row++) {
                int at = row * UNIT + i;
                addGroup(scale, zero, FloatVector.fromArray(FLOATS, chains, at), sums, so + row * sumsStride, total,
                        at);
            }
        }
    }

    /// total + scale · factor · (chain − the ones' share − zero · Σ x).
    private static void addGroup(FloatVector scale, FloatVector zero, FloatVector chain, float[] sums, int so,
            float[] total, int at) {
        FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[so]), chain.sub(sums[so + 1]));
        scale.mul(sums[so + 2]).fma(centred, FloatVector.fromArray(FLOATS, total, at)).intoArray(total, at);
    }

    /// The scales of a group's header.
    public static FloatVector scale(IntVector header) {
        return header.and(~PackedMatrix.ZERO_POINT_BITS).reinterpretAsFloats();
    }

    /// The zero points of a group's header.
    public static FloatVector zeroPoint(IntVector header) {
        return (FloatVector) header.and(PackedMatrix.ZERO_POINT_BITS).convert(VectorOperators.I2F, 0);
    }

    private static void store(float[] out, FloatVector c0, FloatVector c1, FloatVector c2, FloatVector c3) {
        c0.intoArray(out, 0);
        c1.intoArray(out, LANES);
        c2.intoArray(out, 2 * LANES);
        c3.intoArray(out, 3 * LANES);
    }
}
