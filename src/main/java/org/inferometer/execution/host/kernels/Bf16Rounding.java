package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.INTS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Rounds floats to BF16, halves to even.
public final class Bf16Rounding {
    private static final int UPPER = 0xFFFF0000;
    private static final int QUIET = 0x00400000;
    private static final int EXPONENT = 0x7F800000;

    private Bf16Rounding() {}

    /// Rounds `count` numbers in place. Subnormal ones become zero, as the processor's BF16 instruction takes them.
    ///
    /// @param count a multiple of a vector
    public static void round(float[] values, int from, int count) {
        for (int i = from; i < from + count; i += LANES) {
            IntVector bits = bits(FloatVector.fromArray(FLOATS, values, i)).and(UPPER);
            VectorMask<Integer> subnormal = bits.and(EXPONENT).eq(0);
            bits.blend(bits.and(Dequantization.SIGN), subnormal).reinterpretAsFloats().intoArray(values, i);
        }
    }

    /// Bits whose upper half is the rounded number; ignore the lower half. NaN stays NaN.
    public static IntVector bits(FloatVector value) {
        IntVector bits = value.reinterpretAsInts();
        return finite(bits).blend(bits.or(QUIET), value.test(VectorOperators.IS_NAN).cast(INTS));
    }

    /// The same of bits that are of no NaN.
    public static IntVector finite(IntVector bits) {
        return bits.add(bits.lanewise(VectorOperators.LSHR, 16).and(1)).add(0x7FFF);
    }
}
