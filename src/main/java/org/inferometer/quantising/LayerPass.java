package org.inferometer.quantising;

import java.util.Arrays;
import org.inferometer.engine.ArchitectureTraits;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.backend.RotaryFrequencies;

/// The parts of a layer between its products, over one window of tokens, in 32-bit floats.
///
/// Activations are `[features][tokens]`. Formulas: "Attention Is All You Need" (2017), with the norms, positions and gates of
/// the family. Thread-safe.
record LayerPass(ModelShape shape) {
    /// Normalises each token.
    ///
    /// @param bias empty for RMSNorm
    float[][] norm(float[][] x, float[] weight, float[] bias) {
        int tokens = x[0].length;
        float[] shift = new float[tokens];
        float[] squares = new float[tokens];
        if (shape.traits().norm() == ArchitectureTraits.Norm.LAYER) {
            for (float[] feature : x) {
                DenseProduct.addScaled(1f / x.length, feature, shift);
            }
        }
        for (float[] feature : x) {
            for (int t = 0; t < tokens; t++) {
                float centred = feature[t] - shift[t];
                squares[t] += centred * centred;
            }
        }
        float[] factor = new float[tokens];
        for (int t = 0; t < tokens; t++) {
            factor[t] = (float) (1 / Math.sqrt(squares[t] / x.length + shape.normEpsilon()));
        }
        float[][] normed = new float[x.length][tokens];
        for (int i = 0; i < x.length; i++) {
            float bent = bias.length == 0 ? 0 : bias[i];
            for (int t = 0; t < tokens; t++) {
                normed[i][t] = (x[i][t] - shift[t]) * factor[t] * weight[i] + bent;
            }
        }
        return normed;
    }

    /// Normalises and rotates the heads of a query or key in place; token t is at position t.
    ///
    /// @param headNorm empty without head norms
    void turn(float[][] heads, float[] headNorm) {
        int dim = shape.headDim();
        int tokens = heads[0].length;
        for (int first = 0; first < heads.length; first += dim) {
            for (int t = 0; headNorm.length > 0 && t < tokens; t++) {
                double squares = 0;
                for (int i = 0; i < dim; i++) {
                    squares += (double) heads[first + i][t] * heads[first + i][t];
                }
                double factor = 1 / Math.sqrt(squares / dim + shape.normEpsilon());
                for (int i = 0; i < dim; i++) {
                    heads[first + i][t] = (float) (heads[first + i][t] * factor * headNorm[i]);
                }
            }
            if (shape.traits().rotary()) {
                rotate(heads, first);
            }
        }
    }

    private void rotate(float[][] heads, int first) {
        int half = shape.headDim() / 2;
        RotaryFrequencies frequencies = new RotaryFrequencies(shape);
        for (int i = 0; i < half; i++) {
            double frequency = frequencies.of(i);
            float[] left = heads[first + i];
            float[] right = heads[first + half + i];
            for (int t = 0; t < left.length; t++) {
                double cosine = Math.cos(t * frequency);
                double sine = Math.sin(t * frequency);
                double before = left[t];
                left[t] = (float) (before * cosine - right[t] * sine);
                right[t] = (float) (right[t] * cosine + before * sine);
            }
        }
    }

    /// Causal attention of one query head, in the model's sliding window if it has one.
    ///
    /// @param attended receives the head's features
    void attend(int head, float[][] query, float[][] key, float[][] value, float[][] attended) {
        int dim = shape.headDim();
        int from = head * dim;
        int kvFrom = head / (shape.heads() / shape.kvHeads()) * dim;
        int tokens = query[0].length;
        float scale = (float) (1 / Math.sqrt(dim));
        for (int t = 0; t < tokens; t++) {
            float[] scores = new float[t + 1];
            for (int i = 0; i < dim; i++) {
                DenseProduct.addScaled(query[from + i][t] * scale, key[kvFrom + i], scores);
            }
            Arrays.fill(scores, 0, shape.firstAttended(t), Float.NEGATIVE_INFINITY);
            softmax(scores);
            for (int i = 0; i < dim; i++) {
                float[] values = value[kvFrom + i];
                float sum = 0;
                for (int u = 0; u <= t; u++) {
                    sum += scores[u] * values[u];
                }
                attended[from + i][t] = sum;
            }
        }
    }

    private static void softmax(float[] scores) {
        float largest = Float.NEGATIVE_INFINITY;
        for (float score : scores) {
            largest = Math.max(largest, score);
        }
        double sum = 0;
        for (int u = 0; u < scores.length; u++) {
            scores[u] = (float) Math.exp(scores[u] - largest);
            sum += scores[u];
        }
        for (int u = 0; u < scores.length; u++) {
            scores[u] = (float) (scores[u] / sum);
        }
    }

    /// The activation of one feature, in place: silu(gate)·up, or the tanh approximation of GELU.
    ///
    /// @param gate empty without a gate
    static void activate(float[] gate, float[] up) {
        for (int t = 0; t < up.length; t++) {
            double x = up[t];
            up[t] = (float) (gate.length == 0
                    ? 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)))
                    : x * gate[t] / (1 + Math.exp(-gate[t])));
        }
    }
}
