package org.inferometer.load;

/// How the load generator waits; another one lets its time be played through in an instant.
@FunctionalInterface
interface Pause {
    /// Returns at the deadline, or earlier: whoever waits looks again.
    ///
    /// @param deadlineNanos of the run's clock; [Long#MAX_VALUE] to wait until something happens
    void until(long deadlineNanos);
}
