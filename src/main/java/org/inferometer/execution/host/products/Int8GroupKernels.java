package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.kernels.Bf16Rounding;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.kernels.PackedMatrix;

/// Converts one INT8 group to the lines of [FloatKernels], times its scales. FP32 holds the products exactly; BF16 rounds them,
/// halves to even.
final class Int8GroupKernels {
    private static final int LINE = FloatKernels.LINE;
    private static final int PACKED = PackedMatrix.LINE_BYTES;
    private static final int TOP = 24;

    private Int8GroupKernels() {}

    /// @param header of the group's block
    /// @param w the group's words
    static void convert(MemorySegment header, int group, MemorySegment w, int words, boolean floats, MemorySegment to) {
        int perLine = floats ? 1 : 2;
        int linesAWord = 4 / perLine;
        for (int half = 0; half < 2; half++) {
            FloatVector scale = Int8Groups.scale(ints(header, half * BYTES), group);
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < linesAWord; j++) {
                MemorySegment lines = FloatKernels.cut(to, j, linesAWord * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector word = ints(codes, i * PACKED).lanewise(VectorOperators.XOR, PackedMatrix.INT8_EVEN_BITS);
                    IntVector first = value(word, TOP - 8 * perLine * j, scale);
                    IntVector line = floats ? first : FloatKernels.pair(Bf16Rounding.finite(first),
                            Bf16Rounding.finite(value(word, TOP - 8 * perLine * j - 8, scale)));
                    line.intoMemorySegment(lines, linesAWord * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    private static IntVector value(IntVector word, int up, FloatVector scale) {
        return ((FloatVector) word.lanewise(VectorOperators.LSHL, up).lanewise(VectorOperators.ASHR, TOP)
                .convert(VectorOperators.I2F, 0)).mul(scale).reinterpretAsInts();
    }
}
