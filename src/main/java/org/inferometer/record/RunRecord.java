package org.inferometer.record;

import java.util.List;

/// The record of one run, read from its folder.
///
/// @param notes remarks of the reader: a torn last line that was left out, a killed process
public record RunRecord(String folderName, RunManifest manifest, RunObservations observations, List<String> notes) {
    /// The events of the run, in the order in which they were written.
    public List<RunEvent> events() {
        return observations.events();
    }
}
