package org.inferometer.execution.check;

import org.inferometer.engine.E4m3;

/// Keys and values in FP8: E4M3 codes with one scale for each row, which is one position's key or value of one KV head.
///
/// The scale is the smallest power of two, from 2^-126, by which the largest magnitude of the row is at most 448. A code is
/// the element divided by the scale, which is exact, and rounded. The error of an element is at most 2^-4 of it or 2^-10 of
/// the scale, whichever is larger; 2^-10 of the scale is at most 2^-17.8 of the row's largest element.
public final class ScaledE4m3 {
    /// Exponent of 448, the largest value of a code.
    private static final int MOST_EXPONENT = 8;

    private ScaledE4m3() {}

    /// What a cache gives back of the keys or values of a position, `[kvHeads · headDim]`.
    public static double[] rounded(double[] heads, int headDim) {
        double[] rounded = new double[heads.length];
        for (int start = 0; start < heads.length; start += headDim) {
            float largest = 0;
            for (int i = start; i < start + headDim; i++) {
                largest = Math.max(largest, Math.abs((float) heads[i]));
            }
            double scale = scale(largest);
            for (int i = start; i < start + headDim; i++) {
                rounded[i] = E4m3.decode(E4m3.encode((float) (heads[i] / scale))) * scale;
            }
        }
        return rounded;
    }

    /// The scale of a row with this largest magnitude.
    static double scale(float largest) {
        int exponent = Math.max(Math.getExponent(largest) - MOST_EXPONENT, Float.MIN_EXPONENT);
        double scale = Math.scalb(1.0, exponent);
        return largest > E4m3.MAX * scale ? 2 * scale : scale;
    }
}
