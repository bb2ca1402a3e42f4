package org.inferometer.record;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// An experiment as read back from its folder.
///
/// @param notes the reader's notes on the experiment as a whole
public record ExperimentRecord(Path folder, ExperimentManifest manifest, List<RunRecord> runs, List<String> notes) {
    /// The complete runs of a cell, in their order: those that its figures are taken from.
    public List<RunRecord> completeRuns(int cellIndex) {
        return runs.stream().filter(run -> run.manifest().plan().index().cell() == cellIndex
                && run.manifest().status() == RunStatus.COMPLETE).toList();
    }

    /// The notes on the experiment, then those on each run after the name of its folder.
    public List<String> allNotes() {
        return Stream
                .concat(notes.stream(),
                        runs.stream().flatMap(run -> run.notes().stream().map(note -> run.folderName() + ": " + note)))
                .toList();
    }
}
