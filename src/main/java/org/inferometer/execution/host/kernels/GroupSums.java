package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.parallel.Vectors.BYTES;
import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.LANES;
import static org.inferometer.execution.host.parallel.Vectors.UNIT;
import static org.inferometer.execution.host.parallel.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import org.inferometer.execution.host.packed.Dequantization;

/// Adds the finished chains of a group to the outputs: times the scales in its header, the zero points of INT4 subtracted, and times the scale of
/// rounded inputs.
final class GroupSums {
    private GroupSums() {}

    /// FP8: total + scale · chain, of one unit and several rows.
    ///
    /// @param header of the group
    /// @param chains `[rows][UNIT]` from `at` on
    /// @param total laid out alike
    static void fp8(MemorySegment w, long header, float[] chains, int rows, float[] total, int at) {
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = FloatVector.fromMemorySegment(FLOATS, w, header + 4L * i, ByteOrder.nativeOrder());
            for (int row = 0; row < rows; row++) {
                int to = at + row * UNIT + i;
                scale.fma(FloatVector.fromArray(FLOATS, chains, to), FloatVector.fromArray(FLOATS, total, to))
                        .intoArray(total, to);
            }
        }
    }

    /// INT8: total + scale · factor · chain, of one unit and several rows.
    ///
    /// @param header of the group
    /// @param chains `[rows][UNIT]` from `from` on
    /// @param sums as [ActivationRows#sums], the first row's at `so`, rows `sumsStride` apart
    /// @param total `[rows][UNIT]` from `to` on
    static void int8(MemorySegment w, long header, int group, float[] chains, int from, int rows, float[] sums, int so,
            int sumsStride, float[] total, int to) {
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = Dequantization.int8Scale(ints(w, header + 4L * i), group);
            for (int row = 0; row < rows; row++) {
                int at = row * UNIT + i;
                scale.mul(sums[so + row * sumsStride + 2]).fma(FloatVector.fromArray(FLOATS, chains, from + at),
                        FloatVector.fromArray(FLOATS, total, to + at)).intoArray(total, to + at);
            }
        }
    }

    /// INT4: adds a finished group of one unit, `out[chains + at..]`, to `out[at..]`; `sums` as [ActivationRows#sums], the group's at `so`.
    static void int4(MemorySegment w, long header, float[] out, int chains, float[] sums, int so, int at) {
        addInt4(w, header, FloatVector.fromArray(FLOATS, out, chains + at), sums, so, out, at);
        addInt4(w, header + BYTES, FloatVector.fromArray(FLOATS, out, chains + at + LANES), sums, so, out, at + LANES);
    }

    private static void addInt4(MemorySegment w, long header, FloatVector chain, float[] sums, int so, float[] total,
            int at) {
        IntVector bits = ints(w, header);
        addInt4(Dequantization.int4Scale(bits), Dequantization.int4ZeroPoint(bits), chain, sums, so, total, at);
    }

    /// INT4: adds a finished group to several rows.
    ///
    /// @param chains `[rows][UNIT]` of the group with its header at `header`
    /// @param so where the first row's sums begin, rows `sumsStride` apart
    /// @param total `[rows][UNIT]`
    static void int4(MemorySegment w, long header, float[] chains, int rows, float[] sums, int so, int sumsStride,
            float[] total) {
        for (int i = 0; i < UNIT; i += LANES) {
            IntVector bits = ints(w, header + 4L * i);
            FloatVector scale = Dequantization.int4Scale(bits);
            FloatVector zero = Dequantization.int4ZeroPoint(bits);
            for (int row = 0; row < rows; row++) {
                int at = row * UNIT + i;
                addInt4(scale, zero, FloatVector.fromArray(FLOATS, chains, at), sums, so + row * sumsStride, total, at);
            }
        }
    }

    /// total + scale · factor · (chain − constant part − zero · Σ x), with factor, constant part and Σ x from [ActivationRows#sums].
    private static void addInt4(FloatVector scale, FloatVector zero, FloatVector chain, float[] sums, int so,
            float[] total, int at) {
        FloatVector centred = zero.fma(FloatVector.broadcast(FLOATS, -sums[so]), chain.sub(sums[so + 1]));
        scale.mul(sums[so + 2]).fma(centred, FloatVector.fromArray(FLOATS, total, at)).intoArray(total, at);
    }
}
