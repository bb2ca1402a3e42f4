package org.inferometer.execution;

/// The result of a step or a transfer.
public sealed interface StepOutcome {
    /// The step ran.
    ///
    /// @param tokens tokens of all slices with `sample`, in slice order
    /// @param tokenEnds `[sampled slices]` ascending ends of each slice's tokens in `tokens`; empty if each has one
    /// @param startNanos start on the lane
    /// @param endNanos end on the lane
    /// @param kernelNanos time in matrix and attention kernels
    /// @param logits `[sampled slices][vocabulary]` on request, else empty
    record Completed(int[] tokens, int[] tokenEnds, long startNanos, long endNanos, long kernelNanos,
            float[][] logits) implements StepOutcome {
        private static final int[] ONE_EACH = {};

        /// @throws IllegalArgumentException if a slice has no token or tokens belong to no slice
        public Completed {
            int end = 0;
            for (int next : tokenEnds) {
                if (next <= end) {
                    throw new IllegalArgumentException("A sampled slice has no token.");
                }
                end = next;
            }
            if (tokenEnds.length > 0 && end != tokens.length) {
                throw new IllegalArgumentException("The slices have " + end + " of " + tokens.length + " tokens.");
            }
        }

        /// One token for each sampled slice.
        public Completed(int[] tokens, long startNanos, long endNanos, long kernelNanos, float[][] logits) {
            this(tokens, ONE_EACH, startNanos, endNanos, kernelNanos, logits);
        }

        /// Number of slices with tokens.
        public int sampledSlices() {
            return tokenEnds.length == 0 ? tokens.length : tokenEnds.length;
        }

        /// The end of a sampled slice's tokens; they start at the end of the previous slice's.
        public int tokenEnd(int sampledSlice) {
            return tokenEnds.length == 0 ? sampledSlice + 1 : tokenEnds[sampledSlice];
        }
    }

    /// A transfer ran.
    ///
    /// @param bytes copied
    record Transferred(long bytes, long startNanos, long endNanos) implements StepOutcome {}

    /// The job failed, which ends the run.
    record Failed(ExecutorException cause) implements StepOutcome {}
}
