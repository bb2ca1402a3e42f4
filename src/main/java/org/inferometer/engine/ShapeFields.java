package org.inferometer.engine;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.files.RequiredFields;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.inferometer.units.SizeProduct;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes the dimensions of a model in a recipe or engine file, and checks their consistency.
public final class ShapeFields {
    // Larger than any published model; products of two limits fit into a long.
    private static final int MOST_LAYERS = 1_000;
    private static final int WIDEST = 1 << 18;
    private static final int MOST_HEADS = 1 << 10;
    private static final int WIDEST_HEAD = 1 << 10;
    private static final int LARGEST_VOCABULARY = 1 << 21;
    static final int MOST_POSITIONS = 1 << 24;
    private static final long LARGEST_MATRIX = 1L << 34;
    private static final long LARGEST_POSITION_TABLE = 1L << 28;

    /// Absent without a window.
    static final String SLIDING_WINDOW = "sliding_window";
    private static final List<String> KEYS = List.of("family", "layers", "hidden", "intermediate", "heads", "kv_heads",
            "head_dim", "vocabulary", "max_positions", "tied_head", "norm_epsilon");
    private static final List<String> ROPE_KEYS =
            Stream.concat(KEYS.stream(), Stream.of("rope_theta", "rope_scaling", SLIDING_WINDOW)).toList();
    private static final List<String> SCALING_KEYS =
            List.of("factor", "low_frequency_factor", "high_frequency_factor", "original_max_positions");

    private final RequiredFields fields;

    private ShapeFields(RequiredFields fields) {
        this.fields = fields;
    }

    /// The shape; meaningless after a fault.
    public static ModelShape read(RequiredFields fields) {
        return new ShapeFields(fields).shape();
    }

    private ModelShape shape() {
        ModelFamily family = fields.constant("family", ModelFamily.class);
        boolean rope = family.traits().rotary();
        int layers = fields.count("layers", MOST_LAYERS);
        int hidden = fields.count("hidden", WIDEST);
        int intermediate = fields.count("intermediate", WIDEST);
        int heads = fields.count("heads", MOST_HEADS);
        int kvHeads = fields.count("kv_heads", MOST_HEADS);
        int headDim = fields.count("head_dim", WIDEST_HEAD);
        int vocabulary = (int) fields.whole("vocabulary", ByteTokenizer.BYTES, LARGEST_VOCABULARY);
        int maxPositions = fields.count("max_positions", MOST_POSITIONS);
        boolean tiedHead = fields.flag("tied_head");
        double normEpsilon = fields.positive("norm_epsilon");
        double ropeTheta = rope ? fields.positive("rope_theta") : 0;
        @Nullable RopeScaling scaling = rope && fields.mapping().has("rope_scaling")
                ? fields.group("rope_scaling").map(ShapeFields::scaling).orElse(null) : null;
        int window = rope && fields.mapping().has(SLIDING_WINDOW) ? fields.count(SLIDING_WINDOW, MOST_POSITIONS) : 0;
        if (window >= maxPositions) {
            fault(SLIDING_WINDOW, "\"sliding_window\" (" + window + ") must be below \"max_positions\" (" + maxPositions
                    + "); leave it out if every position sees all before it.");
        }
        fields.mapping().allowOnly(rope ? ROPE_KEYS : KEYS);
        ModelShape shape = new ModelShape(family, layers, hidden, intermediate, heads, kvHeads, headDim, vocabulary,
                maxPositions, tiedHead, ropeTheta, scaling, normEpsilon, window);
        checkHeads(shape);
        checkMatrices(shape);
        checkTraits(shape);
        return shape;
    }

    private void checkMatrices(ModelShape shape) {
        long widest = Math.max(shape.queryWidth(), Math.max(shape.intermediate(), shape.vocabulary()));
        if (SizeProduct.of(widest, shape.hidden()).orElse(Long.MAX_VALUE) > LARGEST_MATRIX) {
            fault("hidden", "The largest matrix would have more than 17 billion weights.");
        }
    }

    private void checkHeads(ModelShape shape) {
        if (shape.heads() % shape.kvHeads() != 0) {
            fault("kv_heads",
                    "\"heads\" (" + shape.heads() + ") must be a multiple of \"kv_heads\" (" + shape.kvHeads() + ").");
        }
        if (shape.traits().rotary() && shape.headDim() % 2 != 0) {
            fault("head_dim", "\"head_dim\" must be even: RoPE rotates pairs.");
        }
    }

    private void checkTraits(ModelShape shape) {
        ArchitectureTraits traits = shape.traits();
        String family = shape.family().label();
        if (!traits.freeHeads() && shape.kvHeads() != shape.heads()) {
            fault("kv_heads", family + " needs kv_heads = heads (" + shape.heads() + ").");
        }
        if (!traits.freeHeads() && shape.queryWidth() != shape.hidden()) {
            fault("head_dim", family + " needs heads × head_dim = hidden (" + shape.hidden() + "), not "
                    + shape.queryWidth() + ".");
        }
        if (traits.learnedPositions() && SizeProduct.of(shape.maxPositions(), shape.hidden())
                .orElse(Long.MAX_VALUE) > LARGEST_POSITION_TABLE) {
            fault("max_positions", "The position table would have more than 268 million values.");
        }
    }

    private void fault(String key, String sentence) {
        fields.mapping().fault(key, sentence);
    }

    private static RopeScaling scaling(RequiredFields fields) {
        RopeScaling scaling = new RopeScaling(fields.positive("factor"), fields.positive("low_frequency_factor"),
                fields.positive("high_frequency_factor"), fields.count("original_max_positions", MOST_POSITIONS));
        fields.mapping().allowOnly(SCALING_KEYS);
        if (scaling.lowFrequencyFactor() >= scaling.highFrequencyFactor()
                && fields.mapping().has("low_frequency_factor")) {
            fields.mapping().fault("high_frequency_factor",
                    "\"high_frequency_factor\" must exceed \"low_frequency_factor\".");
        }
        return scaling;
    }

    /// Writes the fields that [#read] reads.
    static void write(ModelShape shape, ObjectNode target) {
        target.put("family", shape.family().id()).put("layers", shape.layers()).put("hidden", shape.hidden())
                .put("intermediate", shape.intermediate()).put("heads", shape.heads()).put("kv_heads", shape.kvHeads())
                .put("head_dim", shape.headDim()).put("vocabulary", shape.vocabulary())
                .put("max_positions", shape.maxPositions()).put("tied_head", shape.tiedHead())
                .put("norm_epsilon", shape.normEpsilon());
        if (shape.traits().rotary()) {
            target.put("rope_theta", shape.ropeTheta());
        }
        if (shape.slidingWindow() > 0) {
            target.put(SLIDING_WINDOW, shape.slidingWindow());
        }
        shape.scaling()
                .ifPresent(scaling -> target.putObject("rope_scaling").put("factor", scaling.factor())
                        .put("low_frequency_factor", scaling.lowFrequencyFactor())
                        .put("high_frequency_factor", scaling.highFrequencyFactor())
                        .put("original_max_positions", scaling.originalMaxPositions()));
    }
}
