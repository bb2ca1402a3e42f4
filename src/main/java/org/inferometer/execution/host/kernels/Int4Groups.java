package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Adds the finished chains of an INT4 group to the outputs: scale, zero point, and the scale of rounded inputs.
public final class Int4Groups {
    private Int4Groups() {}

    /// Adds a finished group of one unit, `out[chains + at..]`, to `out[at..]`; `sums` as [GroupedRows#sums], the group's at `so`.
    static void addUnit(MemorySegment w, long header, float[] out, int chains, float[] sums, int so, int at) {
        addGroup(w, header, FloatVector.fromArray(FLOATS, out, chains + at), sums, so, out, at);
        addGroup(w, header + BYTES, FloatVector.fromArray(FLOATS, out, chains + at + LANES), sums, so, out, at + LANES);
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
    public static void addGroups(MemorySegment w, long header, float[] chains, int rows, float[] sums, int so,
            int sumsStride, float[] total) {
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

    /// total + scale · factor · (chain − constant part − zero · Σ x), with factor, constant part and Σ x from [GroupedRows#sums].
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
}
