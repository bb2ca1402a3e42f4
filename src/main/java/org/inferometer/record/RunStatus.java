package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/// The status of a run or an experiment.
public enum RunStatus {
    /// Running, or its process was killed; the record's reader decides.
    @JsonProperty("RUNNING")
    RUNNING,
    /// All planned requests were measured.
    @JsonProperty("COMPLETE")
    COMPLETE,
    /// Stopped by the user; earlier measurements are kept.
    @JsonProperty("CANCELLED")
    CANCELLED,
    /// An error occurred; earlier measurements are kept.
    @JsonProperty("FAILED")
    FAILED,
    /// The process ended abruptly (crash, kill, power); written data are kept.
    @JsonProperty("INTERRUPTED")
    INTERRUPTED;

    /// The spelling in records.
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
