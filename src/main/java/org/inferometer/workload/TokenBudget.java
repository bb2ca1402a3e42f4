package org.inferometer.workload;

import org.inferometer.units.QuantityText;

/// Limits the memory of drawn requests before it is allocated. One thread.
final class TokenBudget {
    // Measured: 124 to 172 bytes of a request beside its prompt, 104 of its entry in the recorder.
    private static final int REQUEST_BYTES = 240;

    private final long mostBytes;
    private long taken;

    private TokenBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// Half of the maximum heap.
    static TokenBudget ofThisProcess() {
        return new TokenBudget(Runtime.getRuntime().maxMemory() / 2);
    }

    /// Memory of a request beside its prompt: also the instants of its tokens, which are allocated before the phase.
    static long requestBytes(long outputTokens) {
        return REQUEST_BYTES + Long.BYTES * outputTokens;
    }

    /// Reserves memory for a request beside its prompt.
    ///
    /// @throws IllegalArgumentException if it does not fit
    void takeRequest(int outputTokens) {
        taken += requestBytes(outputTokens);
        require(taken);
    }

    /// Reserves memory for a prompt.
    ///
    /// @throws IllegalArgumentException if it does not fit
    void take(long tokens) {
        taken += tokens * Integer.BYTES;
        require(taken);
    }

    /// Checks memory that is known before anything is drawn.
    ///
    /// @throws IllegalArgumentException if it does not fit
    void require(long bytes) {
        if (bytes > mostBytes) {
            throw new IllegalArgumentException(sentence(bytes, mostBytes));
        }
    }

    /// Whether the memory suffices.
    boolean fits(long bytes) {
        return bytes <= mostBytes;
    }

    /// "The requests of this workload need at least 36 GiB of memory; 7 GiB are available. Ask for ...".
    static String sentence(long bytes, long mostBytes) {
        return "The requests of this workload need at least " + QuantityText.bytes(bytes) + " of memory; "
                + QuantityText.bytes(mostBytes)
                + " are available. Ask for fewer requests, a shorter duration, or shorter prompts or answers.";
    }

    /// Releases all reservations.
    void release() {
        taken = 0;
    }
}
