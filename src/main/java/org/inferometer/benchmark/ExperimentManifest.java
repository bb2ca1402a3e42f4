package org.inferometer.benchmark;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.measurement.CellFigure;
import org.inferometer.measurement.Verdict;
import org.jspecify.annotations.Nullable;

/// `experiment.json`: what was asked, what was planned, where, and the summary of what came of it.
///
/// @param id names the experiment's folder: "2026-11-21_141503_quick"
/// @param runFolders folder name of each planned run, in the order in which they happen
/// @param cells summary of each cell that has at least one ended run
/// @param verdict absent until the experiment has ended
/// @param shareSafe whether paths were left out
public record ExperimentManifest(
        int formatVersion,
        String id,
        ExperimentSpec spec,
        List<RunPlan> plan,
        List<String> runFolders,
        MachineDescription machine,
        Instant startedWall,
        @Nullable Instant endedWall,
        RunStatus status,
        String failure,
        List<CellSummary> cells,
        @Nullable Verdict verdict,
        boolean shareSafe) {
    /// The version this program writes.
    public static final int FORMAT_VERSION = 2;

    /// The same experiment, with the machine as the process that computed described it.
    public ExperimentManifest measuredOn(MachineDescription described) {
        return new ExperimentManifest(formatVersion, id, spec, plan, runFolders, described, startedWall, endedWall, status, failure, cells,
                verdict, shareSafe);
    }

    /// The same experiment with one more run planned.
    public ExperimentManifest planning(RunPlan run) {
        return new ExperimentManifest(formatVersion, id, spec, with(plan, run), with(runFolders, run.folderName()), machine, startedWall, endedWall,
                status, failure, cells, verdict, shareSafe);
    }

    private static <T> List<T> with(List<T> list, T last) {
        return Stream.concat(list.stream(), Stream.of(last)).toList();
    }

    /// The figures of one cell over its runs.
    ///
    /// @param cellIndex index in `spec.cells()`
    /// @param runs ended runs the figures rest on
    public record CellSummary(int cellIndex, Cell cell, String model, String precision, int runs, List<CellFigure> figures) {}
}
