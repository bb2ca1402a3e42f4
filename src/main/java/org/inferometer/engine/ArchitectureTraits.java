package org.inferometer.engine;

/// The differences between families of decoder-only transformers.
///
/// @param norm of the residual stream; head norms are always RMSNorm
/// @param biases linear maps with a bias
/// @param headNorms whether query and key heads are normalised before RoPE
/// @param freeHeads whether the number of key/value heads and the head width are free; otherwise kvHeads = heads and
///     heads × headDim = hidden
public record ArchitectureTraits(Norm norm, Positions positions, Mlp mlp, Biases biases, boolean headNorms,
        boolean freeHeads) {
    /// The normalisation before attention, before the MLP and before the head.
    public enum Norm {
        /// x / rms(x) · w.
        RMS,
        /// (x − mean(x)) / deviation(x) · w + b.
        LAYER
    }

    /// The position encoding.
    public enum Positions {
        /// RoPE rotates pairs of each query and key head; half-split, optionally with [RopeScaling].
        ROTARY,
        /// A learned vector per position is added to the embedding.
        LEARNED
    }

    /// The feed-forward part of a block.
    public enum Mlp {
        /// Gated: down(silu(gate(x)) · up(x)).
        SWIGLU,
        /// Plain: down(gelu(up(x))), with the tanh approximation of GELU.
        GELU
    }

    /// The linear maps with a bias.
    public enum Biases {
        NONE,
        /// Query, key and value projections.
        QKV,
        /// All except the head.
        ALL
    }

    /// Whether query, key and value projections have a bias.
    public boolean qkvBias() {
        return biases != Biases.NONE;
    }

    /// Whether the output projection of attention and the MLP have biases.
    public boolean otherBiases() {
        return biases == Biases.ALL;
    }

    public boolean rotary() {
        return positions == Positions.ROTARY;
    }

    public boolean learnedPositions() {
        return positions == Positions.LEARNED;
    }
}
