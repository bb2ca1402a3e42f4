package org.inferometer.record;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.jspecify.annotations.Nullable;

/// `experiment.json`: what was asked, what was planned, where, and the summary of what came of it.
///
/// @param id names the experiment's folder: "2026-11-21_141503_quick"
/// @param runFolders folder name of each planned run, in the order in which they happen
/// @param cells summary of each cell that has at least one ended run
/// @param verdict absent until the experiment has ended
/// @param startedWall when it started; of an imported one that does not know, when it was imported, see [#started]
/// @param shareSafe whether paths were left out
/// @param importedWall when it was made of another tool's file; absent where it was measured here
public record ExperimentManifest(int formatVersion, String id, ExperimentSpec spec, List<RunPlan> plan,
        List<String> runFolders, MachineDescription machine, Instant startedWall, @Nullable Instant endedWall,
        RunStatus status, String failure, List<CellSummary> cells, @Nullable Verdict verdict, boolean shareSafe,
        @Nullable Instant importedWall) {
    /// The version this program writes.
    public static final int FORMAT_VERSION = 2;

    /// An experiment that was measured here.
    public ExperimentManifest(int formatVersion, String id, ExperimentSpec spec, List<RunPlan> plan,
            List<String> runFolders, MachineDescription machine, Instant startedWall, @Nullable Instant endedWall,
            RunStatus status, String failure, List<CellSummary> cells, @Nullable Verdict verdict, boolean shareSafe) {
        this(formatVersion, id, spec, plan, runFolders, machine, startedWall, endedWall, status, failure, cells,
                verdict, shareSafe, null);
    }

    /// When it started; empty where another tool's file does not tell.
    public Optional<Instant> started() {
        return startedWall.equals(importedWall) ? Optional.empty() : Optional.of(startedWall);
    }

    /// When it came among the results: by this the newest is told.
    public Instant addedWall() {
        return importedWall == null ? startedWall : importedWall;
    }

    /// The same experiment, with the machine as the process that computed described it.
    public ExperimentManifest measuredOn(MachineDescription described) {
        return new ExperimentManifest(formatVersion, id, spec, plan, runFolders, described, startedWall, endedWall,
                status, failure, cells, verdict, shareSafe, importedWall);
    }

    /// The same experiment with one more run planned.
    public ExperimentManifest planning(RunPlan run) {
        return new ExperimentManifest(formatVersion, id, spec, with(plan, run), with(runFolders, run.folderName()),
                machine, startedWall, endedWall, status, failure, cells, verdict, shareSafe, importedWall);
    }

    /// The same experiment, failed, with what was summed up before.
    ///
    /// @param why one sentence
    public ExperimentManifest brokenOff(String why, Instant when) {
        return new ExperimentManifest(formatVersion, id, spec, plan, runFolders, machine, startedWall, when,
                RunStatus.FAILED, why, cells, verdict, shareSafe, importedWall);
    }

    private static <T> List<T> with(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }

    /// The figures of one cell over its runs.
    ///
    /// @param cellIndex index in `spec.cells()`
    /// @param runs ended runs the figures rest on
    public record CellSummary(int cellIndex, Cell cell, String model, String precision, int runs,
            List<CellFigure> figures) {}
}
