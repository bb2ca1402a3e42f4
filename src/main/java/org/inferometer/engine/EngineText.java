package org.inferometer.engine;

import java.util.List;
import org.inferometer.engine.tokenizer.ByteTokenizer;

/// How an engine's tokens become text, and which of them end an answer.
///
/// @param tokenizer its name: "bytes", "huggingface", "none"
/// @param sha256 hex digest of `tokenizer.json`; empty without one
/// @param endTokens ids after which the model's answer ends, ascending; empty if they are not known
public record EngineText(String tokenizer, String sha256, List<Integer> endTokens) {
    /// Of engines with synthetic weights.
    public static final EngineText BYTES = new EngineText(ByteTokenizer.NAME, "", List.of());

    public EngineText {
        endTokens = List.copyOf(endTokens);
    }
}
