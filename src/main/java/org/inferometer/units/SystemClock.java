package org.inferometer.units;

import java.time.Instant;

/// The clocks of the system.
public final class SystemClock implements Clock {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant wall() {
        return Instant.now();
    }
}
