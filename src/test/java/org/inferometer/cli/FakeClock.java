package org.inferometer.cli;

import java.time.Instant;
import org.inferometer.units.Clock;

/// A clock that a test moves.
public final class FakeClock implements Clock {
    public static final Instant START = Instant.parse("2026-11-21T14:15:03Z");
    private long nanos;
    /// Runs before each reading of the wall clock.
    Runnable beforeWall = () -> {};

    public void advanceMillis(long millis) {
        nanos += millis * 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant wall() {
        beforeWall.run();
        return START.plusNanos(nanos);
    }
}
