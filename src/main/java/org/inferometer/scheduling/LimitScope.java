package org.inferometer.scheduling;

/// What the limits of a step hold for where several streams compute.
public enum LimitScope {
    /// For the steps of all streams together.
    PER_STEP,
    /// For the step of each stream, so all together may exceed them as many times over as there are streams.
    PER_STREAM
}
