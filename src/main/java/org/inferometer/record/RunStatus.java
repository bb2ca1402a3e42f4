package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/// How a run or an experiment stands.
public enum RunStatus {
    /// Not over, or its process vanished; the record's reader decides which.
    @JsonProperty("RUNNING")
    RUNNING,
    /// Everything planned was done.
    @JsonProperty("COMPLETE")
    COMPLETE,
    /// Stopped by the user; what was measured is kept.
    @JsonProperty("CANCELLED")
    CANCELLED,
    /// Something broke; what was measured is kept.
    @JsonProperty("FAILED")
    FAILED,
    /// The process vanished without a word (crash, kill, power); what was written is kept.
    @JsonProperty("INTERRUPTED")
    INTERRUPTED;

    /// The spelling in records.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
