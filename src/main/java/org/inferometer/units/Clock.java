package org.inferometer.units;

import java.time.Instant;

/// Tells the time: monotonic nanoseconds for every instant of a run, and the wall clock for its one anchor.
///
/// Implementations are safe to call from any thread.
public interface Clock {
    /// Monotonic nanoseconds from an arbitrary origin; only differences mean anything.
    long nanos();

    /// The wall clock, for stamps that people read.
    Instant wall();
}
