package org.inferometer.selfcheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.experiment.EngineLimits;
import org.inferometer.load.RecordWriter;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.record.StepReport;
import org.inferometer.run.worker.NullLoad;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.FolderTree;
import org.inferometer.workload.WorkloadPresets;

/// The pace of the engine loop when computing takes no time: 64 requests running, every step recorded on the disk as in a run.
public final class LoopCheck {
    private static final String NO_ENGINE = "null executor";
    private static final int ROWS = 64;
    private static final int WARM_UP_TOKENS = 8_000;
    private static final int MEASURED_TOKENS = 32_000;
    private static final int ROUNDS = 2;
    private static final int GOAL = 100_000;
    private static final String ID = "loop_steps";
    private static final String NAME = "engine loop, null executor, " + ROWS + " running, recording on";
    private static final String UNIT = "steps/s";
    private static final Selection SCHEDULER = Selection.of("continuous");

    private final NullLoad load;
    private final RecordStore store;
    private final MachineDescription machine;

    /// All collaborators; nothing is started.
    ///
    /// @param store takes a record, in a folder for temporary files that is deleted again
    public LoopCheck(Clock clock, SchedulerRegistry schedulers, RecordStore store, MachineDescription machine) {
        this.load = new NullLoad(clock, schedulers);
        this.store = store;
        this.machine = machine;
    }

    /// Steps per second while every step goes to a record on the disk.
    SelfCheckResult pace() {
        try {
            Path scratch = Files.createTempDirectory("inferometer-loopcheck");
            try {
                load.stepsPerSecond(SCHEDULER, LaneLayout.sharing(1), ROWS, WARM_UP_TOKENS, step -> {});
                double best = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    best = Math.max(best, recordedPace(scratch.resolve("run-" + round)));
                }
                return SelfCheckResult.atLeast(ID, NAME, best, UNIT, GOAL,
                        "The loop limits steps shorter than the inverse.");
            } finally {
                FolderTree.delete(scratch);
            }
        } catch (IOException e) {
            return SelfCheckResult.notChecked(ID, NAME, UNIT, FileFault.sentence(e));
        } catch (OptionException e) {
            return SelfCheckResult.notChecked(ID, NAME, UNIT, String.valueOf(e.getMessage()));
        }
    }

    private double recordedPace(Path folder) throws OptionException, IOException {
        AtomicReference<String> failure = new AtomicReference<>("");
        double pace;
        try (RecordSink sink = store.openRun(folder, manifest(folder));
                RecordWriter writer =
                        new RecordWriter(sink, () -> failure.compareAndSet("", "The record could not be written."))) {
            pace = pace(writer::accept);
        }
        String reason = Objects.requireNonNullElse(failure.get(), "");
        if (!reason.isEmpty()) {
            throw new IOException(reason);
        }
        return pace;
    }

    private double pace(Consumer<StepReport> recorded) throws OptionException, IOException {
        OptionalDouble pace = load.stepsPerSecond(SCHEDULER, LaneLayout.sharing(1), ROWS, MEASURED_TOKENS, recorded);
        return pace.orElseThrow(() -> new IOException("The requests never ran all at once."));
    }

    private RunManifest manifest(Path folder) {
        PlannedEngine engine = new PlannedEngine(NO_ENGINE, NO_ENGINE, SCHEDULER, Selection.of("host"), 0,
                new Limits(ROWS, ROWS, MEASURED_TOKENS + 1), EngineLimits.DEFAULTS, LaneLayout.sharing(1));
        RunPlan plan =
                new RunPlan(new RunPlan.RunIndex("selfcheck", 0, 0, 0), engine, new WorkloadPresets().find("short"),
                        folder.toString(), new RunPlan.Procedure(0, 0, 1000), DeploymentGoal.NONE, null);
        return RunManifest.started(plan, machine, RunManifest.SystemUnderTest.of(NO_ENGINE), "", null);
    }
}
