package org.inferometer.run.worker;

/// The amount of computation before measuring.
///
/// @param loopTokens output tokens per request in the warm-up of the engine loop with the null executor
/// @param shapeNanos maximum time per step shape; a single step may take longer
/// @param settles whether garbage is collected and the JIT compiler awaited before measuring
public record WarmUp(int loopTokens, long shapeNanos, boolean settles) {
    /// Warm-up of measured runs: the JIT has compiled the hot code.
    public static final WarmUp THOROUGH = new WarmUp(8_000, 1_500_000_000L, true);
    /// One step of each kind, for runs whose figures are not used.
    public static final WarmUp ONCE = new WarmUp(16, 0, false);

    /// Collects garbage and waits for the JIT compiler, if measuring is to follow undisturbed.
    void settle() {
        if (settles) {
            System.gc();
            JitPause.await();
        }
    }
}
