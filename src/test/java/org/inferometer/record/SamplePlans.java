package org.inferometer.record;

import org.inferometer.experiment.Cell;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.Subject.EngineSubject;
import org.inferometer.experiment.Subject.TargetSubject;
import org.inferometer.options.Selection;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.WorkloadSpec;

/// Plans of runs for tests.
public final class SamplePlans {
    private SamplePlans() {}

    /// A run of a cell, judged by no goal; the engine's parts are left out where the cell drives a target.
    public static RunPlan plan(String experiment, int run, int cellIndex, Cell cell, int repetition,
            String engineFolder, String runFolder, int warmUpRequests, long workloadSeed, int sampleEveryMillis,
            long kvBytes, Limits limits, LaneLayout layout) {
        PlannedSubject subject = switch (cell.subject()) {
            case EngineSubject(String engine, Selection scheduler, Selection backend, EngineLimits asked) ->
                new PlannedEngine(engine, engineFolder, scheduler, backend, kvBytes, limits, asked, layout);
            case TargetSubject(Selection target) -> new PlannedTarget(target);
        };
        return new RunPlan(new RunPlan.RunIndex(experiment, run, cellIndex, repetition), subject, cell.workload(),
                runFolder, new RunPlan.Procedure(warmUpRequests, workloadSeed, sampleEveryMillis), DeploymentGoal.NONE,
                null);
    }

    /// A cell of an engine.
    public static Cell cell(String engine, Selection scheduler, WorkloadSpec workload, Selection backend) {
        return new Cell(new EngineSubject(engine, scheduler, backend), workload);
    }

    /// The engine that a run measures.
    public static PlannedEngine engine(RunPlan plan) {
        return (PlannedEngine) plan.subject();
    }

    /// The engine that a cell measures.
    public static EngineSubject engine(Cell cell) {
        return (EngineSubject) cell.subject();
    }
}
