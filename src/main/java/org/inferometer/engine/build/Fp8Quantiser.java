package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import org.inferometer.engine.E4m3;

/// Quantises rows to FP8 E4M3 with one scale per output channel, or for each group of its inputs; the largest magnitude
/// becomes 448.
public final class Fp8Quantiser {
    private static final int FLOAT_BIAS = 127;
    private static final int E4M3_BIAS = 7;
    private static final int DROPPED_BITS = 23 - 3;
    private static final float SMALLEST_NORMAL = 0x1p-6f;
    // Adding 2^14 to a value below 2^-6 leaves its multiple of 2^-9 in the last bits, rounded to nearest even.
    private static final float SUBNORMAL_ROUNDER = 0x1p14f;

    private Fp8Quantiser() {}

    /// Writes a row: one E4M3 code per value, and the FP32 scale of each group.
    ///
    /// @param groupColumns inputs of a group; 0 for the whole row
    /// @throws IllegalArgumentException if a value is not finite
    static void quantise(float[] row, int groupColumns, ByteBuffer codes, ByteBuffer scales) {
        int width = groupColumns == 0 ? row.length : groupColumns;
        for (int from = 0; from < row.length; from += width) {
            int end = Math.min(row.length, from + width);
            float scale = scale(row, from, end);
            scales.putFloat(scale);
            for (int column = from; column < end; column++) {
                codes.put(code(row[column] / scale));
            }
        }
    }

    /// The scale of a group: amax / 448; 1 for zeros; large enough that a division by it does not overflow.
    private static float scale(float[] row, int from, int end) {
        float largest = 0;
        for (int column = from; column < end; column++) {
            largest = Math.max(largest, Math.abs(row[column]));
        }
        if (!Float.isFinite(largest)) {
            throw new IllegalArgumentException("a weight is NaN or infinite");
        }
        return largest == 0 ? 1 : Math.max(largest / E4m3.MAX, Float.MIN_NORMAL);
    }

    /// Equals [E4m3#encode(float)] except for NaN, in a few integer operations.
    public static byte code(float value) {
        int bits = Float.floatToRawIntBits(value);
        float magnitude = Math.abs(value);
        int code;
        if (magnitude < SMALLEST_NORMAL) {
            code = Float.floatToRawIntBits(magnitude + SUBNORMAL_ROUNDER) - Float.floatToRawIntBits(SUBNORMAL_ROUNDER);
        } else {
            int unsigned = Float.floatToRawIntBits(Math.min(magnitude, E4m3.MAX));
            int halfMinusOne = (1 << (DROPPED_BITS - 1)) - 1;
            int rounded = unsigned + halfMinusOne + ((unsigned >>> DROPPED_BITS) & 1);
            code = (rounded >>> DROPPED_BITS) - ((FLOAT_BIAS - E4M3_BIAS) << 3);
        }
        return (byte) (code | ((bits >>> 24) & 0x80));
    }
}
