package org.inferometer.workload.trace;

/// The formats in which recorded traffic is published.
public enum TraceFormat {
    /// CSV with TIMESTAMP, ContextTokens, GeneratedTokens: Azure LLM inference traces.
    AZURE,
    /// CSV with Timestamp, Model, Request tokens, Response tokens: BurstGPT.
    BURSTGPT,
    /// JSON lines with timestamp, input_length, output_length, hash_ids: Mooncake.
    MOONCAKE,
    /// One JSON array of conversations: ShareGPT.
    SHAREGPT;

    /// Whether its requests have instants to replay.
    public boolean hasInstants() {
        return this != SHAREGPT;
    }
}
