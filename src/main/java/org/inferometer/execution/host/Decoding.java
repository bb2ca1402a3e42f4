package org.inferometer.execution.host;

import static org.inferometer.execution.host.Vectors.INTS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Turns the words of a [PackedMatrix] into floats, one value of each lane's word at a time. All of it is exact.
final class Decoding {
    /// Inputs of INT4 products are multiplied by 16^-(k mod 4): a masked nibble is left where it lies in its half word.
    private static final float[] INT4_INPUT_SCALES = int4InputScales();

    /// The five constants of [#fp8].
    static final int FP8_MAGNITUDE = 0x07F00000;
    static final int FP8_EXPONENT = 0x38000000;
    static final int SIGN = 0x80000000;
    static final float FP8_TWO = 2f;
    static final float FP8_OFFSET = -0x1p-14f;

    private Decoding() {}

    static FloatVector bf16Low(IntVector words) {
        return words.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    static FloatVector bf16High(IntVector words) {
        return words.and(0xFFFF0000).reinterpretAsFloats();
    }

    /// The E4M3 values in the top bytes, times 2^-8; the NaN codes give ±480 · 2^-8.
    ///
    /// With a byte's seven bits put at a float's exponent and mantissa, g = (1 + m/8) · 2^(e-15) is the answer where e > 0; where
    /// e = 0 it is 2g − 2^-14. The second is smaller exactly there, so a minimum chooses, taken on the bits because Java's float
    /// minimum costs six instructions. Multiplying a subnormal float into place would be shorter, but traps to microcode.
    ///
    /// The constants come in from the caller: broadcasting them here, or keeping them in an object, overruns the compiler's
    /// inlining budget and costs a factor of five.
    static FloatVector fp8(IntVector top, IntVector magnitude, IntVector exponent, IntVector sign, FloatVector two, FloatVector offset) {
        IntVector normal = top.lanewise(VectorOperators.LSHR, 4)
                .lanewise(VectorOperators.AND, magnitude)
                .lanewise(VectorOperators.OR, exponent);
        IntVector subnormal = normal.reinterpretAsFloats().fma(two, offset).reinterpretAsInts();
        return normal.lanewise(VectorOperators.MIN, subnormal)
                .lanewise(VectorOperators.OR, top.lanewise(VectorOperators.AND, sign))
                .reinterpretAsFloats();
    }

    /// The mask of nibble `j`, for words shifted right by 16 where j > 3.
    static IntVector int4Mask(int j) {
        return IntVector.broadcast(INTS, 0xF << (4 * (j & 3)));
    }

    /// The nibble under the mask, times 16^(j mod 4).
    static FloatVector int4(IntVector words, IntVector mask) {
        return (FloatVector) words.and(mask).convert(VectorOperators.I2F, 0);
    }

    /// One vector of the factors that inputs of INT4 products carry; the pattern repeats every four inputs.
    static FloatVector int4InputScale() {
        return FloatVector.fromArray(Vectors.FLOATS, INT4_INPUT_SCALES, 0);
    }

    private static float[] int4InputScales() {
        float[] scales = new float[Vectors.LANES];
        for (int i = 0; i < scales.length; i++) {
            scales[i] = Math.scalb(1f, -4 * (i & 3));
        }
        return scales;
    }
}
