package org.inferometer.record;

import java.nio.file.Path;
import java.util.List;

/// An experiment as read back from its folder.
///
/// @param notes the reader's notes on the experiment as a whole
public record ExperimentRecord(Path folder, ExperimentManifest manifest, List<RunRecord> runs, List<String> notes) {
    /// The complete runs of a cell, in their order: those that its figures are taken from.
    public List<RunRecord> completeRuns(int cellIndex) {
        return runs.stream().filter(run -> run.manifest().plan().index().cell() == cellIndex
                && run.manifest().status() == RunStatus.COMPLETE).toList();
    }
}
