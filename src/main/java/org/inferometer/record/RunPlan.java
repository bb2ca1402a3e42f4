package org.inferometer.record;

import java.nio.file.Path;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.jspecify.annotations.Nullable;

/// What will happen in one run, everything resolved; the worker needs nothing else.
///
/// @param experiment the experiment's id, which names its folder
/// @param run counts the runs of the experiment in the order in which they happen, from 0
/// @param cellIndex index of the cell in the experiment's matrix
/// @param repetition which repetition of the cell, from 0
/// @param engineFolder where the engine lies, empty for a target outside this process; not kept in share-safe records
/// @param kvBytes KV memory; 0 for a target outside this process
/// @param limits none of a target outside this process is known: all 0
/// @param layout the lanes, and how `kvBytes` is split among their pools; absent for a target outside this process
/// @param runFolder where the record goes; not kept in share-safe records
/// @param workloadSeed seed of prompts, lengths and arrivals: equal over the cells of one repetition, so that all face the same load
/// @param goal what the run is judged by beside speed
/// @param ceiling what the harness reaches by itself on this machine; absent where that was not measured
public record RunPlan(String experiment, int run, int cellIndex, Cell cell, int repetition, String engineFolder,
        String runFolder, int warmUpRequests, long workloadSeed, int sampleEveryMillis, long kvBytes, Limits limits,
        @Nullable LaneLayout layout, DeploymentGoal goal, @Nullable HarnessCeiling ceiling) {
    /// Plans of records that knew no goal leave it out.
    @SuppressWarnings("ConstantConditions")
    public RunPlan {
        goal = goal == null ? DeploymentGoal.NONE : goal;
    }

    /// The name of the run's folder inside its experiment's.
    public String folderName() {
        return Path.of(runFolder).getFileName().toString();
    }

    /// The same plan on a machine whose harness is known.
    public RunPlan below(@Nullable HarnessCeiling measured) {
        return new RunPlan(experiment, run, cellIndex, cell, repetition, engineFolder, runFolder, warmUpRequests,
                workloadSeed, sampleEveryMillis, kvBytes, limits, layout, goal, measured);
    }

    /// A plan that is judged by no goal.
    public RunPlan(String experiment, int run, int cellIndex, Cell cell, int repetition, String engineFolder,
            String runFolder, int warmUpRequests, long workloadSeed, int sampleEveryMillis, long kvBytes, Limits limits,
            @Nullable LaneLayout layout) {
        this(experiment, run, cellIndex, cell, repetition, engineFolder, runFolder, warmUpRequests, workloadSeed,
                sampleEveryMillis, kvBytes, limits, layout, DeploymentGoal.NONE, null);
    }
}
