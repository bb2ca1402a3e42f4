package org.inferometer.execution.host.onednn;

import static org.inferometer.execution.host.parallel.Vectors.BYTES;
import static org.inferometer.execution.host.parallel.Vectors.FLOATS;
import static org.inferometer.execution.host.parallel.Vectors.INTS;
import static org.inferometer.execution.host.parallel.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.execution.host.packed.Dequantization;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Converts one group of FP8 or INT8 to the lines of [FloatKernels], times the scales in its header: a sum over groups cannot be
/// scaled afterwards. The products are rounded to FP32, which holds those of INT8 exactly, or to BF16, halves to even.
final class GroupKernels {
    private static final int LINE = FloatKernels.LINE;
    private static final int PACKED = PackedMatrix.LINE_BYTES;
    private static final int INT8_TOP = 24;

    private GroupKernels() {}

    /// @param header the group's
    /// @param w its words
    static void fp8(MemorySegment header, MemorySegment w, int words, boolean floats, MemorySegment to) {
        if (floats) {
            fp8ToFloats(header, w, words, to);
        } else {
            fp8ToPairs(header, w, words, to);
        }
    }

    private static void fp8ToFloats(MemorySegment header, MemorySegment w, int words, MemorySegment to) {
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

    private static void fp8ToPairs(MemorySegment header, MemorySegment w, int words, MemorySegment to) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int half = 0; half < 2; half++) {
            FloatVector scale = ints(header, half * BYTES).reinterpretAsFloats();
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < 2; j++) {
                MemorySegment lines = FloatKernels.cut(to, j, 2 * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector top = ints(codes, i * PACKED).lanewise(VectorOperators.LSHL, 16 * j);
                    IntVector next = top.lanewise(VectorOperators.LSHL, 8);
                    IntVector even = FloatKernels.rounded(Dequantization
                            .fp8Exact(top, magnitude, exponent, sign, two, offset).mul(scale).reinterpretAsInts());
                    IntVector odd = FloatKernels.rounded(Dequantization
                            .fp8Exact(next, magnitude, exponent, sign, two, offset).mul(scale).reinterpretAsInts());
                    FloatKernels.pair(even, odd).intoMemorySegment(lines, 2 * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    /// @param header of the group's block
    /// @param w the group's words
    static void int8(MemorySegment header, int group, MemorySegment w, int words, boolean floats, MemorySegment to) {
        int perLine = floats ? 1 : 2;
        int linesAWord = 4 / perLine;
        for (int half = 0; half < 2; half++) {
            FloatVector scale = Dequantization.int8Scale(ints(header, half * BYTES), group);
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < linesAWord; j++) {
                MemorySegment lines = FloatKernels.cut(to, j, linesAWord * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector word = ints(codes, i * PACKED).lanewise(VectorOperators.XOR, PackedMatrix.INT8_EVEN_BITS);
                    IntVector first = value(word, INT8_TOP - 8 * perLine * j, scale);
                    IntVector line = floats ? first : FloatKernels.pair(FloatKernels.rounded(first),
                            FloatKernels.rounded(value(word, INT8_TOP - 8 * perLine * j - 8, scale)));
                    line.intoMemorySegment(lines, linesAWord * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    private static IntVector value(IntVector word, int up, FloatVector scale) {
        return ((FloatVector) word.lanewise(VectorOperators.LSHL, up).lanewise(VectorOperators.ASHR, INT8_TOP)
                .convert(VectorOperators.I2F, 0)).mul(scale).reinterpretAsInts();
    }
}
