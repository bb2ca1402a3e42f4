package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;

import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/// Adds the finished chains of a group of BF16 or FP8 weights to the outputs.
public final class FloatGroups {
    private FloatGroups() {}

    /// total + chain of one unit and several rows; total + scale · chain if the group has scales.
    ///
    /// @param chains `[rows][UNIT]` from `from` on
    /// @param total laid out alike, from `at` on
    public static void add(PackedMatrix matrix, int unit, int group, float[] chains, int from, int rows, float[] total,
            int at) {
        boolean scaled = matrix.headers() > 0;
        long header = matrix.unitOffset(unit) + matrix.headerOffset(group);
        for (int i = 0; i < UNIT; i += LANES) {
            FloatVector scale = scaled
                    ? FloatVector.fromMemorySegment(FLOATS, matrix.lines(), header + 4L * i, ByteOrder.nativeOrder())
                    : FloatVector.broadcast(FLOATS, 1f);
            for (int row = 0; row < rows; row++) {
                int to = at + row * UNIT + i;
                scale.fma(FloatVector.fromArray(FLOATS, chains, from + row * UNIT + i),
                        FloatVector.fromArray(FLOATS, total, to)).intoArray(total, to);
            }
        }
    }
}
