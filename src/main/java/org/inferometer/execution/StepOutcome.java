package org.inferometer.execution;

/// The result of a step or a transfer.
public sealed interface StepOutcome {
    /// The step ran.
    ///
    /// @param tokens the tokens of every slice with `sample`, in slice order
    /// @param tokenEnds `[sampled slices]` where the tokens of each end in `tokens`, ascending; empty if each has exactly one
    /// @param startNanos when the lane began
    /// @param endNanos when the lane was done
    /// @param kernelNanos of that, time in the matrix and attention kernels (the rest is the share outside them)
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

        /// Slices that have tokens.
        public int sampledSlices() {
            return tokenEnds.length == 0 ? tokens.length : tokenEnds.length;
        }

        /// Where the tokens of a sampled slice end; they begin where those of the slice before end.
        public int tokenEnd(int sampledSlice) {
            return tokenEnds.length == 0 ? sampledSlice + 1 : tokenEnds[sampledSlice];
        }
    }

    /// A transfer ran.
    ///
    /// @param bytes copied
    record Transferred(long bytes, long startNanos, long endNanos) implements StepOutcome {}

    /// The step failed; the run ends with a record that says so.
    record Failed(ExecutorException cause) implements StepOutcome {}
}
