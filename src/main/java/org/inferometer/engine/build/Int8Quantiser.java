package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import org.inferometer.engine.WeightMatrix;

/// Quantises rows to signed 8 bits in groups of 32 inputs as llama.cpp makes Q8_0; the last group may be shorter.
///
/// d = amax/127, q = round(w · (1/d)), halves away from zero, and d is stored in FP16. So codes use the scale before its
/// rounding, and a file that llama.cpp makes of the same FP32 values has the same codes and scales.
final class Int8Quantiser {
    private static final int LARGEST = 127;
    private static final int GROUP = WeightMatrix.Int8.GROUP_COLUMNS;
    /// A double, because the next float below a half plus a half is one.
    private static final double HALF = 0.5;

    private Int8Quantiser() {}

    /// Writes a row: one code per value, and the FP16 scale of each group.
    ///
    /// @throws IllegalArgumentException if a value is not finite or too large for an FP16 scale
    static void quantise(float[] row, ByteBuffer codes, ByteBuffer scales) {
        for (int start = 0; start < row.length; start += GROUP) {
            float scale = scale(row, start);
            float inverse = scale == 0 ? 0 : 1 / scale;
            scales.putShort(Float.floatToFloat16(scale));
            for (int column = start; column < end(row, start); column++) {
                codes.put(code(row[column] * inverse));
            }
        }
    }

    /// Halves away from zero. A subnormal scale has an inverse that is not finite, and FP16 has zero for the scale.
    private static byte code(float value) {
        int whole = (int) (Math.min(Math.abs(value), LARGEST) + HALF);
        return (byte) (value < 0 ? -whole : whole);
    }

    private static float scale(float[] row, int start) {
        float largest = 0;
        for (int column = start; column < end(row, start); column++) {
            largest = Math.max(largest, Math.abs(row[column]));
        }
        float scale = largest / LARGEST;
        if (!Float.isFinite(scale)) {
            throw new IllegalArgumentException("a weight is NaN or infinite");
        }
        if (!Float.isFinite(Float.float16ToFloat(Float.floatToFloat16(scale)))) {
            throw new IllegalArgumentException("a weight exceeds what an FP16 scale of a group reaches");
        }
        return scale;
    }

    private static int end(float[] row, int start) {
        return Math.min(row.length, start + GROUP);
    }
}
