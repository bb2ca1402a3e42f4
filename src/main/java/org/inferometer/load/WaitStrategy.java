package org.inferometer.load;

import java.util.concurrent.locks.LockSupport;
import org.inferometer.units.Clock;

/// How the load generator waits for its next deadline. In virtual time, waiting advances the clock.
@FunctionalInterface
public interface WaitStrategy {
    /// Returns at the deadline or earlier; the caller checks its deadlines again.
    ///
    /// @param deadlineNanos of the run's clock; [Long#MAX_VALUE] to wait for an event
    void until(long deadlineNanos);

    /// Parks the calling thread and spins for the last 60 µs, because parked threads wake late. Unparking ends the parking.
    static WaitStrategy parkThenSpin(Clock clock) {
        long spinNanos = 60_000;
        long longestParkNanos = 50_000_000;
        return deadlineNanos -> {
            long left = deadlineNanos == Long.MAX_VALUE ? Long.MAX_VALUE : deadlineNanos - clock.nanos();
            if (left > spinNanos) {
                LockSupport.parkNanos(clock, Math.min(left - spinNanos, longestParkNanos));
                return;
            }
            while (deadlineNanos - clock.nanos() > 0) {
                Thread.onSpinWait();
            }
        };
    }
}
