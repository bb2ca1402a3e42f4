package org.inferometer.engine;

import java.util.Locale;

/// The decoder-only transformer families this program runs.
public enum ModelFamily {
    /// RMSNorm, RoPE, SwiGLU, no biases.
    LLAMA,
    /// As Llama, with biases on the query, key and value projections.
    QWEN2,
    /// As Llama, with an RMSNorm over each query and key head before RoPE.
    QWEN3,
    /// LayerNorm, learned positions, GELU, biases everywhere, tied head.
    GPT2;

    /// The spelling in recipes and engine files: "qwen2".
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
