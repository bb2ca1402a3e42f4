package org.inferometer.engine.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.inferometer.engine.files.LittleEndian;

/// Widens blocks of values to FP32, as ggml's reference does.
///
/// d is a block's FP16 scale, m its FP16 minimum. Four-bit values come in pairs: the low halves of a run of bytes first, then the high ones.
final class GgufBlocks {
    private static final int HALF = 16;

    private final MemorySegment bytes;
    private final float[] to;

    private GgufBlocks(MemorySegment bytes, float[] to) {
        this.bytes = bytes;
        this.to = to;
    }

    /// Widens the values that a segment holds.
    ///
    /// @param to as many values as the segment has
    static void widen(GgufType type, MemorySegment bytes, float[] to) {
        GgufBlocks blocks = new GgufBlocks(bytes, to);
        int count = to.length / type.blockValues();
        for (int block = 0; block < count; block++) {
            blocks.widen(type, (long) block * type.blockBytes(), block * type.blockValues());
        }
    }

    private void widen(GgufType type, long at, int first) {
        switch (type) {
            case F32 -> to[first] = bytes.get(LittleEndian.FLOAT, at);
            case F16 -> to[first] = half(at);
            case BF16 -> to[first] = Float.intBitsToFloat(bytes.get(LittleEndian.SHORT, at) << 16);
            case Q8_0 -> eightBits(at, first);
            case Q4_0 -> pairs(at + 2, first, half(at), -8, 0);
            case Q4_1 -> pairs(at + 4, first, half(at), 0, half(at + 2));
            case Q5_0 -> fiveBits(at + 2, first, half(at), -16, 0);
            case Q5_1 -> fiveBits(at + 4, first, half(at), 0, half(at + 2));
            case Q4_K -> fourOrFiveBitsK(at, first, at + 16, -1);
            case Q5_K -> fourOrFiveBitsK(at, first, at + 48, at + 16);
            case Q6_K -> sixBitsK(at, first);
        }
    }

    private float half(long at) {
        return Float.float16ToFloat(bytes.get(LittleEndian.SHORT, at));
    }

    private int unsigned(long at) {
        return Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at));
    }

    private void eightBits(long at, int first) {
        float d = half(at);
        for (int i = 0; i < 32; i++) {
            to[first + i] = d * bytes.get(ValueLayout.JAVA_BYTE, at + 2 + i);
        }
    }

    private void pairs(long at, int first, float d, int offset, float m) {
        for (int i = 0; i < HALF; i++) {
            int pair = unsigned(at + i);
            to[first + i] = d * ((pair & 15) + offset) + m;
            to[first + HALF + i] = d * ((pair >> 4) + offset) + m;
        }
    }

    /// The fifth bits of all 32 values come first, as one number.
    private void fiveBits(long at, int first, float d, int offset, float m) {
        int fifth = bytes.get(LittleEndian.INT, at);
        for (int i = 0; i < HALF; i++) {
            int pair = unsigned(at + 4 + i);
            to[first + i] = d * (((pair & 15) | (fifth >>> i & 1) << 4) + offset) + m;
            to[first + HALF + i] = d * (((pair >> 4) | (fifth >>> (i + HALF) & 1) << 4) + offset) + m;
        }
    }

    /// 256 values in 8 groups of 32 with six-bit scales and minima of their own.
    ///
    /// @param fifths bytes with the fifth bits; −1 for values of four bits
    private void fourOrFiveBitsK(long at, int first, long pairs, long fifths) {
        float d = half(at);
        float least = half(at + 2);
        for (int group = 0; group < 8; group++) {
            float scale = d * sixBits(at + 4, group, false);
            float minimum = least * sixBits(at + 4, group, true);
            for (int i = 0; i < 32; i++) {
                int pair = unsigned(pairs + group / 2 * 32 + i);
                int value = group % 2 == 0 ? pair & 15 : pair >> 4;
                value += fifths < 0 ? 0 : (unsigned(fifths + i) >> group & 1) << 4;
                to[first + group * 32 + i] = scale * value - minimum;
            }
        }
    }

    /// Scales and minima of 8 groups in 12 bytes: those of the first four groups in six bits of a byte, the others in pieces.
    private int sixBits(long at, int group, boolean minimum) {
        int shift = minimum ? 4 : 0;
        if (group < 4) {
            return unsigned(at + group + shift) & 63;
        }
        int low = unsigned(at + group + 4) >> shift & 15;
        return low | unsigned(at + group - 4 + shift) >> 6 << 4;
    }

    /// 256 values in two halves: low four bits, then high two bits, then 16 signed scales.
    private void sixBitsK(long at, int first) {
        float d = half(at + 208);
        for (int i = 0; i < 256; i++) {
            int part = i / 128;
            int quarter = i % 128 / 32;
            int lane = i % 32;
            int pair = unsigned(at + part * 64 + quarter % 2 * 32 + lane);
            int low = quarter < 2 ? pair & 15 : pair >> 4;
            int high = unsigned(at + 128 + part * 32 + lane) >> (2 * quarter) & 3;
            int scale = bytes.get(ValueLayout.JAVA_BYTE, at + 192 + i / HALF);
            to[first + i] = d * scale * ((low | high << 4) - 32);
        }
    }
}
