package org.inferometer.record;

import com.fasterxml.jackson.annotation.JsonProperty;

/// A moment of a run that a person marked.
///
/// @param nanos since the run's anchor, within a few milliseconds
/// @param text "Marker 1"
public record RunMarker(@JsonProperty("nanos") long nanos, @JsonProperty("text") String text) {}
