package org.inferometer.workload;

import org.inferometer.units.QuantityText;

/// Bounds the memory that drawn prompts take, before it is taken. One thread.
final class TokenBudget {
    private final long mostTokens;
    private long taken;

    private TokenBudget(long mostTokens) {
        this.mostTokens = mostTokens;
    }

    /// Half of the memory this process may have, four bytes a token.
    static TokenBudget ofThisProcess() {
        return new TokenBudget(Runtime.getRuntime().maxMemory() / 2 / Integer.BYTES);
    }

    /// Says that so many tokens are about to be drawn.
    ///
    /// @throws IllegalArgumentException in one sentence when they do not fit
    void take(long tokens) {
        taken += tokens;
        if (taken > mostTokens) {
            throw new IllegalArgumentException(
                    "The prompts of this workload need more than " + QuantityText.bytes(mostTokens * Integer.BYTES)
                            + " together. Ask for fewer requests, a shorter window or shorter prompts.");
        }
    }

    /// Says that what was taken is no longer held.
    void release() {
        taken = 0;
    }
}
