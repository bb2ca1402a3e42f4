package org.inferometer.execution.host.onednn;

import java.lang.foreign.MemorySegment;
import org.inferometer.execution.host.packed.PackedMatrix;

/// Chooses the kernel of [FloatKernels] by precision and form, and cuts the segments to what it touches.
final class FloatBlock {
    private FloatBlock() {}

    /// Widens a unit's weights of some inputs; past the matrix's last word the block gets zeros.
    ///
    /// @param first a multiple of [FloatProducts#BLOCK_INPUTS]
    /// @param inputs to fill, a multiple of 64
    /// @param at where in a line the unit's outputs lie
    static void widen(PackedMatrix matrix, int unit, int first, int inputs, FloatFormat form, MemorySegment block,
            int at) {
        int perWord = matrix.inputsPerWord();
        int firstWord = first / perWord;
        int words = Math.min(inputs / perWord, matrix.words() - firstWord);
        int lines = words * perWord / form.inputsALine();
        int padding = inputs / form.inputsALine() - lines;
        if (padding > 0) {
            block.asSlice((long) lines * FloatKernels.LINE, (long) padding * FloatKernels.LINE).fill((byte) 0);
        }
        MemorySegment to = block.asSlice(at, (long) lines * FloatKernels.LINE - at);
        boolean floats = form == FloatFormat.FP32;
        long from = matrix.unitOffset(unit);
        switch (matrix.precision()) {
            case BF16 -> {
                MemorySegment w = words(matrix, from + (long) firstWord * PackedMatrix.LINE_BYTES, words);
                if (floats) {
                    FloatKernels.bf16ToFloats(w, words, to);
                } else {
                    FloatKernels.bf16ToPairs(w, words, to);
                }
            }
            case FP8 -> {
                MemorySegment w = words(matrix, from + (long) firstWord * PackedMatrix.LINE_BYTES, words);
                if (floats) {
                    FloatKernels.fp8ToFloats(w, words, to);
                } else {
                    FloatKernels.fp8ToPairs(w, words, to);
                }
            }
            case INT4 -> int4(matrix, from, firstWord, words, floats, to);
        }
    }

    private static void int4(PackedMatrix matrix, long from, int firstWord, int words, boolean floats,
            MemorySegment to) {
        int linesAWord = floats ? 8 : 4;
        for (int word = 0; word < words; word += PackedMatrix.GROUP_WORDS) {
            int count = Math.min(PackedMatrix.GROUP_WORDS, words - word);
            int group = (firstWord + word) / PackedMatrix.GROUP_WORDS;
            long header = from + (long) group * (PackedMatrix.GROUP_WORDS + 1) * PackedMatrix.LINE_BYTES;
            MemorySegment w = words(matrix, header, count + 1);
            MemorySegment lines = to.asSlice((long) word * linesAWord * FloatKernels.LINE);
            if (floats) {
                FloatKernels.int4ToFloats(w, count, lines);
            } else {
                FloatKernels.int4ToPairs(w, count, lines);
            }
        }
    }

    private static MemorySegment words(PackedMatrix matrix, long from, int words) {
        return matrix.lines().asSlice(from, (long) words * PackedMatrix.LINE_BYTES);
    }
}
