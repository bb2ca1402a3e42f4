package org.inferometer.units;

import java.time.Instant;

/// Monotonic nanoseconds from an arbitrary origin; only differences are meaningful.
public interface Clock {
    /// Monotonic nanoseconds from an arbitrary origin; only differences mean anything.
    long nanos();

    /// The wall-clock time, for people.
    Instant wall();
}
