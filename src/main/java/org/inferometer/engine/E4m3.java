package org.inferometer.engine;

/// FP8 E4M3 (FN variant): 1 sign, 4 exponent (bias 7) and 3 mantissa bits, no infinities, NaN at 0x7F and 0xFF, largest 448.
///
/// Source: Micikevicius et al. 2022, "FP8 formats for deep learning".
public final class E4m3 {
    /// The largest finite value.
    public static final float MAX = 448f;

    private static final float[] VALUES = new float[256];

    static {
        for (int code = 0; code < VALUES.length; code++) {
            VALUES[code] = computed((byte) code);
        }
    }

    private E4m3() {}

    /// The value of a code.
    public static float decode(byte code) {
        return VALUES[code & 0xFF];
    }

    private static float computed(byte code) {
        int exponent = (code >> 3) & 0xF;
        int mantissa = code & 0x7;
        float magnitude;
        if (exponent == 0xF && mantissa == 0x7) {
            return Float.NaN;
        } else if (exponent == 0) {
            magnitude = mantissa * 0x1p-9f;
        } else {
            magnitude = (8 + mantissa) * Math.scalb(1f, exponent - 10);
        }
        return code < 0 ? -magnitude : magnitude;
    }

    /// The nearest code, ties to even, saturating at ±448; NaN becomes 0x7F.
    public static byte encode(float value) {
        if (Float.isNaN(value)) {
            return 0x7F;
        }
        int sign = Float.floatToRawIntBits(value) < 0 ? 0x80 : 0;
        float magnitude = Math.min(Math.abs(value), MAX);
        int exponent = Math.max(Math.getExponent(magnitude), -6);
        // One unit in the last place of this binade is 2^(exponent-3); the division is exact.
        int units = (int) Math.rint(magnitude / Math.scalb(1f, exponent - 3));
        if (units == 16) {
            units = 8;
            exponent++;
        }
        int code = units < 8 ? units : ((exponent + 7) << 3) | (units - 8);
        return (byte) (sign | code);
    }
}
