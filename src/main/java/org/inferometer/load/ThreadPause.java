package org.inferometer.load;

import java.util.concurrent.locks.LockSupport;
import org.inferometer.units.Clock;

/// Waits on the calling thread: parked first, and spun for the last stretch, which a parked thread would oversleep.
///
/// Unparking the thread ends the wait, but for that last stretch.
record ThreadPause(Clock clock) implements Pause {
    private static final long SPIN_NANOS = 60_000;
    private static final long IDLE_PARK_NANOS = 50_000_000;

    @Override
    public void until(long deadlineNanos) {
        long left = deadlineNanos == Long.MAX_VALUE ? Long.MAX_VALUE : deadlineNanos - clock.nanos();
        if (left > SPIN_NANOS) {
            LockSupport.parkNanos(this, Math.min(left - SPIN_NANOS, IDLE_PARK_NANOS));
            return;
        }
        while (deadlineNanos - clock.nanos() > 0) {
            Thread.onSpinWait();
        }
    }
}
