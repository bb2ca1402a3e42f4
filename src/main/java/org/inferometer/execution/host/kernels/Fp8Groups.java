package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.kernels.Vectors.FLOATS;
import static org.inferometer.execution.host.kernels.Vectors.LANES;
import static org.inferometer.execution.host.kernels.Vectors.UNIT;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/// Adds the finished chains of an FP8 group, times the scales in its header, to the outputs.
final class Fp8Groups {
    private Fp8Groups() {}

    /// total + scale · chain, of one unit and several rows.
    ///
    /// @param header of the group
    /// @param chains `[rows][UNIT]` from `at` on
    /// @param total laid out alike
    static void add(MemorySegment w, long header, float[] chains, int rows, float[] total, int at) {
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = FloatVector.fromMemorySegment(FLOATS, w, header + 4L * i, ByteOrder.nativeOrder());
            for (int row = 0; row < rows; row++) {
                int to = at + row * UNIT + i;
                scale.fma(FloatVector.fromArray(FLOATS, chains, to), FloatVector.fromArray(FLOATS, total, to))
                        .intoArray(total, to);
            }
        }
    }
}
