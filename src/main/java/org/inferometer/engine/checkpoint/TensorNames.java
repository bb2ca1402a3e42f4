package org.inferometer.engine.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.WeightSpec;

/// Where each weight of a model is in a checkpoint, by the names of the transformers library.
final class TensorNames {
    private static final Pattern BLOCK = Pattern.compile("layers\\.(\\d+)\\.(.+)\\.(weight|bias)");
    private static final List<String> PREFIXES =
            List.of("model.", "", "language_model.model.", "model.language_model.");
    private static final List<String> GPT2_PREFIXES = List.of("", "transformer.");
    private static final Map<String, String> TOP =
            Map.of("embed.weight", "embed_tokens.weight", "final_norm.weight", "norm.weight");
    private static final Map<String, String> PARTS =
            Map.of("attn_norm", "input_layernorm", "attn.q", "self_attn.q_proj", "attn.k", "self_attn.k_proj", "attn.v",
                    "self_attn.v_proj", "attn.q_norm", "self_attn.q_norm", "attn.k_norm", "self_attn.k_norm", "attn.o",
                    "self_attn.o_proj", "ffn_norm", "post_attention_layernorm");
    private static final Map<String, String> MLP =
            Map.of("ffn.gate", "mlp.gate_proj", "ffn.up", "mlp.up_proj", "ffn.down", "mlp.down_proj");
    private static final Map<String, String> GPT2_TOP = Map.of("embed.weight", "wte.weight", "position.weight",
            "wpe.weight", "final_norm.weight", "ln_f.weight", "final_norm.bias", "ln_f.bias");
    private static final Map<String, String> GPT2_PARTS =
            Map.of("attn_norm", "ln_1", "attn.q", "attn.c_attn", "attn.k", "attn.c_attn", "attn.v", "attn.c_attn",
                    "attn.o", "attn.c_proj", "ffn_norm", "ln_2", "ffn.up", "mlp.c_fc", "ffn.down", "mlp.c_proj");

    private final ModelShape shape;
    private final boolean gpt2;
    private final String prefix;

    /// A weight within a tensor.
    ///
    /// @param shape that the tensor must have
    /// @param transposed whether the tensor is `[inputs, outputs]`
    /// @param first output of the tensor that is the weight's first row, or first value of a vector
    record Place(String tensor, List<Long> shape, boolean transposed, int first) {}

    private TensorNames(ModelShape shape, String prefix) {
        this.shape = shape;
        this.gpt2 = shape.family() == ModelFamily.GPT2;
        this.prefix = prefix;
    }

    /// The names that a checkpoint uses; empty if it has no embedding of this family.
    static Optional<TensorNames> of(ModelShape shape, CheckpointTensors tensors) {
        boolean gpt2 = shape.family() == ModelFamily.GPT2;
        String embedding = gpt2 ? "wte.weight" : "embed_tokens.weight";
        return (gpt2 ? GPT2_PREFIXES : PREFIXES).stream().filter(prefix -> tensors.find(prefix + embedding).isPresent())
                .findFirst().map(prefix -> new TensorNames(shape, prefix));
    }

    /// Where a weight is.
    Place of(WeightSpec weight) {
        Matcher block = BLOCK.matcher(weight.name());
        if (!block.matches()) {
            if (weight.name().equals("head.weight")) {
                return plain(headPrefix() + "lm_head.weight", weight);
            }
            return plain(prefix + (gpt2 ? GPT2_TOP : TOP).get(weight.name()), weight);
        }
        String part = block.group(2);
        String end = "." + block.group(3);
        if (!gpt2) {
            String name = PARTS.getOrDefault(part, MLP.getOrDefault(part, part));
            return plain(prefix + "layers." + block.group(1) + "." + name + end, weight);
        }
        String name = prefix + "h." + block.group(1) + "." + GPT2_PARTS.getOrDefault(part, part) + end;
        boolean attention = part.equals("attn.q") || part.equals("attn.k") || part.equals("attn.v");
        int third = attention ? List.of("attn.q", "attn.k", "attn.v").indexOf(part) : 0;
        long outputs = (long) (weight.rows() == 1 ? weight.columns() : weight.rows()) * (attention ? 3 : 1);
        int first = third * shape.hidden();
        return weight.rows() == 1 ? new Place(name, List.of(outputs), false, first)
                : new Place(name, List.of((long) weight.columns(), outputs), true, first);
    }

    /// The head stands beside the language model, not in it.
    private String headPrefix() {
        return prefix.equals("language_model.model.") ? "language_model." : "";
    }

    /// A layer that the checkpoint has beyond those of its configuration; empty if there is none.
    Optional<String> layerBeyond(CheckpointTensors tensors) {
        String before = prefix + (gpt2 ? "h." : "layers.");
        return tensors.names().stream().filter(name -> name.startsWith(before))
                .map(name -> name.substring(before.length()).split("\\.", 2)[0])
                .filter(number -> number.matches("\\d{1,6}")).map(Integer::valueOf)
                .filter(layer -> layer >= shape.layers()).max(Integer::compare)
                .map(layer -> "It has " + (layer + 1) + " layers, config.json names " + shape.layers() + ".");
    }

    private static Place plain(String tensor, WeightSpec weight) {
        boolean vector = weight.rows() == 1;
        return new Place(tensor,
                vector ? List.of((long) weight.columns()) : List.of((long) weight.rows(), (long) weight.columns()),
                false, 0);
    }
}
