package org.inferometer.units;

import java.time.Instant;

/// A clock whose monotonic nanoseconds count from the instant it was made: the clock of one run.
public final class AnchoredClock implements Clock {
    private final Clock clock;
    private final long anchorNanos;
    private final Instant anchorWall;

    /// @param clock the clock to count on
    public AnchoredClock(Clock clock) {
        this.clock = clock;
        this.anchorNanos = clock.nanos();
        this.anchorWall = clock.wall();
    }

    @Override
    public long nanos() {
        return clock.nanos() - anchorNanos;
    }

    @Override
    public Instant wall() {
        return clock.wall();
    }

    /// The wall clock at instant 0.
    public Instant anchorWall() {
        return anchorWall;
    }
}
