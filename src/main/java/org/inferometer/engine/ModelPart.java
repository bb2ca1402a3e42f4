package org.inferometer.engine;

/// A part of a model.
public enum ModelPart {
    EMBEDDING("embedding"), ATTENTION("attention"), FEED_FORWARD("feed-forward"), NORMS("norms"), HEAD("output head");

    private final String label;

    ModelPart(String label) {
        this.label = label;
    }

    /// For people: "feed-forward".
    public String label() {
        return label;
    }

    static ModelPart of(WeightSpec weight) {
        return switch (weight.role()) {
            case EMBEDDING, POSITIONS -> EMBEDDING;
            case HEAD -> HEAD;
            case NORM_WEIGHT, NORM_BIAS -> NORMS;
            case PROJECTION, RESIDUAL_PROJECTION, PROJECTION_BIAS, INPUT_ORDER ->
                weight.name().contains(".attn.") ? ATTENTION : FEED_FORWARD;
        };
    }
}
