package org.inferometer.units;

import java.time.Duration;
import java.time.Instant;

/// A second goes by with each reading; the wall clock jumps with each, ten years back and forth.
public final class JumpingClock implements Clock {
    private static final Instant BEGUN = Instant.parse("2026-11-21T14:15:03Z");
    private static final Duration JUMP = Duration.ofDays(3650);

    private long seconds;

    @Override
    public synchronized long nanos() {
        seconds++;
        return seconds * 1_000_000_000;
    }

    @Override
    public synchronized Instant wall() {
        seconds++;
        return BEGUN.plusSeconds(seconds).plus(JUMP.multipliedBy(seconds % 3 - 1));
    }

    /// Seconds that have gone by.
    public synchronized long seconds() {
        return seconds;
    }
}
