package org.inferometer.engine;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
    ///
    /// @param order a permutation of the inputs: column i of the weight meets input `order[i]`; empty if they have their own order
    public record Linear(WeightMatrix weight, float[] bias, int[] order) {
        /// @throws IllegalArgumentException if the order has another length than the inputs
        public Linear {
            if (order.length != 0 && order.length != weight.columns()) {
                throw new IllegalArgumentException(order.length + " places for " + weight.columns() + " inputs");
            }
        }

        /// Inputs in their own order.
        public Linear(WeightMatrix weight, float[] bias) {
            this(weight, bias, IN_ORDER);
        }
    }

    /// The order of inputs that have their own.
    public static final int[] IN_ORDER = {};

    private static void requireOneOrder(Linear... sharing) {
        for (Linear each : sharing) {
            if (!Arrays.equals(each.order, sharing[0].order)) {
                throw new IllegalArgumentException("Projections of one input have it in different orders");
            }
        }
    }

    private static void requireOwnOrder(Linear down) {
        if (down.order.length > 0) {
            throw new IllegalArgumentException("The inputs of a down projection have the order of the outputs before");
        }
    }

    /// Whether a projection has its inputs in an order that is not their own.
    public boolean hasOrders() {
        return layers.stream().anyMatch(layer -> layer.query.order.length > 0 || layer.output.order.length > 0
                || layer.feedForward.up().order.length > 0);
    }

    /// One transformer block.
    ///
    /// @param queryNorm RMSNorm weight of a query head `[headDim]`, empty without head norms
    /// @param keyNorm RMSNorm weight of a key head, likewise
    public record LayerWeights(Norm attentionNorm, Linear query, Linear key, Linear value, float[] queryNorm,
            float[] keyNorm, Linear output, Norm feedForwardNorm, FeedForward feedForward) {
        /// @throws IllegalArgumentException if query, key and value have their inputs in different orders
        public LayerWeights {
            requireOneOrder(query, key, value);
        }

        /// The matrices of its maps: query, key, value, output, then those of the feed-forward part.
        public Stream<WeightMatrix> matrices() {
            return Stream.concat(Stream.of(query, key, value, output), feedForward.maps().stream()).map(Linear::weight);
        }
    }

    /// The feed-forward part of a block.
    public sealed interface FeedForward {
        /// The map whose outputs are activated, or multiplied with the activated gate.
        Linear up();

        /// All maps; down is the last.
        List<Linear> maps();

        /// down(silu(gate(x)) · up(x)).
        ///
        /// @param down with its inputs in the order of up's outputs
        record SwiGlu(Linear gate, Linear up, Linear down) implements FeedForward {
            /// @throws IllegalArgumentException if gate and up have their inputs in different orders, or down has an order
            public SwiGlu {
                requireOneOrder(gate, up);
                requireOwnOrder(down);
            }

            @Override
            public List<Linear> maps() {
                return List.of(gate, up, down);
            }
        }

        /// down(gelu(up(x))) with the tanh approximation of GELU.
        ///
        /// @param down with its inputs in the order of up's outputs
        record Gelu(Linear up, Linear down) implements FeedForward {
            /// @throws IllegalArgumentException if down has an order
            public Gelu {
                requireOwnOrder(down);
            }

            @Override
            public List<Linear> maps() {
                return List.of(up, down);
            }
        }
    }
}
