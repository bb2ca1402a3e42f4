package org.inferometer.engine.checkpoint;

import java.util.Map;
import org.inferometer.units.OneLine;

/// What architectures that are not supported would need, by the names of the transformers library and of GGUF.
final class OtherArchitectures {
    private static final String PARALLEL = "attention beside the feed-forward part, and partial RoPE";
    private static final String EXPERTS = "experts";
    /// Keys have no underscores, as in GGUF.
    private static final Map<String, String> LACKING =
            Map.ofEntries(Map.entry("gptneo", "local attention and unscaled attention"), Map.entry("gptneox", PARALLEL),
                    Map.entry("gptj", PARALLEL), Map.entry("phi", PARALLEL), Map.entry("phi2", PARALLEL),
                    Map.entry("phi3", "fused projections and partial RoPE"), Map.entry("bloom", "ALiBi"),
                    Map.entry("gemma", "a scaled embedding and (1 + w) norms"),
                    Map.entry("gemma2", "a scaled embedding, (1 + w) norms, soft-capped logits and windows"),
                    Map.entry("gemma3", "a scaled embedding, (1 + w) norms and windows"),
                    Map.entry("gemma3text", "a scaled embedding, (1 + w) norms and windows"),
                    Map.entry("mixtral", EXPERTS), Map.entry("qwen2moe", EXPERTS), Map.entry("qwen3moe", EXPERTS),
                    Map.entry("deepseek2", "experts and latent attention"),
                    Map.entry("deepseekv3", "experts and latent attention"));

    private OtherArchitectures() {}

    /// "The architecture "gemma" is not supported: it needs a scaled embedding and (1 + w) norms."
    static String sentence(String type) {
        String lacks = LACKING.getOrDefault(type.replace("_", ""), "");
        return "The architecture \"" + OneLine.of(type) + "\" is not supported"
                + (lacks.isEmpty() ? "." : ": it needs " + lacks + ".");
    }
}
