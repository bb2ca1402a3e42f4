package org.inferometer.execution.backend;

import org.inferometer.units.Clock;

/// Repeats measured work until no turn was faster for a while: code that is still being compiled becomes faster.
/// Used by one thread.
public final class SteadyRounds {
    /// Smaller gains are luck.
    private static final double GAIN = 1.02;
    /// Times the budget at the most: on a restless machine something always becomes a little faster.
    private static final int MOST_BUDGETS = 8;

    private final Clock clock;
    private final int roundsAtLeast;
    private final long budgetNanos;
    private final long begun;
    private long calmSince;
    private int rounds;

    /// Begins now.
    ///
    /// @param roundsAtLeast however fast they are
    /// @param budgetNanos for which nothing must have become faster
    public SteadyRounds(Clock clock, int roundsAtLeast, long budgetNanos) {
        this.clock = clock;
        this.roundsAtLeast = roundsAtLeast;
        this.budgetNanos = budgetNanos;
        begun = clock.nanos();
        calmSince = begun;
    }

    /// Whether to run another round; called before each.
    public boolean more() {
        long now = clock.nanos();
        return rounds++ < roundsAtLeast || (now - calmSince < budgetNanos && now - begun < MOST_BUDGETS * budgetNanos);
    }

    /// Takes note of how much faster something was than ever before.
    ///
    /// @param before rate, or 0 in the first round
    /// @param now rate, in the same unit
    public void seen(double before, double now) {
        if (now > GAIN * before) {
            calmSince = clock.nanos();
        }
    }
}
