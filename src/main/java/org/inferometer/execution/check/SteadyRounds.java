package org.inferometer.execution.check;

import org.inferometer.execution.ExecutorException;
import org.inferometer.units.Clock;

/// Repeats measured work until no round was faster for a while, because the JIT compiler makes code faster. Used by one
/// thread.
public final class SteadyRounds {
    /// Smaller improvements are noise.
    private static final double GAIN = 1.02;
    /// Maximum total time as a multiple of the budget, for noisy machines.
    private static final int MOST_BUDGETS = 8;

    /// A part of a round.
    @FunctionalInterface
    interface Work {
        /// @throws ExecutorException if it cannot run
        void run() throws ExecutorException, InterruptedException;
    }

    private final Clock clock;
    private final int roundsAtLeast;
    private final long budgetNanos;
    private final long begun;
    private long calmSince;
    private int rounds;

    /// Starts now.
    ///
    /// @param roundsAtLeast minimum number of rounds
    /// @param budgetNanos maximum time without an improvement
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

    /// Records the rate of a round and the best rate before it.
    ///
    /// @param before best rate; 0 in the first round
    /// @param now rate of this round, in the same unit
    public void seen(double before, double now) {
        if (now > GAIN * before) {
            calmSince = clock.nanos();
        }
    }

    /// Runs a part of a round and keeps its rate if it is the best so far.
    ///
    /// @param best rates of the parts a second, this one's at `at`
    /// @param amount of what the work does, such as bytes
    void keepBest(double[] best, int at, double amount, Work work) throws ExecutorException, InterruptedException {
        long start = clock.nanos();
        work.run();
        double rate = amount * 1e9 / Math.max(1, clock.nanos() - start);
        seen(best[at], rate);
        best[at] = Math.max(best[at], rate);
    }
}
