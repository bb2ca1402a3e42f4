package org.inferometer.engine;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The dimensions of a decoder-only transformer.
///
/// @param hidden width of the residual stream
/// @param intermediate width of the feed-forward layer
/// @param heads query heads
/// @param kvHeads key/value heads; divides `heads`
/// @param headDim width of one head; heads × headDim may differ from `hidden`
/// @param tiedHead whether the output head is the embedding matrix
/// @param ropeTheta RoPE base; 0 with learned positions
/// @param ropeScaling absent for unscaled RoPE
/// @param slidingWindow positions that each position attends to in every layer, itself and those before it; 0 for all
public record ModelShape(ModelFamily family, int layers, int hidden, int intermediate, int heads, int kvHeads,
        int headDim, int vocabulary, int maxPositions, boolean tiedHead, double ropeTheta,
        @Nullable RopeScaling ropeScaling, double normEpsilon, int slidingWindow) {

    /// A shape whose positions attend to all before them.
    public ModelShape(ModelFamily family, int layers, int hidden, int intermediate, int heads, int kvHeads, int headDim,
            int vocabulary, int maxPositions, boolean tiedHead, double ropeTheta, @Nullable RopeScaling ropeScaling,
            double normEpsilon) {
        this(family, layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary, maxPositions, tiedHead,
                ropeTheta, ropeScaling, normEpsilon, 0);
    }

    /// The same with a sliding window.
    public ModelShape withSlidingWindow(int positions) {
        return new ModelShape(family, layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary, maxPositions,
                tiedHead, ropeTheta, ropeScaling, normEpsilon, positions);
    }

    /// The first position that a position attends to.
    public int firstAttended(int position) {
        return slidingWindow == 0 ? 0 : Math.max(0, position + 1 - slidingWindow);
    }

    /// The architecture of its family.
    public ArchitectureTraits traits() {
        return family.traits();
    }

    /// Llama-3 scaling, if the shape has it.
    public Optional<RopeScaling> scaling() {
        return Optional.ofNullable(ropeScaling);
    }

    /// Width of all query heads together.
    public int queryWidth() {
        return heads * headDim;
    }

    /// Width of all key (or value) heads together.
    public int kvWidth() {
        return kvHeads * headDim;
    }

    /// Width of queries, keys and values together.
    public int queryKeyValueWidth() {
        return queryWidth() + 2 * kvWidth();
    }

    /// KV elements per position, over all layers.
    public long kvElementsPerToken() {
        return 2L * layers * kvWidth();
    }

    /// Llama-3's scaling of RoPE frequencies for contexts longer than the training length.
    ///
    /// With wavelength w = 2π/f and L = originalMaxPositions: w < L/highFrequencyFactor keeps f; w > L/lowFrequencyFactor gives
    /// f/factor; between, t = (L/w − low)/(high − low) and f' = (1−t)·f/factor + t·f (Llama 3.1 reference code).
    public record RopeScaling(double factor, double lowFrequencyFactor, double highFrequencyFactor,
            int originalMaxPositions) {}
}
