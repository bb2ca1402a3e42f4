package org.inferometer.execution.host.kernels;

import static org.inferometer.execution.host.machine.Vectors.FLOATS;
import static org.inferometer.execution.host.machine.Vectors.LANES;

import jdk.incubator.vector.FloatVector;
import org.inferometer.execution.host.machine.Vectors;

/// RMSNorm and LayerNorm of one row in FP32.
public final class NormKernels {
    private NormKernels() {}

    /// `to[..n)` = x · weight / √(mean(x²) + ε); `from` and `to` may be the same place.
    public static void rms(float[] from, int fo, int n, float[] weight, double epsilon, float[] to, int at,
            float[] spill) {
        double mean = (double) sumOfSquares(from, fo, n, 0f, spill) / n;
        float factor = (float) (1 / Math.sqrt(mean + epsilon));
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            FloatVector.fromArray(FLOATS, from, fo + k).mul(factor).mul(FloatVector.fromArray(FLOATS, weight, k))
                    .intoArray(to, at + k);
        }
        for (; k < n; k++) {
            to[at + k] = from[fo + k] * factor * weight[k];
        }
    }

    /// `to[..n)` = (x − mean) · weight / √(variance + ε) + bias.
    public static void layer(float[] from, int fo, int n, float[] weight, float[] bias, double epsilon, float[] to,
            int at, float[] spill) {
        float mean = sum(from, fo, n, spill) / n;
        double variance = (double) sumOfSquares(from, fo, n, mean, spill) / n;
        float factor = (float) (1 / Math.sqrt(variance + epsilon));
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            FloatVector centred = FloatVector.fromArray(FLOATS, from, fo + k).sub(mean).mul(factor);
            centred.fma(FloatVector.fromArray(FLOATS, weight, k), FloatVector.fromArray(FLOATS, bias, k)).intoArray(to,
                    at + k);
        }
        for (; k < n; k++) {
            to[at + k] = Math.fma((from[fo + k] - mean) * factor, weight[k], bias[k]);
        }
    }

    public static float sum(float[] from, int fo, int n, float[] spill) {
        FloatVector lanes = FloatVector.zero(FLOATS);
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            lanes = lanes.add(FloatVector.fromArray(FLOATS, from, fo + k));
        }
        float sum = Vectors.orderedSum(lanes, spill);
        for (; k < n; k++) {
            sum += from[fo + k];
        }
        return sum;
    }

    private static float sumOfSquares(float[] from, int fo, int n, float centre, float[] spill) {
        FloatVector lanes = FloatVector.zero(FLOATS);
        int k = 0;
        for (; k + LANES <= n; k += LANES) {
            FloatVector x = FloatVector.fromArray(FLOATS, from, fo + k).sub(centre);
            lanes = x.fma(x, lanes);
        }
        float sum = Vectors.orderedSum(lanes, spill);
        for (; k < n; k++) {
            float x = from[fo + k] - centre;
            sum = Math.fma(x, x, sum);
        }
        return sum;
    }
}
