package org.inferometer.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.OptionException;
import org.inferometer.record.Figure;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RunManifest.Pools;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Seed;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadSpec;

/// The runs of a cell in virtual time, with an engine and a load that may differ from the measured ones.
final class CellSimulation {
    private final PlannedEngine engine;
    private final Pools pools;
    private final RunObservations.Setup setup;
    private final WorkloadSpec load;
    private final OwnedMemory memory;
    private final List<Workload> workloads = new ArrayList<>();
    private final boolean sameRequests;
    private int mostRows;

    /// Draws the requests.
    ///
    /// @param runs of the cell, whose seeds are used; at least one
    /// @param pools of the engine
    /// @throws IOException if prompts or a trace cannot be read
    CellSimulation(List<RunRecord> runs, PlannedEngine engine, Pools pools, RunObservations.Setup setup,
            WorkloadSpec load, Tokenizer tokenizer) throws IOException {
        this.engine = engine;
        this.pools = pools;
        this.setup = setup;
        this.load = load;
        this.memory = memory(runs.getFirst());
        boolean same = true;
        for (RunRecord run : runs) {
            Workload workload =
                    new WorkloadDraw(tokenizer).draw(load, run.manifest().plan().procedure().warmUpRequests(),
                            new Seed(run.manifest().plan().procedure().workloadSeed()));
            same &= workload.hash().equals(run.manifest().workloadHash());
            workloads.add(workload);
        }
        this.sameRequests = same;
    }

    /// The figures of each run, once.
    List<List<Figure>> figures(SchedulerRegistry schedulers, ServingTimes times, Seed seed, AtomicBoolean cancelled)
            throws OptionException {
        List<List<Figure>> figures = new ArrayList<>();
        SimulatedRun simulated = new SimulatedRun(engine, pools, setup, memory, cancelled);
        for (int i = 0; i < workloads.size(); i++) {
            RunObservations observed = simulated.observe(workloads.get(i), load, schedulers.create(engine.scheduler()),
                    times, seed.part(i));
            mostRows = Math.max(mostRows, observed.steps().stream().mapToInt(CellSimulation::rows).max().orElse(0));
            figures.add(RunFigures.of(observed));
        }
        return figures;
    }

    private static int rows(StepReport step) {
        return step.prefillPositions() + step.decodeRows() + step.paddingRows();
    }

    /// Whether the requests are those that were measured.
    boolean hasSameRequests() {
        return sameRequests;
    }

    /// Rows of the largest step so far.
    int mostRows() {
        return mostRows;
    }

    /// What the engine owned, as its first sample says; 0 where nothing was sampled.
    private static OwnedMemory memory(RunRecord run) {
        return run.observations().telemetry().stream().findFirst().map(TelemetrySample::ownerBytes)
                .map(bytes -> new OwnedMemory(bytes[MemoryOwner.WEIGHTS.ordinal()],
                        bytes[MemoryOwner.KV_CACHE.ordinal()], bytes[MemoryOwner.ACTIVATIONS.ordinal()],
                        bytes[MemoryOwner.WORKSPACE.ordinal()]))
                .orElse(new OwnedMemory(0, 0, 0, 0));
    }
}
