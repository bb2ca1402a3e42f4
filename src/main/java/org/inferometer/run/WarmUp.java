package org.inferometer.run;

/// How much is computed before a run measures anything.
///
/// @param loopTokens output tokens of each request that rehearses the engine loop over an executor that computes nothing
/// @param shapeNanos the longest time spent on one shape of step; a single step may take longer
public record WarmUp(int loopTokens, long shapeNanos) {
    /// What measured runs need: just-in-time compilers have noticed and compiled what runs often.
    public static final WarmUp THOROUGH = new WarmUp(8_000, 1_500_000_000L);
    /// Each kind of step once, for those who look at what a run does and not at its figures.
    public static final WarmUp ONCE = new WarmUp(16, 0);
}
