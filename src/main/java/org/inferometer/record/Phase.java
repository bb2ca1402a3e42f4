package org.inferometer.record;

import java.util.Locale;

/// The parts of a run, in order.
public enum Phase {
    /// The engine is opened and its memory taken.
    LOAD,
    /// Requests that enter no figure.
    WARM_UP,
    /// What the figures rest on.
    MEASURE,
    /// The record is completed and judged.
    ANALYSE;

    /// The name people read: "warm-up".
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
