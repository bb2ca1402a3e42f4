package org.inferometer.record;

import java.nio.file.Path;
import java.util.List;

/// An experiment as read back from its folder.
///
/// @param notes what the reader had to say of the experiment as a whole
public record ExperimentRecord(Path folder, ExperimentManifest manifest, List<RunRecord> runs, List<String> notes) {}
