package org.inferometer.workload;

/// When the generation of a request ends.
///
/// @param maxTokens the most tokens that are generated, at least one; KV blocks are planned for them
/// @param early what ends it before
public record StopRule(int maxTokens, EarlyEnd early) {
    /// Generation ends after a number of tokens, whatever they are.
    public static StopRule length(int tokens) {
        return new StopRule(tokens, EarlyEnd.NONE);
    }
}
