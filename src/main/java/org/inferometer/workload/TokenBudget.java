package org.inferometer.workload;

import org.inferometer.units.QuantityText;

/// Limits the memory of drawn prompts before it is allocated. One thread.
final class TokenBudget {
    private final long mostTokens;
    private long taken;

    private TokenBudget(long mostTokens) {
        this.mostTokens = mostTokens;
    }

    /// Half of the maximum heap, four bytes per token.
    static TokenBudget ofThisProcess() {
        return new TokenBudget(Runtime.getRuntime().maxMemory() / 2 / Integer.BYTES);
    }

    /// Reserves memory for tokens.
    ///
    /// @throws IllegalArgumentException if they do not fit
    void take(long tokens) {
        taken += tokens;
        if (taken > mostTokens) {
            throw new IllegalArgumentException("The prompts of this workload need more memory than "
                    + QuantityText.bytes(mostTokens * Integer.BYTES)
                    + ". Ask for fewer requests, a shorter window or shorter prompts.");
        }
    }

    /// Releases all reservations.
    void release() {
        taken = 0;
    }
}
