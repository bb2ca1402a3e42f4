package org.inferometer.units;

import java.time.Instant;

/// A monotonic clock with an arbitrary origin, so only differences are meaningful, and the wall clock.
public interface Clock {
    /// Monotonic nanoseconds.
    long nanos();

    /// The wall-clock time, for display.
    Instant wall();
}
