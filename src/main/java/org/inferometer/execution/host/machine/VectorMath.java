package org.inferometer.execution.host.machine;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The exponential and functions of it, with the same operations for vectors and single floats.
///
/// The Vector API's EXP uses different code when interpreted and when compiled, so its last bit would depend on JIT
/// compilation.
public final class VectorMath {
    private static final float LOG2_E = 1.44269504f;
    /// Adding it leaves the nearest whole number in the low mantissa bits.
    private static final float ROUNDER = 12582912f;
    /// ln 2 in two parts, the first short enough that its multiples are exact (Cody and Waite 1980).
    private static final float LN2_HIGH = 0.693359375f;
    private static final float LN2_LOW = -2.12194440e-4f;
    private static final float SMALLEST = -87f;
    private static final float LARGEST = 88f;
    private static final float C2 = 1f / 2;
    private static final float C3 = 1f / 6;
    private static final float C4 = 1f / 24;
    private static final float C5 = 1f / 120;
    private static final float C6 = 1f / 720;
    private static final float C7 = 1f / 5040;
    private static final float GELU_SCALE = 1.5957691216057308f;
    private static final float GELU_CUBIC = 0.044715f;

    private VectorMath() {}

    /// e^x within two units in the last place; x is held within −87 and 88.
    public static FloatVector exp(FloatVector x) {
        FloatVector held = x.max(SMALLEST).min(LARGEST);
        FloatVector rounded = held.fma(FloatVector.broadcast(FLOATS, LOG2_E), FloatVector.broadcast(FLOATS, ROUNDER));
        FloatVector n = rounded.sub(ROUNDER);
        FloatVector r = n.fma(FloatVector.broadcast(FLOATS, -LN2_HIGH), held);
        r = n.fma(FloatVector.broadcast(FLOATS, -LN2_LOW), r);
        FloatVector p = FloatVector.broadcast(FLOATS, C7);
        p = p.fma(r, FloatVector.broadcast(FLOATS, C6));
        p = p.fma(r, FloatVector.broadcast(FLOATS, C5));
        p = p.fma(r, FloatVector.broadcast(FLOATS, C4));
        p = p.fma(r, FloatVector.broadcast(FLOATS, C3));
        p = p.fma(r, FloatVector.broadcast(FLOATS, C2));
        FloatVector one = FloatVector.broadcast(FLOATS, 1f);
        p = p.fma(r, one).fma(r, one);
        return p.reinterpretAsInts().add(rounded.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
                .reinterpretAsFloats();
    }

    /// As the vector form, bit for bit.
    public static float exp(float x) {
        float held = Math.min(Math.max(x, SMALLEST), LARGEST);
        float rounded = Math.fma(held, LOG2_E, ROUNDER);
        float n = rounded - ROUNDER;
        float r = Math.fma(n, -LN2_LOW, Math.fma(n, -LN2_HIGH, held));
        float p = Math.fma(C7, r, C6);
        p = Math.fma(p, r, C5);
        p = Math.fma(p, r, C4);
        p = Math.fma(p, r, C3);
        p = Math.fma(p, r, C2);
        p = Math.fma(Math.fma(p, r, 1f), r, 1f);
        return Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(rounded) << 23));
    }

    /// x / (1 + e^-x).
    public static FloatVector silu(FloatVector x) {
        return x.div(exp(x.neg()).add(1f));
    }

    /// 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))), written as x·(1 − 1/(1 + e^2u)).
    public static FloatVector gelu(FloatVector x) {
        FloatVector u = x.mul(x).fma(FloatVector.broadcast(FLOATS, GELU_CUBIC), FloatVector.broadcast(FLOATS, 1f))
                .mul(x).mul(GELU_SCALE);
        FloatVector one = FloatVector.broadcast(FLOATS, 1f);
        return x.mul(one.sub(one.div(exp(u).add(1f))));
    }
}
