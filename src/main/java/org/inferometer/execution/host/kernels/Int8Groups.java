package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Adds the finished chains of an INT8 group to the outputs, times the scales of weights and of rounded inputs.
public final class Int8Groups {
    /// Where FP16's sign, exponent and mantissa are after the shift in [#scale].
    private static final int HALF_BITS = 0x8FFFE000;
    private static final int HALF_SHIFT = 3;
    /// Between the exponents' biases of FP32 and FP16.
    private static final float HALF_FACTOR = 0x1p112f;

    private Int8Groups() {}

    /// total + scale · factor · chain, of one unit and several rows.
    ///
    /// @param header of the group
    /// @param chains `[rows][UNIT]` from `from` on
    /// @param sums as [GroupedRows#sums], the first row's at `so`, rows `sumsStride` apart
    /// @param total `[rows][UNIT]` from `to` on
    public static void add(MemorySegment w, long header, int group, float[] chains, int from, int rows, float[] sums,
            int so, int sumsStride, float[] total, int to) {
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = scale(ints(w, header + 4L * i), group);
            for (int row = 0; row < rows; row++) {
                int at = row * UNIT + i;
                scale.mul(sums[so + row * sumsStride + 2]).fma(FloatVector.fromArray(FLOATS, chains, from + at),
                        FloatVector.fromArray(FLOATS, total, to + at)).intoArray(total, to + at);
            }
        }
    }

    /// The scales of a group from the FP16 numbers of its block, exact also where they are subnormal.
    ///
    /// @param header that of an even group in the lower halves, of an odd one in the upper
    public static FloatVector scale(IntVector header, int group) {
        return header.lanewise(VectorOperators.LSHL, (group & 1) == 0 ? 16 : 0)
                .lanewise(VectorOperators.ASHR, HALF_SHIFT).and(HALF_BITS).reinterpretAsFloats().mul(HALF_FACTOR);
    }
}
