package org.inferometer.run;

/// How much is computed before a run measures anything.
///
/// @param loopTokens output tokens of each request that rehearses the engine loop over an executor that computes nothing
/// @param shapeNanos the longest time spent on one shape of step; a single step may take longer
public record WarmUp(int loopTokens, long shapeNanos) {
    /// Warm-up of measured runs: the JIT has compiled the hot code.
    public static final WarmUp THOROUGH = new WarmUp(8_000, 1_500_000_000L);
    /// Each kind of step once, for runs without measured figures.
    public static final WarmUp ONCE = new WarmUp(16, 0);
}
