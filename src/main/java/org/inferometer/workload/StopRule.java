package org.inferometer.workload;

/// When the generation of a request ends.
public sealed interface StopRule {
    /// The most tokens that are generated, at least one; KV blocks are planned for them.
    int maxTokens();

    /// Whether generation ends with this token; always true for the last of the most.
    ///
    /// @param generated tokens generated, this one included
    boolean endsAfter(int token, int generated);

    /// Generation ends after a number of tokens, whatever they are.
    record OutputLength(int maxTokens) implements StopRule {
        @Override
        public boolean endsAfter(int token, int generated) {
            return generated >= maxTokens;
        }
    }
}
