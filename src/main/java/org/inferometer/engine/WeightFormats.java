package org.inferometer.engine;

/// The number formats of an engine's matrices.
///
/// @param projections of the layers; names the engine
/// @param tables of the embedding and the output head, which quantised checkpoints mostly leave in 16 bits
public record WeightFormats(Precision projections, Precision tables) {
    /// One format for all matrices.
    public static WeightFormats all(Precision precision) {
        return new WeightFormats(precision, precision);
    }

    /// The format of a matrix.
    Precision of(WeightSpec.WeightRole role) {
        return switch (role) {
            case EMBEDDING, HEAD -> tables;
            case PROJECTION, RESIDUAL_PROJECTION -> projections;
            case POSITIONS, NORM_WEIGHT, NORM_BIAS, PROJECTION_BIAS ->
                throw new IllegalArgumentException(role + " is FP32");
        };
    }

    /// Whether all matrices have one format.
    public boolean areEqual() {
        return projections == tables;
    }
}
