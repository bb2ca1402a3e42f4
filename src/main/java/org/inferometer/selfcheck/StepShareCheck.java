package org.inferometer.selfcheck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.Metrics;
import org.inferometer.measurement.RunFigures;
import org.inferometer.options.Selection;
import org.inferometer.record.Figure;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SelfCheckResult;
import org.inferometer.run.RunExecution;
import org.inferometer.run.WorkerFrame;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution;
import org.inferometer.workload.WorkloadSpec;

/// The share of a step that the matrix and attention kernels do not explain, with 16 sequences of `tiny-int4` on the host.
public final class StepShareCheck {
    private static final String ENGINE = "tiny-int4";
    private static final int SEQUENCES = 16;
    private static final double LIMIT_PERCENT = 10;
    private static final String ID = "share_outside_kernels";
    private static final String NAME = "share of a step outside the kernels, " + SEQUENCES + " sequences of " + ENGINE;

    private final EngineCatalog engines;
    private final RunExecution execution;
    private final RecordStore store;

    /// @param execution runs in this process
    public StepShareCheck(EngineCatalog engines, RunExecution execution, RecordStore store) {
        this.engines = engines;
        this.execution = execution;
        this.store = store;
    }

    SelfCheckResult shareOutsideKernels() {
        try {
            EngineEntry entry = engines.find(ENGINE);
            if (entry.state() == EngineEntry.State.RECIPE_ONLY) {
                new EngineBuilder().build(entry, fraction -> {});
            }
            try (ScratchFolder scratch = ScratchFolder.create("inferometer-selfcheck")) {
                return measured(entry, scratch.path().resolve("run"));
            }
        } catch (EngineFormatException | IOException e) {
            return SelfCheckResult.notChecked(ID, NAME, "%", String.valueOf(e.getMessage()));
        }
    }

    private SelfCheckResult measured(EngineEntry entry, Path runFolder) throws IOException {
        WorkloadSpec workload = new WorkloadSpec("selfcheck", new LengthDistribution.Fixed(32),
                new LengthDistribution.Fixed(96), null, 0, new ArrivalProcess.ClosedLoop(SEQUENCES), 3 * SEQUENCES, 0);
        PlannedEngine engine = new PlannedEngine(ENGINE, entry.folder().toString(), Selection.of("continuous"),
                Selection.of("host"), 64L << 20, new Limits(SEQUENCES, 512, 128), LaneLayout.sharing(1));
        RunPlan plan = new RunPlan("selfcheck", 0, 0, engine, workload, 0, runFolder.toString(), SEQUENCES, 1, 1000,
                DeploymentGoal.NONE, null);
        WorkerFrame.Finished finished = execution.execute(plan, frame -> {}, new AtomicBoolean());
        if (finished.status() != RunStatus.COMPLETE) {
            return SelfCheckResult.notChecked(ID, NAME, "%", finished.failure());
        }
        List<Figure> figures = RunFigures.of(store.readRun(runFolder).observations());
        return figures.stream().filter(figure -> figure.metric().equals(Metrics.NON_KERNEL_SHARE)).findFirst()
                .map(figure -> SelfCheckResult.atMost(ID, NAME, figure.value() * 100, "%", LIMIT_PERCENT,
                        "The rest of the step: norms, gathers, sampling and the lane's own work, over " + figure.n()
                                + " steps."))
                .orElse(SelfCheckResult.notChecked(ID, NAME, "%", "The executor did not report its kernels' time."));
    }
}
