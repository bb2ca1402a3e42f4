package org.inferometer.engine;

/// One weight of a model before quantisation: `[rows, columns]`, rows = 1 for vectors.
///
/// @param name its tensor name: "layers.3.attn.q.weight"
public record WeightSpec(String name, WeightRole role, int rows, int columns) {
    /// The purpose of a weight; it determines the number format and the distribution of synthetic values.
    public enum WeightRole {
        EMBEDDING, POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION,
        /// A projection whose result is added to the residual stream.
        RESIDUAL_PROJECTION, PROJECTION_BIAS, HEAD,
        /// Where each input of a place in a layer comes from; see [LayerInput].
        INPUT_ORDER
    }

    /// Whether it is a matrix in the engine's precision; all others are FP32.
    boolean quantised() {
        return switch (role) {
            case EMBEDDING, PROJECTION, RESIDUAL_PROJECTION, HEAD -> true;
            case POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION_BIAS, INPUT_ORDER -> false;
        };
    }

    /// Number of values.
    long elements() {
        return (long) rows * columns;
    }
}
