package org.inferometer.record;

import java.nio.file.Path;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// One run with everything resolved; the worker needs nothing else.
///
/// @param experiment the experiment's id, which names its folder
/// @param run number of the run in the order of execution, from 0
/// @param cellIndex index of the cell in the experiment's matrix
/// @param repetition which repetition of the cell, from 0
/// @param runFolder folder of the record; in share-safe records its last name
/// @param workloadSeed seed of prompts, lengths and arrivals: equal over the cells of one repetition
/// @param goal limits and price that the run is judged by
/// @param ceiling what the harness reaches by itself on this machine; absent where it was not measured
public record RunPlan(String experiment, int run, int cellIndex, PlannedSubject subject, WorkloadSpec workload,
        int repetition, String runFolder, int warmUpRequests, long workloadSeed, int sampleEveryMillis,
        DeploymentGoal goal, @Nullable HarnessCeiling ceiling) {
    /// The cell of the experiment that the run belongs to.
    public Cell cell() {
        return new Cell(subject.subject(), workload);
    }

    /// The name of the run's folder inside its experiment's.
    public String folderName() {
        return Path.of(runFolder).getFileName().toString();
    }

    /// The same plan with other folders.
    public RunPlan in(PlannedSubject moved, String folder) {
        return new RunPlan(experiment, run, cellIndex, moved, workload, repetition, folder, warmUpRequests,
                workloadSeed, sampleEveryMillis, goal, ceiling);
    }

    /// The same plan on a machine whose harness is known.
    public RunPlan below(@Nullable HarnessCeiling measured) {
        return new RunPlan(experiment, run, cellIndex, subject, workload, repetition, runFolder, warmUpRequests,
                workloadSeed, sampleEveryMillis, goal, measured);
    }
}
