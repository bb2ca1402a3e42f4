package org.inferometer.ui.fx;

import java.time.Duration;

/// Starts timers whose actions run on the UI thread.
public interface Ticks {
    /// Runs an action periodically until stopped. Skips a period while the previous action is waiting to run.
    Beat every(Duration period, Runnable action);

    /// A running timer.
    interface Beat {
        /// The action does not run after this returns on the UI thread.
        void stop();
    }
}
