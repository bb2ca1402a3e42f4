package org.inferometer.execution.host.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// Decodes BF16 and FP8 words of a [PackedMatrix] to floats, one value per lane at a time.
public final class Dequantization {
    /// Mask and exponent of [#fp8].
    public static final int FP8_MASK = 0x87F00000;
    public static final int FP8_EXPONENT = 0x38000000;
    /// Further constants of [#fp8Exact].
    public static final int FP8_MAGNITUDE = 0x07F00000;
    public static final int SIGN = 0x80000000;
    public static final float FP8_TWO = 2f;
    public static final float FP8_OFFSET = -0x1p-14f;

    private Dequantization() {}

    public static FloatVector bf16Low(IntVector words) {
        return words.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    public static FloatVector bf16High(IntVector words) {
        return words.and(0xFFFF0000).reinterpretAsFloats();
    }

    /// The E4M3 values in the top bytes, times 2^-8, where their exponent is not zero; the NaN codes give ±480 · 2^-8.
    ///
    /// The arithmetic shift moves sign and seven bits to the float's sign, exponent and mantissa; AND and OR become one
    /// instruction. A code without exponent decodes to ±(1 + m/8) · 2^-15; [Fp8Corrections] corrects it.
    public static FloatVector fp8(IntVector top, IntVector mask, IntVector exponent) {
        return top.lanewise(VectorOperators.ASHR, 4).lanewise(VectorOperators.AND, mask)
                .lanewise(VectorOperators.OR, exponent).reinterpretAsFloats();
    }

    /// As [#fp8], for every code, in twice the instructions.
    ///
    /// With the seven bits as a float's exponent and mantissa, g = (1 + m/8) · 2^(e-15) is the value if e > 0; if e = 0
    /// it is 2g − 2^-14. The second is smaller exactly then, so a minimum selects it, taken on the bits because Java's
    /// float minimum costs six instructions. Multiplying a subnormal float would be shorter, but traps to microcode.
    ///
    /// The caller broadcasts the constants once.
    public static FloatVector fp8Exact(IntVector top, IntVector magnitude, IntVector exponent, IntVector sign,
            FloatVector two, FloatVector offset) {
        IntVector normal = top.lanewise(VectorOperators.LSHR, 4).lanewise(VectorOperators.AND, magnitude)
                .lanewise(VectorOperators.OR, exponent);
        IntVector subnormal = normal.reinterpretAsFloats().fma(two, offset).reinterpretAsInts();
        return normal.lanewise(VectorOperators.MIN, subnormal)
                .lanewise(VectorOperators.OR, top.lanewise(VectorOperators.AND, sign)).reinterpretAsFloats();
    }
}
