package org.inferometer.ui.fx;

import java.time.Duration;

/// A metronome whose beats arrive on the UI thread.
public interface Ticks {
    /// Beats until stopped. A beat is left out while the one before is still waiting to run.
    Beat every(Duration period, Runnable action);

    /// A running metronome.
    interface Beat {
        /// No beat runs after this returns on the UI thread.
        void stop();
    }
}
