package org.inferometer.engine;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A place in a layer from which projections read their inputs. In an engine with act-order its projections have their inputs in
/// one order.
public enum LayerInput {
    /// The norm before attention.
    ATTENTION("attn.input_order", "attn.q", "attn.k", "attn.v"),
    /// What attention gives.
    ATTENDED("attn.o.input_order", "attn.o"),
    /// The norm before the feed-forward part.
    FEED_FORWARD("ffn.input_order", "ffn.gate", "ffn.up"),
    /// The activated outputs of gate and up. Their rows are stored in the order of these inputs, so that it is no tensor.
    ACTIVATED("", "ffn.down");

    private static final String WEIGHT = ".weight";

    private final String order;
    private final List<String> projections;

    LayerInput(String order, String... projections) {
        this.order = order;
        this.projections = List.of(projections);
    }

    /// The place from which a weight reads; empty if it is no matrix of a layer.
    public static Optional<LayerInput> of(WeightSpec weight) {
        return Arrays.stream(values()).filter(
                place -> place.projections.stream().anyMatch(name -> weight.name().endsWith("." + name + WEIGHT)))
                .findFirst();
    }

    /// Whether a weight is a matrix or bias whose outputs, activated, are the inputs of the down projection.
    public static boolean isActivated(WeightSpec weight) {
        return FEED_FORWARD.projections.stream().anyMatch(name -> weight.name().contains("." + name + "."));
    }

    /// The place that a stored order belongs to.
    public static Optional<LayerInput> ofOrder(WeightSpec order) {
        return Arrays.stream(values())
                .filter(place -> !place.order.isEmpty() && order.name().endsWith("." + place.order)).findFirst();
    }

    /// The tensor of the order in a layer; empty if none is stored.
    static Optional<String> orderName(LayerInput place, String prefix) {
        return place.order.isEmpty() ? Optional.empty() : Optional.of(prefix + place.order);
    }

    /// The number of inputs.
    int width(ModelShape shape) {
        return switch (this) {
            case ATTENTION, FEED_FORWARD -> shape.hidden();
            case ATTENDED -> shape.queryWidth();
            case ACTIVATED -> shape.intermediate();
        };
    }
}
