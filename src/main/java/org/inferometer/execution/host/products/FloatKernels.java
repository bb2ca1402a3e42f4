package org.inferometer.execution.host.products;

import static org.inferometer.execution.host.machine.Vectors.BYTES;
import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;
import static org.inferometer.execution.host.machine.Vectors.UNIT;
import static org.inferometer.execution.host.machine.Vectors.ints;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import org.inferometer.engine.Precision;
import org.inferometer.execution.host.kernels.Bf16Rounding;
import org.inferometer.execution.host.kernels.Dequantization;
import org.inferometer.execution.host.kernels.Fp8Corrections;
import org.inferometer.execution.host.kernels.Int4Groups;
import org.inferometer.execution.host.kernels.Int8Groups;
import org.inferometer.execution.host.kernels.PackedMatrix;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;

/// Converts one unit's packed weights to the blocks that [FloatProducts] multiplies with.
///
/// A block has [#WIDTH] outputs: two adjacent units. A line holds one input (FP32) or two (BF16) of each output, so a
/// unit writes every other [PackedMatrix#LINE_BYTES]. The processor's BF16 instruction adds the upper half of a word first. So the first
/// input of a pair is there, and sums run over inputs in ascending order, as those of the portable kernels. Segments are sliced so that each loop has one counter from
/// zero; see [IntegerKernels].
public final class FloatKernels {
    /// Outputs of a line.
    public static final int WIDTH = 2 * UNIT;
    /// Bytes of a line of a block.
    static final int LINE = 4 * WIDTH;

    private static final int PACKED = PackedMatrix.LINE_BYTES;
    private static final int UPPER = 0xFFFF0000;
    /// Masks of two nibbles of a word in mantissa bits, and the right rotation that puts them there.
    private static final int INT4_LOW = 0xF << 15;
    private static final int INT4_HIGH = 0xF << 19;
    private static final int INT4_TURN = 32 - 15;
    /// Exponent of 1: a nibble q becomes 1 + q/256 or 1 + q/16 without a conversion.
    private static final int ONE = 0x3F800000;
    private static final int TOP_BYTE = 24;

    private FloatKernels() {}

    /// Converts some inputs of two units' weights; zeros after the matrix's last word.
    ///
    /// @param second unit; the first once more where the matrix has none
    /// @param first of a block or a group
    /// @param inputs to fill, a multiple of 64
    static void convert(PackedMatrix matrix, int unit, int second, int first, int inputs, FloatFormat format,
            MemorySegment block) {
        if (matrix.precision() == Precision.BF16 && format == FloatFormat.BF16) {
            int firstWord = first / 2;
            int words = Math.min(inputs / 2, matrix.words() - firstWord);
            pad(block, words, inputs / 2);
            long from = (long) firstWord * PACKED;
            bf16ToPairs(words(matrix, matrix.unitOffset(unit) + from, words),
                    words(matrix, matrix.unitOffset(second) + from, words), words, block);
            return;
        }
        convert(matrix, unit, first, inputs, format, block, 0);
        convert(matrix, second, first, inputs, format, block, PACKED);
    }

    /// @param at offset of the unit's outputs in a line
    private static void convert(PackedMatrix matrix, int unit, int first, int inputs, FloatFormat format,
            MemorySegment block, int at) {
        int perWord = matrix.inputsPerWord();
        int firstWord = first / perWord;
        int words = Math.min(inputs / perWord, matrix.words() - firstWord);
        int lines = words * perWord / format.inputsPerLine();
        pad(block, lines, inputs / format.inputsPerLine());
        MemorySegment to = block.asSlice(at, (long) lines * LINE - at);
        boolean floats = format == FloatFormat.FP32;
        long from = matrix.unitOffset(unit);
        switch (matrix.precision()) {
            case BF16 -> {
                MemorySegment w = words(matrix, from + (long) firstWord * PackedMatrix.LINE_BYTES, words);
                bf16ToFloats(w, words, to);
            }
            case FP8 -> {
                if (matrix.headers() > 0) {
                    groups(matrix, unit, firstWord, words, floats, to);
                    break;
                }
                MemorySegment w = words(matrix, from + (long) firstWord * PackedMatrix.LINE_BYTES, words);
                if (floats) {
                    fp8ToFloats(w, words, to);
                } else {
                    fp8ToPairs(w, words, matrix.corrections().exact(unit), to);
                }
            }
            case INT8, INT4 -> groups(matrix, unit, firstWord, words, floats, to);
        }
    }

    private static void groups(PackedMatrix matrix, int unit, int firstWord, int words, boolean floats,
            MemorySegment to) {
        long from = matrix.unitOffset(unit);
        boolean fp8 = matrix.precision() == Precision.FP8;
        boolean int8 = matrix.precision() == Precision.INT8;
        int linesAWord = matrix.inputsPerWord() / (floats ? 1 : 2);
        int groupWords = matrix.groupWords();
        for (int word = 0; word < words; word += groupWords) {
            int count = Math.min(groupWords, words - word);
            int group = (firstWord + word) / groupWords;
            MemorySegment header = words(matrix, from + matrix.headerOffset(group), 1);
            MemorySegment w = words(matrix, from + matrix.groupOffset(group), count);
            MemorySegment lines = to.asSlice((long) word * linesAWord * LINE);
            if (fp8 && floats) {
                fp8GroupToFloats(header, w, count, lines);
            } else if (fp8) {
                fp8ToPairs(w, count, matrix.corrections().exact(unit), lines);
            } else if (int8) {
                int8Group(header, group, w, count, floats, lines);
            } else if (floats) {
                int4ToFloats(header, w, count, lines);
            } else {
                int4ToPairs(header, w, count, lines);
            }
        }
    }

    private static MemorySegment words(PackedMatrix matrix, long from, int words) {
        return matrix.lines().asSlice(from, (long) words * PackedMatrix.LINE_BYTES);
    }

    private static void pad(MemorySegment block, int lines, int count) {
        if (count > lines) {
            block.asSlice((long) lines * LINE, (long) (count - lines) * LINE).fill((byte) 0);
        }
    }

    /// BF16 words are the lines of a BF16 block, but for the order of a pair. Two units at once keep more reads in flight.
    private static void bf16ToPairs(MemorySegment a, MemorySegment b, int words, MemorySegment to) {
        for (int i = 0; i < words; i++) {
            long from = (long) i * PACKED;
            long line = (long) i * LINE;
            ints(a, from).lanewise(VectorOperators.ROL, 16).intoMemorySegment(to, line, ByteOrder.nativeOrder());
            ints(a, from + BYTES).lanewise(VectorOperators.ROL, 16).intoMemorySegment(to, line + BYTES,
                    ByteOrder.nativeOrder());
            ints(b, from).lanewise(VectorOperators.ROL, 16).intoMemorySegment(to, line + 2 * BYTES,
                    ByteOrder.nativeOrder());
            ints(b, from + BYTES).lanewise(VectorOperators.ROL, 16).intoMemorySegment(to, line + 3 * BYTES,
                    ByteOrder.nativeOrder());
        }
    }

    private static void bf16ToFloats(MemorySegment w, int words, MemorySegment to) {
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, i * PACKED);
            IntVector w1 = ints(w, i * PACKED + BYTES);
            store(to, 2 * i * LINE, w0.lanewise(VectorOperators.LSHL, 16), w1.lanewise(VectorOperators.LSHL, 16));
            store(to, (2 * i + 1) * LINE, w0.and(UPPER), w1.and(UPPER));
        }
    }

    /// Exact, without the channels' scales times [PackedMatrix#FP8_KERNEL_SCALE].
    private static void fp8ToFloats(MemorySegment w, int words, MemorySegment to) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int half = 0; half < 2; half++) {
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < 4; j++) {
                MemorySegment lines = cut(to, j, 4 * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector top = ints(codes, i * PACKED).lanewise(VectorOperators.LSHL, 8 * j);
                    Dequantization.fp8Exact(top, magnitude, exponent, sign, two, offset).intoMemorySegment(lines,
                            4 * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    /// Every number of either decoding is one of BF16.
    ///
    /// @param exact whether [Fp8Corrections] leaves the unit to the exact decoding
    static void fp8ToPairs(MemorySegment w, int words, boolean exact, MemorySegment to) {
        if (!exact) {
            fp8ToPairs(w, words, to);
            return;
        }
        for (int half = 0; half < 2; half++) {
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < 2; j++) {
                fp8ExactToPairs(codes, words, 16 * j, cut(to, j, 2 * words, half));
            }
        }
    }

    /// As [Dequantization#fp8], two codes of a word at once: halves of words are shifted and masked like whole ones.
    private static void fp8ToPairs(MemorySegment w, int words, MemorySegment to) {
        IntVector mask = IntVector.broadcast(INTS, Dequantization.FP8_MASK | Dequantization.FP8_MASK >>> 16);
        IntVector exponent =
                IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT | Dequantization.FP8_EXPONENT >>> 16);
        for (int i = 0; i < words; i++) {
            IntVector w0 = ints(w, (long) i * PACKED);
            IntVector w1 = ints(w, (long) i * PACKED + BYTES);
            for (int j = 0; j < 2; j++) {
                long line = (2L * i + j) * LINE;
                w0.and(UPPER).or(w0.lanewise(VectorOperators.LSHL, 8).lanewise(VectorOperators.LSHR, 16))
                        .reinterpretAsShorts().lanewise(VectorOperators.ASHR, 4).reinterpretAsInts()
                        .lanewise(VectorOperators.AND, mask).lanewise(VectorOperators.OR, exponent)
                        .intoMemorySegment(to, line, ByteOrder.nativeOrder());
                w1.and(UPPER).or(w1.lanewise(VectorOperators.LSHL, 8).lanewise(VectorOperators.LSHR, 16))
                        .reinterpretAsShorts().lanewise(VectorOperators.ASHR, 4).reinterpretAsInts()
                        .lanewise(VectorOperators.AND, mask).lanewise(VectorOperators.OR, exponent)
                        .intoMemorySegment(to, line + BYTES, ByteOrder.nativeOrder());
                w0 = w0.lanewise(VectorOperators.LSHL, 16);
                w1 = w1.lanewise(VectorOperators.LSHL, 16);
            }
        }
    }

    private static void fp8ExactToPairs(MemorySegment codes, int words, int up, MemorySegment lines) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int i = 0; i < words; i++) {
            IntVector top = ints(codes, i * PACKED).lanewise(VectorOperators.LSHL, up);
            IntVector next = top.lanewise(VectorOperators.LSHL, 8);
            pair(Dequantization.fp8Exact(top, magnitude, exponent, sign, two, offset).reinterpretAsInts(),
                    Dequantization.fp8Exact(next, magnitude, exponent, sign, two, offset).reinterpretAsInts())
                    .intoMemorySegment(lines, 2 * i * LINE, ByteOrder.nativeOrder());
        }
    }

    /// One FP8 group times the scales in its header: a sum over groups cannot be scaled afterwards. The products are rounded to
    /// FP32.
    private static void fp8GroupToFloats(MemorySegment header, MemorySegment w, int words, MemorySegment to) {
        IntVector magnitude = IntVector.broadcast(INTS, Dequantization.FP8_MAGNITUDE);
        IntVector exponent = IntVector.broadcast(INTS, Dequantization.FP8_EXPONENT);
        IntVector sign = IntVector.broadcast(INTS, Dequantization.SIGN);
        FloatVector two = FloatVector.broadcast(FLOATS, Dequantization.FP8_TWO);
        FloatVector offset = FloatVector.broadcast(FLOATS, Dequantization.FP8_OFFSET);
        for (int half = 0; half < 2; half++) {
            FloatVector scale = ints(header, half * BYTES).reinterpretAsFloats();
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < 4; j++) {
                MemorySegment lines = cut(to, j, 4 * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector top = ints(codes, i * PACKED).lanewise(VectorOperators.LSHL, 8 * j);
                    Dequantization.fp8Exact(top, magnitude, exponent, sign, two, offset).mul(scale)
                            .intoMemorySegment(lines, 4 * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    /// One INT8 group times its scales. FP32 holds the products exactly; BF16 rounds them, halves to even.
    ///
    /// @param header of the group's block
    private static void int8Group(MemorySegment header, int group, MemorySegment w, int words, boolean floats,
            MemorySegment to) {
        int perLine = floats ? 1 : 2;
        int linesAWord = 4 / perLine;
        for (int half = 0; half < 2; half++) {
            FloatVector scale = Int8Groups.scale(ints(header, half * BYTES), group);
            MemorySegment codes = w.asSlice(half * BYTES);
            for (int j = 0; j < linesAWord; j++) {
                MemorySegment lines = cut(to, j, linesAWord * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector word = ints(codes, i * PACKED).lanewise(VectorOperators.XOR, PackedMatrix.INT8_EVEN_BITS);
                    IntVector first = int8Value(word, TOP_BYTE - 8 * perLine * j, scale);
                    IntVector line = floats ? first : pair(Bf16Rounding.finite(first),
                            Bf16Rounding.finite(int8Value(word, TOP_BYTE - 8 * perLine * j - 8, scale)));
                    line.intoMemorySegment(lines, linesAWord * i * LINE, ByteOrder.nativeOrder());
                }
            }
        }
    }

    private static IntVector int8Value(IntVector word, int up, FloatVector scale) {
        return ((FloatVector) word.lanewise(VectorOperators.LSHL, up).lanewise(VectorOperators.ASHR, TOP_BYTE)
                .convert(VectorOperators.I2F, 0)).mul(scale).reinterpretAsInts();
    }

    /// The words of one group: scale · (code − zero point). FP32 holds it exactly: a scale has eleven significant
    /// bits, the difference four.
    private static void int4ToFloats(MemorySegment headers, MemorySegment group, int words, MemorySegment to) {
        for (int half = 0; half < 2; half++) {
            IntVector header = ints(headers, half * BYTES);
            FloatVector scale = Int4Groups.scale(header);
            FloatVector zero = Int4Groups.zeroPoint(header);
            FloatVector lowScale = scale.mul(256f);
            FloatVector lowOffset = zero.add(256f).mul(scale).neg();
            FloatVector highScale = scale.mul(16f);
            FloatVector highOffset = zero.add(16f).mul(scale).neg();
            MemorySegment codes = group.asSlice(half * BYTES);
            for (int j = 0; j < 4; j++) {
                MemorySegment lines = cut(to, 2 * j, 8 * words, half);
                for (int i = 0; i < words; i++) {
                    IntVector word = ints(codes, i * PACKED).lanewise(VectorOperators.ROR, 8 * j + INT4_TURN);
                    int line = 8 * i * LINE;
                    low(word).fma(lowScale, lowOffset).intoMemorySegment(lines, line, ByteOrder.nativeOrder());
                    high(word).fma(highScale, highOffset).intoMemorySegment(lines, line + LINE,
                            ByteOrder.nativeOrder());
                }
            }
        }
    }

    /// As [#int4ToFloats], rounded to BF16, halves to even.
    private static void int4ToPairs(MemorySegment headers, MemorySegment group, int words, MemorySegment to) {
        for (int half = 0; half < 2; half++) {
            MemorySegment codes = group.asSlice(half * BYTES);
            for (int j = 0; j < 4; j++) {
                int4ToPairs(ints(headers, half * BYTES), codes, words, j, cut(to, j, 4 * words, half));
            }
        }
    }

    /// One byte of each word. A method of its own, because with the loops around it the compiler would stop inlining.
    private static void int4ToPairs(IntVector header, MemorySegment codes, int words, int place, MemorySegment lines) {
        FloatVector scale = Int4Groups.scale(header);
        FloatVector zero = Int4Groups.zeroPoint(header);
        FloatVector lowScale = scale.mul(256f);
        FloatVector lowOffset = zero.add(256f).mul(scale).neg();
        FloatVector highScale = scale.mul(16f);
        FloatVector highOffset = zero.add(16f).mul(scale).neg();
        for (int i = 0; i < words; i++) {
            IntVector word = ints(codes, i * PACKED).lanewise(VectorOperators.ROR, 8 * place + INT4_TURN);
            IntVector even = Bf16Rounding.finite(low(word).fma(lowScale, lowOffset).reinterpretAsInts());
            IntVector odd = Bf16Rounding.finite(high(word).fma(highScale, highOffset).reinterpretAsInts());
            pair(even, odd).intoMemorySegment(lines, 4 * i * LINE, ByteOrder.nativeOrder());
        }
    }

    /// A vector's part of a block from a line on, up to the end of `count` lines of the unit.
    private static MemorySegment cut(MemorySegment to, int line, int count, int half) {
        long from = (long) line * LINE + half * BYTES;
        return to.asSlice(from, (long) (count - 1) * LINE + 2 * BYTES - from);
    }

    private static FloatVector low(IntVector word) {
        return word.lanewise(VectorOperators.AND, INT4_LOW).lanewise(VectorOperators.OR, ONE).reinterpretAsFloats();
    }

    private static FloatVector high(IntVector word) {
        return word.lanewise(VectorOperators.AND, INT4_HIGH).lanewise(VectorOperators.OR, ONE).reinterpretAsFloats();
    }

    /// The upper halves of two floats in one word; the first input in the upper half.
    private static IntVector pair(IntVector first, IntVector second) {
        return first.and(UPPER).or(second.lanewise(VectorOperators.LSHR, 16));
    }

    private static void store(MemorySegment to, long at, IntVector first, IntVector second) {
        first.intoMemorySegment(to, at, ByteOrder.nativeOrder());
        second.intoMemorySegment(to, at + BYTES, ByteOrder.nativeOrder());
    }

    /// Copies products `[rows][WIDTH]` out of native memory.
    static void takeOut(MemorySegment products, int rows, float[] out) {
        MemorySegment.copy(products, ValueLayout.JAVA_FLOAT, 0, out, 0, rows * WIDTH);
    }

    /// Adds the sums of a group of FP8, times the scales in its header, to the outputs of an item.
    ///
    /// @param second unit; the first once more where the matrix has none
    static void addScaled(MemorySegment sums, int rows, PackedMatrix matrix, int first, int second, int group,
            float[] out) {
        FloatVector scale0 = scale(matrix, first, group, 0);
        FloatVector scale1 = scale(matrix, first, group, BYTES);
        FloatVector scale2 = scale(matrix, second, group, 0);
        FloatVector scale3 = scale(matrix, second, group, BYTES);
        for (int row = 0; row < rows; row++) {
            int at = row * WIDTH;
            addScaled(sums, at, scale0, out);
            addScaled(sums, at + LANES, scale1, out);
            addScaled(sums, at + 2 * LANES, scale2, out);
            addScaled(sums, at + 3 * LANES, scale3, out);
        }
    }

    private static FloatVector scale(PackedMatrix matrix, int unit, int group, int at) {
        return FloatVector.fromMemorySegment(FLOATS, matrix.lines(),
                matrix.unitOffset(unit) + matrix.headerOffset(group) + at, ByteOrder.nativeOrder());
    }

    private static void addScaled(MemorySegment sums, int at, FloatVector scale, float[] out) {
        FloatVector.fromMemorySegment(FLOATS, sums, 4L * at, ByteOrder.nativeOrder())
                .fma(scale, FloatVector.fromArray(FLOATS, out, at)).intoArray(out, at);
    }
}
