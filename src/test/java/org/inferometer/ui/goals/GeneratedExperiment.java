package org.inferometer.ui.goals;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.verdict.ExperimentSummary;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Slice;
import org.inferometer.units.Clock;
import org.inferometer.units.Seed;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;

/// Writes results of many requests that look measured, drawn from a seed: one run, eight tokens a request, and steps on four lanes.
public final class GeneratedExperiment {
    /// Of the experiment, and the name of its folder.
    static final String ID = "large";

    private static final int LANES = 4;
    private static final int TOKENS = 8;
    private static final long MILLISECOND = 1_000_000;
    private static final int FLUSH_EVERY = 10_000;
    private static final String ENGINE = "generated";

    private final RecordStore store;
    private final MachineDescription machine;
    private final Clock clock;

    /// @param machine the records name it
    public GeneratedExperiment(RecordStore store, MachineDescription machine, Clock clock) {
        this.store = store;
        this.machine = machine;
        this.clock = clock;
    }

    /// Writes one experiment.
    ///
    /// @param results folder of the results
    /// @param steps in all lanes, each of them 0.9 ms long
    /// @return folder of the experiment
    public Path write(Path results, int requests, int steps) throws IOException {
        Path folder = results.resolve(ID);
        WorkloadSpec load = new WorkloadPresets().find("short");
        ExperimentSpec spec = new ExperimentSpec(ID, List.of(ENGINE), List.of(Selection.of("continuous")),
                List.of(load), Selection.of("host"), 1, 0, 1, 100, 0, ExperimentSpec.AskedLimits.DEFAULTS);
        PlannedEngine engine = new PlannedEngine(ENGINE, ENGINE, Selection.of("continuous"), Selection.of("host"), 0,
                new Limits(64, 64, 128), EngineLimits.DEFAULTS, LaneLayout.sharing(LANES));
        Path runFolder = folder.resolve("run-000");
        RunPlan plan = new RunPlan(new RunPlan.RunIndex(ID, 0, 0, 0), engine, load, runFolder.toString(),
                new RunPlan.Procedure(0, 1, 100), DeploymentGoal.NONE, null);
        Instant now = clock.wall();
        RunManifest run = RunManifest.started(
                plan, machine, new RunManifest.SystemUnderTest(RunManifest.IN_PROCESS, "generated", "tiny", "int4",
                        true, new RunManifest.Pools(LANES, 16, List.of(1024), 4096, List.of(1, 1, 1, 1), false)),
                "", now);
        ExperimentManifest experiment = new ExperimentManifest(ExperimentManifest.FORMAT_VERSION, ID, spec,
                List.of(plan), machine, ExperimentManifest.ExperimentTimes.startedAt(now),
                ExperimentManifest.ExperimentOutcome.RUNNING, false);
        store.saveExperiment(folder, experiment);
        try (RecordSink sink = store.openRun(runFolder, run)) {
            requests(sink, requests);
            steps(sink, steps, requests);
            sink.manifest(run.ended(RunManifest.RunOutcome.of(RunStatus.COMPLETE, "")));
        }
        store.saveExperiment(folder, ExperimentSummary.ended(experiment, List.of(store.readRun(runFolder)),
                RunStatus.COMPLETE, "", now.plusMillis(requests)));
        return folder;
    }

    private static void requests(RecordSink sink, int requests) throws IOException {
        RandomGenerator random = new Seed(1_000_000).generator();
        for (int i = 0; i < requests; i++) {
            long intended = i * MILLISECOND;
            long[] tokens = new long[TOKENS];
            long at = intended + 300_000;
            for (int token = 0; token < TOKENS; token++) {
                at += random.nextLong(MILLISECOND, 50 * MILLISECOND);
                tokens[token] = at;
            }
            sink.request(new RequestOutcome(new RequestId(i), false, 64, TOKENS, intended,
                    intended + random.nextLong(100_000), intended + 200_000, intended + 300_000, at + 1,
                    RequestStatus.OK, "", tokens));
            if (i % FLUSH_EVERY == 0) {
                sink.flush();
            }
        }
    }

    private static void steps(RecordSink sink, int steps, int requests) throws IOException {
        for (int i = 0; i < steps; i++) {
            long start = i / LANES * MILLISECOND;
            boolean prefill = i / LANES % 10 == 0;
            StepSlices slices =
                    StepSlices.of(List.of(new Slice(new RequestId(i % Math.max(1, requests)), 0, prefill ? 64 : 1)));
            sink.step(new StepReport(i, new LaneId(i % LANES), start, start + MILLISECOND * 9 / 10,
                    MILLISECOND * 8 / 10, 10_000, slices, prefill ? 64 : 0, prefill ? 0 : 1, 0, 0, LANES, 0, 4,
                    prefill ? "prefill before decode" : "decode"));
            if (i % FLUSH_EVERY == 0) {
                sink.flush();
            }
        }
    }
}
