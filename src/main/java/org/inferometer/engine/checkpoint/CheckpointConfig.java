package org.inferometer.engine.checkpoint;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelShape.RopeScaling;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.tokenizer.ByteTokenizer;
import org.jspecify.annotations.Nullable;

/// The model that a checkpoint's `config.json` describes.
///
/// Only what this program computes exactly is taken; anything else is refused by name.
final class CheckpointConfig {
    static final String FILE = "config.json";

    private static final String MISTRAL = "mistral";
    /// `model_type` of each family. Mistral is Llama, with a sliding window or without.
    private static final Map<String, ModelFamily> FAMILIES = Map.of("llama", ModelFamily.LLAMA, MISTRAL,
            ModelFamily.LLAMA, "qwen2", ModelFamily.QWEN2, "qwen3", ModelFamily.QWEN3, "gpt2", ModelFamily.GPT2);
    // Larger than any published model, as in recipes.
    private static final int MOST_LAYERS = 1_000;
    private static final int WIDEST = 1 << 18;
    private static final int MOST_HEADS = 1 << 10;
    private static final int LARGEST_VOCABULARY = 1 << 21;
    private static final int MOST_POSITIONS = 1 << 24;
    private static final String SLIDING_WINDOW = "sliding_window";
    /// From which layer on Qwen models without this field have their window.
    private static final int STANDARD_FULL_LAYERS = 28;
    private static final double STANDARD_EPSILON = 1e-5;
    private static final double LLAMA_EPSILON = 1e-6;
    private static final double STANDARD_THETA = 10_000;

    private final Path file;
    private final ConfigFields fields;
    private final ConfigFields root;
    private final String type;
    private final ModelFamily family;

    private CheckpointConfig(Path file, ConfigFields fields, ConfigFields root, String type, ModelFamily family) {
        this.type = type;
        this.file = file;
        this.root = root;
        this.fields = fields;
        this.family = family;
    }

    /// Reads the shape of a checkpoint.
    ///
    /// @throws EngineFormatException with everything that is wrong or not supported
    static ModelShape read(Path folder) throws EngineFormatException {
        Path file = CheckpointFolder.file(folder, FILE).orElse(folder.resolve(FILE));
        ConfigFields root = ConfigFields.read(file);
        // Multimodal models nest their language model.
        ConfigFields fields =
                root.has("hidden_size") || root.has("n_embd") ? root : root.group("text_config").orElse(root);
        String type = fields.text("model_type").or(() -> root.text("model_type")).orElse("");
        ModelFamily family = FAMILIES.get(type);
        if (family == null) {
            throw new EngineFormatException(file,
                    type.isEmpty() ? "It names no model_type." : OtherArchitectures.sentence(type),
                    "Supported: llama, mistral, qwen2, qwen3, gpt2.");
        }
        return new CheckpointConfig(file, fields, root, type, family).shape();
    }

    private ModelShape shape() throws EngineFormatException {
        ModelShape shape = family == ModelFamily.GPT2 ? gpt2() : rotary();
        if (!fields.faults().isEmpty()) {
            throw new EngineFormatException(file, String.join(" ", fields.faults()), "Give another checkpoint.");
        }
        return shape;
    }

    private ModelShape gpt2() {
        refuseUnless("activation_function", "gelu_new", "gelu_new", "gelu_pytorch_tanh");
        refuseFlag("scale_attn_by_inverse_layer_idx");
        if (!fields.flag("scale_attn_weights", true)) {
            fields.fault("Attention without its scale (scale_attn_weights false) is not supported.");
        }
        int hidden = fields.count("n_embd", WIDEST);
        int heads = fields.count("n_head", MOST_HEADS);
        checkDivides("n_head", heads, "n_embd", hidden);
        return new ModelShape(family, fields.count("n_layer", MOST_LAYERS), hidden,
                fields.count("n_inner", WIDEST, 4 * hidden), heads, heads, Math.max(1, hidden / heads), vocabulary(),
                fields.count("n_positions", MOST_POSITIONS, fields.count("n_ctx", MOST_POSITIONS, 1024)),
                fields.flag("tie_word_embeddings", true), 0, null,
                fields.positive("layer_norm_epsilon", STANDARD_EPSILON));
    }

    private int vocabulary() {
        int vocabulary = fields.count("vocab_size", LARGEST_VOCABULARY);
        if (fields.has("vocab_size") && vocabulary < ByteTokenizer.BYTES) {
            fields.fault("\"vocab_size\" (" + vocabulary + ") is below " + ByteTokenizer.BYTES + ".");
        }
        return vocabulary;
    }

    private ModelShape rotary() {
        refuseUnless("hidden_act", "silu", "silu", "swish");
        refuseFlag("mlp_bias");
        if (family != ModelFamily.QWEN2) {
            refuseFlag("attention_bias");
        }
        if (fields.positive("partial_rotary_factor", 1) != 1) {
            fields.fault("RoPE on a part of each head (partial_rotary_factor) is not supported.");
        }
        int hidden = fields.count("hidden_size", WIDEST);
        int heads = fields.count("num_attention_heads", MOST_HEADS);
        int kvHeads = fields.count("num_key_value_heads", MOST_HEADS, heads);
        checkDivides("num_key_value_heads", kvHeads, "num_attention_heads", heads);
        if (!fields.has("head_dim")) {
            checkDivides("num_attention_heads", heads, "hidden_size", hidden);
        }
        int headDim = fields.count("head_dim", MOST_HEADS, Math.max(1, hidden / heads));
        if (headDim % 2 != 0) {
            fields.fault("\"head_dim\" (" + headDim + ") is odd: RoPE rotates pairs.");
        }
        Optional<ConfigFields> newer = fields.group("rope_parameters");
        double theta = newer.map(rope -> rope.positive("rope_theta", STANDARD_THETA))
                .orElseGet(() -> fields.positive("rope_theta", STANDARD_THETA));
        @Nullable RopeScaling scaling = newer.or(() -> fields.group("rope_scaling")).map(this::scaling).orElse(null);
        int layers = fields.count("num_hidden_layers", MOST_LAYERS);
        int positions = fields.count("max_position_embeddings", MOST_POSITIONS, 2048);
        return new ModelShape(family, layers, hidden, fields.count("intermediate_size", WIDEST), heads, kvHeads,
                headDim, vocabulary(), positions,
                fields.flag("tie_word_embeddings", root.flag("tie_word_embeddings", false)), theta, scaling,
                fields.positive("rms_norm_eps", LLAMA_EPSILON), slidingWindow(layers, positions));
    }

    /// The window of all layers; 0 if each position sees all before it. Mistral has it in all layers. Qwen2 and Qwen3 have it
    /// if a flag says so, and only from a layer on.
    private int slidingWindow(int layers, int positions) {
        if (!fields.has(SLIDING_WINDOW) || !fields.flag("use_sliding_window", family == ModelFamily.LLAMA)) {
            return 0;
        }
        if (family == ModelFamily.LLAMA && !type.equals(MISTRAL)) {
            fields.fault("\"" + SLIDING_WINDOW + "\" is not supported with model_type \"" + type
                    + "\"; it is with mistral.");
            return 0;
        }
        int window = fields.count(SLIDING_WINDOW, MOST_POSITIONS, 0);
        if (window >= positions) {
            return 0;
        }
        int windowed = type.equals(MISTRAL) ? layers : windowedLayers(layers);
        if (windowed > 0 && windowed < layers) {
            fields.fault("A sliding window in " + windowed + " of " + layers
                    + " layers (sliding_window, max_window_layers, layer_types) is not supported; one in all layers is.");
        }
        return windowed == 0 ? 0 : window;
    }

    private int windowedLayers(int layers) {
        List<String> types = fields.texts("layer_types");
        if (!types.isEmpty()) {
            return (int) types.stream().filter("sliding_attention"::equals).count();
        }
        return Math.max(0, layers - fields.countOrZero("max_window_layers", MOST_LAYERS, STANDARD_FULL_LAYERS));
    }

    private @Nullable RopeScaling scaling(ConfigFields rope) {
        String type = rope.text("rope_type").or(() -> rope.text("type")).orElse("default");
        if (type.equals("default")) {
            return null;
        }
        if (!type.equals("llama3")) {
            fields.fault("RoPE scaling \"" + type + "\" is not supported; llama3 is.");
            return null;
        }
        return new RopeScaling(rope.positive("factor", 1), rope.positive("low_freq_factor", 1),
                rope.positive("high_freq_factor", 4), rope.count("original_max_position_embeddings", MOST_POSITIONS));
    }

    private void refuseUnless(String key, String otherwise, String one, String other) {
        String value = fields.text(key).orElse(otherwise);
        if (!value.equals(one) && !value.equals(other)) {
            fields.fault("\"" + key + "\" \"" + value + "\" is not supported; " + one + " is.");
        }
    }

    private void refuseFlag(String key) {
        if (fields.flag(key, false)) {
            fields.fault("\"" + key + "\" is not supported.");
        }
    }

    private void checkDivides(String key, int divisor, String of, int number) {
        if (number % divisor != 0) {
            fields.fault("\"" + of + "\" (" + number + ") is no multiple of \"" + key + "\" (" + divisor + ").");
        }
    }
}
