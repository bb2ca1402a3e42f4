package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import org.inferometer.engine.WeightMatrix;

/// Quantises rows to 4 bits, asymmetrically, in groups of 128 inputs of one row; the last group may be shorter.
///
/// For a group with min ≤ 0 ≤ max (forced): s = (max − min)/15 rounded to FP16, z = clamp(round(−min/s), 0, 15), q =
/// clamp(round(w/s) + z, 0, 15), w' = (q − z)·s. The error is at most half a step plus the rounding of s. q uses the
/// rounded scale, because readers have only that.
public final class Int4Quantiser {
    private static final int GROUP = WeightMatrix.Int4.GROUP_COLUMNS;
    private static final int LEVELS = 15;
    // Below this, FP16 has too few bits for a scale; such a group becomes zero.
    private static final float SMALLEST_SCALE = 1e-5f;
    private static final float LARGEST_HALF = 65504f;

    private Int4Quantiser() {}

    /// Replaces a row's values by those that its quantised form stands for.
    ///
    /// @throws IllegalArgumentException as [#scales]
    public static void round(float[] row) {
        for (int start = 0; start < row.length; start += GROUP) {
            QuantizedGroup group = QuantizedGroup.of(row, start);
            for (int column = start; column < Math.min(start + GROUP, row.length); column++) {
                row[column] = (group.quantised(row[column]) - group.zero) * group.scale;
            }
        }
    }

    /// Writes the FP16 scales of a row.
    ///
    /// @throws IllegalArgumentException if a value is not finite or the range of a group exceeds an FP16 scale
    static void scales(float[] row, ByteBuffer destination) {
        for (int start = 0; start < row.length; start += GROUP) {
            destination.putShort(Float.floatToFloat16(QuantizedGroup.of(row, start).scale));
        }
    }

    /// Writes the zero points of a row, one byte each.
    static void zeros(float[] row, ByteBuffer destination) {
        for (int start = 0; start < row.length; start += GROUP) {
            destination.put((byte) QuantizedGroup.of(row, start).zero);
        }
    }

    /// Writes the nibbles of a row, the even input in the low half of a byte; the half after an odd end is 0.
    static void values(float[] row, ByteBuffer destination) {
        for (int start = 0; start < row.length; start += GROUP) {
            QuantizedGroup group = QuantizedGroup.of(row, start);
            int end = Math.min(start + GROUP, row.length);
            for (int column = start; column < end; column += 2) {
                int low = group.quantised(row[column]);
                int high = column + 1 < end ? group.quantised(row[column + 1]) : 0;
                destination.put((byte) (low | high << 4));
            }
        }
    }

    private record QuantizedGroup(float scale, int zero) {
        static QuantizedGroup of(float[] row, int start) {
            float min = 0;
            float max = 0;
            int end = Math.min(start + GROUP, row.length);
            for (int column = start; column < end; column++) {
                min = Math.min(min, row[column]);
                max = Math.max(max, row[column]);
            }
            // In double, because the range of two finite floats may overflow a float.
            double range = (double) max - min;
            if (!Double.isFinite(range)) {
                throw new IllegalArgumentException("a weight is NaN or infinite");
            }
            if (range / LEVELS > LARGEST_HALF) {
                throw new IllegalArgumentException("the range of a group of weights exceeds an FP16 scale");
            }
            double wanted = Math.max(range / LEVELS, SMALLEST_SCALE);
            float scale = Float.float16ToFloat(Float.floatToFloat16((float) wanted));
            return new QuantizedGroup(scale, (int) Math.clamp(Math.rint(-min / scale), 0, LEVELS));
        }

        int quantised(float value) {
            return (int) Math.clamp(Math.rint(value / scale) + zero, 0, LEVELS);
        }
    }
}
