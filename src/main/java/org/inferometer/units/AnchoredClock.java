package org.inferometer.units;

import java.time.Instant;

/// The clock of a run, an experiment or a session: monotonic nanoseconds since its construction, and a wall clock that goes on with
/// them. Jumps of the system's wall clock do not show, so that no end stands before its start. Time that the machine sleeps does not
/// count where the system's monotonic clock stands still meanwhile, as on Linux and macOS.
public final class AnchoredClock implements Clock {
    private final Clock clock;
    private final long anchorNanos;
    private final Instant anchorWall;

    /// @param clock underlying clock
    public AnchoredClock(Clock clock) {
        this(clock, clock.wall());
    }

    /// @param clock underlying clock
    /// @param anchorWall the wall clock at instant 0
    public AnchoredClock(Clock clock, Instant anchorWall) {
        this.clock = clock;
        this.anchorNanos = clock.nanos();
        this.anchorWall = anchorWall;
    }

    @Override
    public long nanos() {
        return clock.nanos() - anchorNanos;
    }

    @Override
    public Instant wall() {
        return anchorWall.plusNanos(nanos());
    }

    /// The wall clock at instant 0.
    public Instant anchorWall() {
        return anchorWall;
    }
}
