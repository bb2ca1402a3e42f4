package org.inferometer.units;

import java.time.Instant;

/// The clock of a run: monotonic nanoseconds since its construction.
public final class AnchoredClock implements Clock {
    private final Clock clock;
    private final long anchorNanos;
    private final Instant anchorWall;

    /// @param clock underlying clock
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
