package org.inferometer.record;

import java.util.Locale;

/// How a request ended.
public enum RequestStatus {
    /// All tokens arrived.
    OK,
    /// An error occurred.
    FAILED,
    /// The time limit passed.
    TIMED_OUT,
    /// Cancelled by the client.
    CANCELLED,
    /// Its user went away, as the workload drew; or it was not sent, since the user went away in an earlier turn.
    GAVE_UP,
    /// It was not accepted: it can never fit.
    REFUSED;

    /// The spelling in records: "timed_out".
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
