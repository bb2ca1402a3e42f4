package org.inferometer.scheduling;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The plug-in that a scheduler comes from.
///
/// @param name `Implementation-Title` of the jar's manifest, else the file's name
/// @param version `Implementation-Version` of the jar's manifest; empty without one
/// @param sha256 of the jar, in hexadecimal digits
public record SchedulerPlugin(@JsonProperty("name") String name, @JsonProperty("version") String version,
        @JsonProperty("sha256") String sha256) {
    private static final int SHOWN_DIGITS = 8;

    /// "shortest-first 1.2 (3f6a09bc)".
    public String text() {
        return name + (version.isEmpty() ? "" : " " + version) + " ("
                + sha256.substring(0, Math.min(SHOWN_DIGITS, sha256.length())) + ")";
    }
}
