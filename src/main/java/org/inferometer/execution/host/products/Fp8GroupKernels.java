package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.kernels.Dequantization;
import org.inferometer.execution.host.kernels.PackedMatrix;

/// Converts one FP8 group to FP32 lines of [FloatKernels], times the scales in its header: a sum over groups cannot be scaled
/// afterwards. The products are rounded to FP32.
final class Fp8GroupKernels {
    private static final int LINE = FloatKernels.LINE;
    private static final int PACKED = PackedMatrix.LINE_BYTES;

    private Fp8GroupKernels() {}

    /// @param header the group's
    /// @param w its words
    static void toFloats(MemorySegment header, MemorySegment w, int words, MemorySegment to) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int half = 0; half < 2; half++) {
            FloatVector scale = ints(header, half * BYTES).reinterpretAsFloats();
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < 4; j++) {
                MemorySegment lines = FloatKernels.cut(to, j, 4 * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector top = ints(codes, i * PACKED).lanewise(VectorOperators.LSHL, 8 * j);
                    Dequantization.fp8Exact(top, magnitude, exponent, sign, two, offset).mul(scale)
                            .intoMemorySegment(lines, 4 * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }
}
