package org.inferometer.engine;

/// bfloat16: the upper half of an IEEE 754 single.
public final class Bfloat16 {
    private Bfloat16() {}

    /// The value of a code; exact.
    public static float decode(short code) {
        return Float.intBitsToFloat(code << 16);
    }

    /// The nearest number that has a code, as [#encode].
    public static double rounded(double value) {
        return decode(encode((float) value));
    }

    /// The nearest code, ties to even; NaN stays NaN.
    public static short encode(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | 0x40);
        }
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }
}
