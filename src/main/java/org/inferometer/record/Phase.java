package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/// The parts of a run, in order.
public enum Phase {
    /// The engine is opened and its memory taken.
    @JsonProperty("load")
    LOAD,
    /// Requests that enter no figure.
    @JsonProperty("warm_up")
    WARM_UP,
    /// What the figures rest on.
    @JsonProperty("measure")
    MEASURE,
    /// The record is completed and judged.
    @JsonProperty("analyse")
    ANALYSE;

    /// The name people read: "warm-up".
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
