package org.inferometer.engine;

import java.util.List;

/// All weights of a model, views of the mapped file; small vectors are copied to the heap.
///
/// @param embedding `[vocabulary, hidden]`
/// @param positions learned position table `[maxPositions, hidden]`, FP32 row-major; empty `[0]` with rotary positions
/// @param head `[vocabulary, hidden]`; the same object as `embedding` if tied
public record ModelWeights(WeightMatrix embedding, float[] positions, List<LayerWeights> layers, Norm finalNorm,
        WeightMatrix head) {

    /// A normalisation: weight `[n]`; bias `[n]` for LayerNorm, empty for RMSNorm.
    public record Norm(float[] weight, float[] bias) {}

    /// A linear map y = W·x + b; bias `[rows]`, empty without one.
    public record Linear(WeightMatrix weight, float[] bias) {}

    /// One transformer block.
    ///
    /// @param queryNorm RMSNorm weight of a query head `[headDim]`, empty without head norms
    /// @param keyNorm RMSNorm weight of a key head, likewise
    public record LayerWeights(Norm attentionNorm, Linear query, Linear key, Linear value, float[] queryNorm,
            float[] keyNorm, Linear output, Norm feedForwardNorm, FeedForward feedForward) {}

    /// The feed-forward part of a block.
    public sealed interface FeedForward {
        /// down(silu(gate(x)) · up(x)).
        record SwiGlu(Linear gate, Linear up, Linear down) implements FeedForward {}

        /// down(gelu(up(x))) with the tanh approximation of GELU.
        record Gelu(Linear up, Linear down) implements FeedForward {}
    }
}
