package org.inferometer.record;

import java.util.List;

/// What happened in one run, as read back from its folder.
///
/// @param notes what the reader had to say: a torn last line that was left out, a process that vanished
public record RunRecord(String folderName, RunManifest manifest, RunObservations observations, List<RunEvent> events,
        List<String> notes) {}
