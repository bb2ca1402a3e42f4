package org.inferometer.quantising;

import java.nio.ByteBuffer;
import java.security.MessageDigest;

/// What becomes of one weight before it is rounded: its columns are scaled, its groups cut, its rows divided.
///
/// Written by the search, then only read.
final class AwqChange {
    private static final float[] NONE = {};

    /// `[columns]`, or empty.
    private float[] scales = NONE;
    /// `[groups of all rows]`, or empty.
    private float[][] clips = {};
    /// `[rows]` of a matrix, `[columns]` of a vector, or empty.
    private float[] divisors = NONE;

    void scale(float[] byColumn) {
        scales = byColumn;
    }

    void clip(float[][] byRow) {
        clips = byRow;
    }

    /// Undoes, in the weight whose outputs are read, what was done to the columns of their readers.
    void divide(float[] byOutput) {
        divisors = byOutput;
    }

    /// Hashes all of it.
    void describe(MessageDigest digest) {
        describe(digest, scales);
        describe(digest, divisors);
        for (float[] row : clips) {
            describe(digest, row);
        }
    }

    private static void describe(MessageDigest digest, float[] values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + values.length * Float.BYTES).putInt(values.length);
        for (float value : values) {
            bytes.putFloat(value);
        }
        digest.update(bytes.flip());
    }

    void apply(int row, boolean vector, float[] values) {
        for (int column = 0; column < values.length; column++) {
            float value = scales.length == 0 ? values[column] : values[column] * scales[column];
            if (clips.length > 0) {
                value = RowSearch.clipped(value, column, clips[row]);
            }
            values[column] = divisors.length == 0 ? value : value / divisors[vector ? column : row];
        }
    }
}
