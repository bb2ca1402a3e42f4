package org.inferometer.record;

import java.util.Locale;

/// How a request ended.
public enum RequestStatus {
    /// All tokens arrived.
    OK,
    /// Something broke.
    FAILED,
    /// The time limit passed.
    TIMED_OUT,
    /// Its sender gave it up.
    CANCELLED,
    /// It was not accepted: it can never fit.
    REFUSED;

    /// The spelling in records: "timed_out".
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
