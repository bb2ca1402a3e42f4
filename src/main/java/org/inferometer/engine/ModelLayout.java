package org.inferometer.engine;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.engine.WeightSpec.WeightRole;

/// The list of all weights of a model, used for building, opening, counting and inspecting.
public final class ModelLayout {
    static final String EMBEDDING = "embed.weight";
    static final String POSITIONS = "position.weight";
    static final String FINAL_NORM = "final_norm";
    static final String HEAD = "head.weight";

    private final ModelShape shape;
    private final List<WeightSpec> weights = new ArrayList<>();

    private ModelLayout(ModelShape shape) {
        this.shape = shape;
    }

    /// All weights of a model of this shape, in the order of computation.
    public static List<WeightSpec> of(ModelShape shape) {
        ModelLayout layout = new ModelLayout(shape);
        layout.weights.add(new WeightSpec(EMBEDDING, WeightRole.EMBEDDING, shape.vocabulary(), shape.hidden()));
        if (shape.traits().learnedPositions()) {
            layout.weights.add(new WeightSpec(POSITIONS, WeightRole.POSITIONS, shape.maxPositions(), shape.hidden()));
        }
        for (int layer = 0; layer < shape.layers(); layer++) {
            layout.block(prefix(layer));
        }
        layout.norm(FINAL_NORM);
        if (!shape.tiedHead()) {
            layout.weights.add(new WeightSpec(HEAD, WeightRole.HEAD, shape.vocabulary(), shape.hidden()));
        }
        return List.copyOf(layout.weights);
    }

    /// The orders of inputs that an engine with act-order has beside its weights.
    static List<WeightSpec> inputOrders(ModelShape shape) {
        List<WeightSpec> orders = new ArrayList<>();
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (LayerInput place : LayerInput.values()) {
                LayerInput.orderName(place, prefix(layer)).ifPresent(
                        name -> orders.add(new WeightSpec(name, WeightRole.INPUT_ORDER, 1, place.width(shape))));
            }
        }
        return List.copyOf(orders);
    }

    /// Number of weights before quantisation.
    public static long parameters(ModelShape shape) {
        return of(shape).stream().mapToLong(WeightSpec::elements).sum();
    }

    /// The name prefix of a layer: "layers.3.".
    static String prefix(int layer) {
        return "layers." + layer + ".";
    }

    private void block(String prefix) {
        int hidden = shape.hidden();
        ArchitectureTraits traits = shape.traits();
        boolean qkvBias = traits.qkvBias();
        boolean bias = traits.otherBiases();
        norm(prefix + "attn_norm");
        linear(prefix + "attn.q", WeightRole.PROJECTION, shape.queryWidth(), hidden, qkvBias);
        linear(prefix + "attn.k", WeightRole.PROJECTION, shape.kvWidth(), hidden, qkvBias);
        linear(prefix + "attn.v", WeightRole.PROJECTION, shape.kvWidth(), hidden, qkvBias);
        if (traits.headNorms()) {
            weights.add(new WeightSpec(prefix + "attn.q_norm.weight", WeightRole.NORM_WEIGHT, 1, shape.headDim()));
            weights.add(new WeightSpec(prefix + "attn.k_norm.weight", WeightRole.NORM_WEIGHT, 1, shape.headDim()));
        }
        linear(prefix + "attn.o", WeightRole.RESIDUAL_PROJECTION, hidden, shape.queryWidth(), bias);
        norm(prefix + "ffn_norm");
        if (traits.mlp() == ArchitectureTraits.Mlp.SWIGLU) {
            linear(prefix + "ffn.gate", WeightRole.PROJECTION, shape.intermediate(), hidden, false);
        }
        linear(prefix + "ffn.up", WeightRole.PROJECTION, shape.intermediate(), hidden, bias);
        linear(prefix + "ffn.down", WeightRole.RESIDUAL_PROJECTION, hidden, shape.intermediate(), bias);
    }

    private void norm(String name) {
        weights.add(new WeightSpec(name + ".weight", WeightRole.NORM_WEIGHT, 1, shape.hidden()));
        if (shape.traits().norm() == ArchitectureTraits.Norm.LAYER) {
            weights.add(new WeightSpec(name + ".bias", WeightRole.NORM_BIAS, 1, shape.hidden()));
        }
    }

    private void linear(String name, WeightRole role, int rows, int columns, boolean bias) {
        weights.add(new WeightSpec(name + ".weight", role, rows, columns));
        if (bias) {
            weights.add(new WeightSpec(name + ".bias", WeightRole.PROJECTION_BIAS, 1, rows));
        }
    }
}
