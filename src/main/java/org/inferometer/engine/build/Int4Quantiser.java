package org.inferometer.engine.build;

import java.nio.ByteBuffer;
import org.inferometer.engine.WeightMatrix;

/// Quantises rows to 4 bits, asymmetrically, in groups of inputs of one row; the last group may be shorter.
///
/// For a group with min ≤ 0 ≤ max (forced): s = (max − min)/15 rounded to FP16, z = clamp(round(−min/s), 0, 15), q =
/// clamp(round(w/s) + z, 0, 15), w' = (q − z)·s. The error is at most half a step plus the rounding of s. q uses the
/// rounded scale, because readers have only that.
public final class Int4Quantiser {
    private static final int LEVELS = 15;
    // Below this, FP16 has too few bits for a scale; such a group becomes zero.
    private static final float SMALLEST_SCALE = 1e-5f;
    private static final float LARGEST_HALF = 65504f;
    private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
    /// Floats around it are whole numbers: adding and subtracting it rounds small ones to the nearest, ties to even.
    private static final float ROUNDER = 0x1.8p23f;

    private Int4Quantiser() {}

    /// Replaces a row's values by those that its quantised form in groups of 128 stands for.
    ///
    /// @throws IllegalArgumentException as [#scales]
    public static void round(float[] row) {
        int columns = WeightMatrix.Int4.GROUP_COLUMNS;
        int[] codes = new int[columns];
        for (int start = 0; start < row.length; start += columns) {
            QuantizedGroup group = QuantizedGroup.of(row, start, columns);
            int length = group.quantise(row, start, codes);
            for (int i = 0; i < length; i++) {
                row[start + i] = (codes[i] - group.zero) * group.scale;
            }
        }
    }

    /// Writes the FP16 scales of a row.
    ///
    /// @throws IllegalArgumentException if a value is not finite or the range of a group exceeds an FP16 scale
    static void scales(float[] row, int groupColumns, ByteBuffer destination) {
        for (int start = 0; start < row.length; start += groupColumns) {
            destination.putShort(Float.floatToFloat16(QuantizedGroup.of(row, start, groupColumns).scale));
        }
    }

    /// Writes the zero points of a row, one byte each.
    static void zeros(float[] row, int groupColumns, ByteBuffer destination) {
        for (int start = 0; start < row.length; start += groupColumns) {
            destination.put((byte) QuantizedGroup.of(row, start, groupColumns).zero);
        }
    }

    /// Writes the nibbles of a row, the even input in the low half of a byte; the half after an odd end is 0.
    static void values(float[] row, int groupColumns, ByteBuffer destination) {
        values(row, groupColumns, destination, ByteBuffer.allocate(Math.ceilDiv(row.length, groupColumns)));
    }

    /// As the other, and the zero points as [#zeros] writes them.
    static void values(float[] row, int groupColumns, ByteBuffer destination, ByteBuffer zeros) {
        int[] codes = new int[groupColumns];
        byte[] nibbles = new byte[WeightMatrix.Int4.rowBytes(row.length)];
        for (int start = 0; start < row.length; start += groupColumns) {
            QuantizedGroup group = QuantizedGroup.of(row, start, groupColumns);
            zeros.put((byte) group.zero);
            int length = group.quantise(row, start, codes);
            int to = start / 2;
            for (int pair = 0; pair < length / 2; pair++) {
                nibbles[to + pair] = (byte) (codes[2 * pair] | codes[2 * pair + 1] << 4);
            }
            if (length % 2 == 1) {
                nibbles[to + length / 2] = (byte) codes[length - 1];
            }
        }
        destination.put(nibbles);
    }

    private record QuantizedGroup(float scale, int zero) {
        static QuantizedGroup of(float[] row, int start, int groupColumns) {
            // As integers, positive floats keep their order and negative ones are negative; two chains hide the latency of max.
            int max = 0;
            int min = 0;
            int nextMax = 0;
            int nextMin = 0;
            int end = Math.min(start + groupColumns, row.length);
            int column = start;
            for (; column + 1 < end; column += 2) {
                int bits = Float.floatToRawIntBits(row[column]);
                int next = Float.floatToRawIntBits(row[column + 1]);
                max = Math.max(max, bits);
                min = Math.max(min, bits ^ Integer.MIN_VALUE);
                nextMax = Math.max(nextMax, next);
                nextMin = Math.max(nextMin, next ^ Integer.MIN_VALUE);
            }
            if (column < end) {
                int bits = Float.floatToRawIntBits(row[column]);
                max = Math.max(max, bits);
                min = Math.max(min, bits ^ Integer.MIN_VALUE);
            }
            max = Math.max(max, nextMax);
            min = Math.max(min, nextMin);
            if (Math.max(max, min) >= INFINITE) {
                throw new IllegalArgumentException("a weight is NaN or infinite");
            }
            return of(-Float.intBitsToFloat(min), Float.intBitsToFloat(max));
        }

        private static QuantizedGroup of(float min, float max) {
            // In double, because the range of two finite floats may overflow a float.
            double range = (double) max - min;
            if (range / LEVELS > LARGEST_HALF) {
                throw new IllegalArgumentException("the range of a group of weights exceeds an FP16 scale");
            }
            double wanted = Math.max(range / LEVELS, SMALLEST_SCALE);
            float scale = Float.float16ToFloat(Float.floatToFloat16((float) wanted));
            return new QuantizedGroup(scale, (int) Math.clamp(Math.rint(-min / scale), 0, LEVELS));
        }

        /// Quantises the group that begins at a column; its quotients are at most a little over 15, so that adding [#ROUNDER] rounds them.
        ///
        /// @param codes as many as a whole group has
        /// @return its length
        int quantise(float[] row, int start, int[] codes) {
            int length = Math.min(codes.length, row.length - start);
            for (int i = 0; i < length; i++) {
                codes[i] = Math.min(LEVELS, Math.max(0, (int) (row[start + i] / scale + ROUNDER - ROUNDER) + zero));
            }
            return length;
        }
    }
}
