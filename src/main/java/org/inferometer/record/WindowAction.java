package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/// Work of the desktop's window beside a run.
///
/// @param name "report"
/// @param startNanos since the run's anchor, within a few milliseconds; 0 if it began before the run
/// @param durationNanos until its end or that of the run
public record WindowAction(@JsonProperty("name") String name, @JsonProperty("startNanos") long startNanos,
        @JsonProperty("durationNanos") long durationNanos) {}
