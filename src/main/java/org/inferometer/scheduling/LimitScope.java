package org.inferometer.scheduling;

/// The scope of step limits with several streams.
public enum LimitScope {
    /// The steps of all streams together.
    PER_STEP,
    /// The step of each stream, so all together may exceed them by the number of streams.
    PER_STREAM
}
