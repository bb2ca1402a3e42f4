package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.LANES;
import static org.inferometer.execution.host.parallel.Vectors.UNIT;
import static org.inferometer.execution.host.parallel.Vectors.ints;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import org.inferometer.execution.host.packed.Dequantization;

/// Adds the finished chains of an INT8 group to the outputs, times the scales of weights and of rounded inputs.
final class Int8Groups {
    private Int8Groups() {}

    /// total + scale · factor · chain, of one unit and several rows.
    ///
    /// @param header of the group
    /// @param chains `[rows][UNIT]` from `from` on
    /// @param sums as [ActivationRows#sums], the first row's at `so`, rows `sumsStride` apart
    /// @param total `[rows][UNIT]` from `to` on
    static void add(MemorySegment w, long header, int group, float[] chains, int from, int rows, float[] sums, int so,
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
}
