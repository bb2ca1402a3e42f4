package org.inferometer.engine.build;

import java.lang.foreign.MemorySegment;
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

    private final int groupColumns;
    private final int[] bits;
    private final int[] codes;
    private final long[] pairs;
    private final byte[] packed;

    /// For rows of some columns; holds memory for one. One thread.
    Int4Quantiser(int columns, int groupColumns) {
        this.groupColumns = groupColumns;
        packed = new byte[WeightMatrix.Int4.rowBytes(columns)];
        pairs = new long[packed.length];
        codes = new int[2 * packed.length];
        bits = new int[columns];
    }

    /// Replaces a row's values by those that its quantised form in groups of 128 stands for.
    ///
    /// @throws IllegalArgumentException as [#quantise]
    public static void round(float[] row) {
        Int4Quantiser quantiser = new Int4Quantiser(row.length, WeightMatrix.Int4.GROUP_COLUMNS);
        quantiser.readBits(row);
        for (int start = 0; start < row.length; start += quantiser.groupColumns) {
            int end = Math.min(row.length, start + quantiser.groupColumns);
            QuantizedGroup group = QuantizedGroup.of(quantiser.bits, start, end);
            group.quantise(row, start, end, quantiser.codes);
            for (int column = start; column < end; column++) {
                row[column] = (quantiser.codes[column] - group.zero) * group.scale;
            }
        }
    }

    /// Writes a row.
    ///
    /// @param nibbles receives the even input in the low half of a byte; the half after an odd end is 0
    /// @param scales receives an FP16 number for each group
    /// @param zeros receives a zero point for each group, one byte each
    /// @throws IllegalArgumentException if a value is not finite or the range of a group exceeds an FP16 scale
    void quantise(float[] row, ByteBuffer nibbles, ByteBuffer scales, ByteBuffer zeros) {
        readBits(row);
        for (int start = 0; start < row.length; start += groupColumns) {
            int end = Math.min(row.length, start + groupColumns);
            QuantizedGroup group = QuantizedGroup.of(bits, start, end);
            scales.putShort(Float.floatToFloat16(group.scale));
            zeros.put((byte) group.zero);
            group.quantise(row, start, end, codes);
        }
        pack();
        nibbles.put(packed);
    }

    /// A copy, because the compiler has vectors for loops over integers, but not for taking the bits of floats.
    private void readBits(float[] row) {
        MemorySegment.ofArray(bits).copyFrom(MemorySegment.ofArray(row));
    }

    /// Two codes in each byte, by way of longs of two codes: the compiler has vectors for that.
    private void pack() {
        MemorySegment.ofArray(pairs).copyFrom(MemorySegment.ofArray(codes));
        for (int i = 0; i < packed.length; i++) {
            packed[i] = (byte) (pairs[i] | (pairs[i] >>> (Integer.SIZE - 4)));
        }
    }

    private record QuantizedGroup(float scale, int zero) {
        /// @param bits of the row's values
        static QuantizedGroup of(int[] bits, int start, int end) {
            // As integers, positive floats keep their order, and so do negative ones without their sign.
            int max = 0;
            int min = 0;
            for (int column = start; column < end; column++) {
                int negative = bits[column] >> (Integer.SIZE - 1);
                max = Math.max(max, bits[column] & ~negative);
                min = Math.max(min, bits[column] & negative & Integer.MAX_VALUE);
            }
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

        /// Quantises the group; its quotients are at most a little over 15, so that adding [#ROUNDER] rounds them.
        void quantise(float[] row, int start, int end, int[] codes) {
            for (int column = start; column < end; column++) {
                codes[column] = Math.min(LEVELS, Math.max(0, (int) (row[column] / scale + ROUNDER - ROUNDER) + zero));
            }
        }
    }
}
