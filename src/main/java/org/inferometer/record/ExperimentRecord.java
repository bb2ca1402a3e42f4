package org.inferometer.record;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An experiment as read back from its folder.
///
/// @param notes the reader's notes on the experiment, and on runs without a record
public record ExperimentRecord(Path folder, ExperimentManifest manifest, List<RunRecord> runs, List<ReaderNote> notes) {
    private static final int MOST_NAMED = 2;

    /// A note of the reader.
    ///
    /// @param run folder of the run that it is about; absent for the experiment
    /// @param text without the name of the run
    public record ReaderNote(@Nullable String run, String text) {
        /// The note as a sentence: "Run run-003 is missing."
        public String sentence() {
            return run == null ? text : "Run " + run + " " + text;
        }
    }

    /// The complete runs of a cell, in their order: those that its figures are taken from.
    public List<RunRecord> completeRuns(int cellIndex) {
        return runs.stream().filter(run -> run.manifest().plan().index().cell() == cellIndex
                && run.manifest().status() == RunStatus.COMPLETE).toList();
    }

    /// What became of the planned runs: "3 of 8 runs complete, 5 did not start".
    public String runsText() {
        int unstarted = manifest.status() == RunStatus.COMPLETE ? 0 : unstartedRuns();
        return completeRuns() + " of " + manifest.plan().size() + (manifest.plan().size() == 1 ? " run" : " runs")
                + " complete" + (unstarted == 0 ? "" : ", " + unstarted + " did not start");
    }

    /// How many runs are complete.
    public int completeRuns() {
        return (int) runs.stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).count();
    }

    /// Planned runs without a record. Runs of which the reader noted something did start.
    public int unstartedRuns() {
        Set<String> known = Stream.concat(runs.stream().map(RunRecord::folderName),
                notes.stream().flatMap(note -> Stream.ofNullable(note.run()))).collect(Collectors.toSet());
        return (int) manifest.runFolders().stream().filter(name -> !known.contains(name)).count();
    }

    /// The notes of the reader as sentences.
    public List<String> noteSentences() {
        return notes.stream().map(ReaderNote::sentence).toList();
    }

    /// The notes on the experiment, then those on runs after the names of their folders, equal ones once.
    public List<String> allNotes() {
        Map<String, List<String>> byNote = new LinkedHashMap<>();
        runs.forEach(run -> run.notes()
                .forEach(note -> byNote.computeIfAbsent(note, each -> new ArrayList<>()).add(run.folderName())));
        return Stream.concat(noteSentences().stream(),
                byNote.entrySet().stream()
                        .map(note -> (note.getValue().size() > MOST_NAMED ? note.getValue().size() + " runs"
                                : String.join(", ", note.getValue())) + ": " + note.getKey()))
                .toList();
    }
}
