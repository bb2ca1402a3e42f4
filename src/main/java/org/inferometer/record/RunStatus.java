package org.inferometer.record;

import java.util.Locale;

/// How a run or an experiment stands.
public enum RunStatus {
    /// Not over, or its process vanished; the record's reader decides which.
    RUNNING,
    /// Everything planned was done.
    COMPLETE,
    /// Stopped by the user; what was measured is kept.
    CANCELLED,
    /// Something broke; what was measured is kept.
    FAILED,
    /// The process vanished without a word (crash, kill, power); what was written is kept.
    INTERRUPTED;

    /// The spelling in records.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
