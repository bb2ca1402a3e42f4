package org.inferometer.engine.checkpoint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.engine.LayerInput;
import org.inferometer.engine.ModelWeights;
import org.inferometer.engine.WeightSpec;

/// The orders of inputs in which the groups of a checkpoint with act-order are adjacent. Projections that share their inputs share
/// an order: that of the first whose groups an engine can keep.
final class InputOrders {
    private final Map<Key, int[]> byInput = new HashMap<>();

    /// @param layer "3"
    private record Key(String layer, LayerInput input) {}

    /// @param weights all of the model, in their order
    /// @param quantised those that the checkpoint has quantised
    /// @param groupColumns inputs of the engine's groups
    static InputOrders of(List<WeightSpec> weights, Map<WeightSpec, QuantisedMatrix> quantised, int groupColumns) {
        InputOrders orders = new InputOrders();
        for (WeightSpec weight : weights) {
            QuantisedMatrix matrix = quantised.get(weight);
            Optional<Key> key = matrix == null ? Optional.empty() : key(weight);
            if (matrix != null && key.isPresent() && !orders.byInput.containsKey(key.get())) {
                int[] order = matrix.groupOrder();
                if (order.length > 0 && matrix.isKept(groupColumns, order)) {
                    orders.byInput.put(key.get(), order);
                }
            }
        }
        return orders;
    }

    private static Optional<Key> key(WeightSpec weight) {
        return LayerInput.of(weight).map(input -> new Key(layer(weight), input));
    }

    private static String layer(WeightSpec weight) {
        return weight.name().split("\\.", 3)[1];
    }

    boolean isEmpty() {
        return byInput.isEmpty();
    }

    /// Whether an engine has an order that the rows of no matrix take up.
    boolean areStored() {
        return byInput.keySet().stream().anyMatch(key -> key.input != LayerInput.ACTIVATED);
    }

    /// The order of a matrix's inputs; empty for their own.
    int[] ofInputs(WeightSpec weight) {
        return key(weight).map(key -> byInput.getOrDefault(key, ModelWeights.IN_ORDER)).orElse(ModelWeights.IN_ORDER);
    }

    /// The order of the outputs of a matrix or bias: that of the inputs that they become. Empty for their own.
    int[] ofOutputs(WeightSpec weight) {
        return LayerInput.isActivated(weight)
                ? byInput.getOrDefault(new Key(layer(weight), LayerInput.ACTIVATED), ModelWeights.IN_ORDER)
                : ModelWeights.IN_ORDER;
    }

    /// The order that an engine stores, also where it is the inputs' own.
    ///
    /// @param stored a weight of the role [WeightSpec.WeightRole#INPUT_ORDER]
    int[] of(WeightSpec stored) {
        int[] order = LayerInput.ofOrder(stored)
                .map(input -> byInput.getOrDefault(new Key(layer(stored), input), ModelWeights.IN_ORDER))
                .orElse(ModelWeights.IN_ORDER);
        return order.length == 0 ? IntStream.range(0, stored.columns()).toArray() : order;
    }
}
