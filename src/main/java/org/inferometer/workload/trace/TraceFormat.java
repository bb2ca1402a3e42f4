package org.inferometer.workload.trace;

/// The formats in which recorded traffic is published.
public enum TraceFormat {
    /// CSV with TIMESTAMP, ContextTokens, GeneratedTokens: Azure LLM inference traces.
    AZURE,
    /// CSV with Timestamp, Model, Request tokens, Response tokens: BurstGPT.
    BURSTGPT,
    /// JSON lines with timestamp, input_length, output_length, hash_ids: Mooncake, Bailian, AIPerf.
    LENGTHS,
    /// JSON lines whose first row has text_input: AIPerf.
    TEXTS,
    /// A JSON array or JSON lines of conversations: ShareGPT.
    CONVERSATIONS;

    /// Whether its prompts are text, whose tokens are known to a tokenizer only.
    public boolean hasTexts() {
        return this == TEXTS || this == CONVERSATIONS;
    }
}
