package org.inferometer.run.worker;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.MappedFiles;
import org.inferometer.execution.Backend;
import org.inferometer.execution.Backends;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.load.RequestTexts;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.MachineDescription;
import org.inferometer.record.Phase;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.PlannedSubject.PlannedTarget;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunManifest.SystemUnderTest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.run.PreparedServer;
import org.inferometer.run.WorkerFrame;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.AnswerEnds;
import org.inferometer.serving.EngineLoop;
import org.inferometer.serving.EngineSetup;
import org.inferometer.target.TargetKind.TargetKinds;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.Seed;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;

/// Executes one run in this process: opens engine or target, warms up, measures, writes and judges the record.
public final class RunExecution {
    private static final int LOOP_WARM_UP_ROWS = 8;

    private final SchedulerRegistry schedulers;
    private final Backends backends;
    private final TargetExecution outside;
    private final RecordStore store;
    private final MachineDescription machine;
    private final Clock systemClock;
    private final WarmUp warmUp;
    private final Path workspace;
    private final PreparedServer server;

    /// All collaborators; nothing is started.
    public RunExecution(SchedulerRegistry schedulers, Backends backends, TargetKinds kinds, RecordStore store,
            MachineDescription machine, Clock systemClock) {
        this(schedulers, backends, new TargetExecution(kinds, store, machine, WarmUp.THOROUGH), store, machine,
                systemClock, WarmUp.THOROUGH, Path.of(""), PreparedServer.NONE);
    }

    private RunExecution(SchedulerRegistry schedulers, Backends backends, TargetExecution outside, RecordStore store,
            MachineDescription machine, Clock systemClock, WarmUp warmUp, Path workspace, PreparedServer server) {
        this.schedulers = schedulers;
        this.backends = backends;
        this.outside = outside;
        this.store = store;
        this.machine = machine;
        this.systemClock = systemClock;
        this.warmUp = warmUp;
        this.workspace = workspace;
        this.server = server;
    }

    /// The same with another warm-up; a short one gives meaningless figures.
    public RunExecution warmingUp(WarmUp other) {
        return new RunExecution(schedulers, backends, outside.warmingUp(other), store, machine, systemClock, other,
                workspace, server);
    }

    /// The same for plans with folders relative to a workspace.
    public RunExecution in(Path other) {
        return new RunExecution(schedulers, backends, outside, store, machine, systemClock, warmUp, other, server);
    }

    /// The same with the server that was started for the run.
    public RunExecution with(PreparedServer other) {
        return new RunExecution(schedulers, backends, outside, store, machine, systemClock, warmUp, workspace, other);
    }

    /// Runs the plan on the calling thread until the record is complete.
    ///
    /// @param frames receives live frames, from several threads, one at a time
    /// @param cancelled stops the run if true; earlier measurements are kept
    public WorkerFrame.Finished execute(RunPlan plan, Consumer<WorkerFrame> frames, AtomicBoolean cancelled) {
        AnchoredClock clock = new AnchoredClock(systemClock);
        frames.accept(new WorkerFrame.PhaseStarted(Phase.LOAD, clock.nanos()));
        try {
            return switch (plan.subject()) {
                case PlannedTarget(Selection target) -> outsideOrNot(plan, target, frames, cancelled, clock);
                case PlannedEngine engine -> serve(plan, engine, frames, cancelled, clock);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return endedBeforeMeasuring(plan, RunStatus.FAILED, "The run was interrupted before it measured anything.",
                    clock);
        } catch (FileAlreadyExistsException e) {
            // The record of another run stays as it is.
            return new WorkerFrame.Finished(RunStatus.FAILED, FileFault.sentence(e));
        } catch (IOException e) {
            return endedBeforeMeasuring(plan, RunStatus.FAILED, FileFault.sentence(e), clock);
        } catch (EngineFormatException | ExecutorException | OptionException | IllegalArgumentException e) {
            return endedBeforeMeasuring(plan, RunStatus.FAILED, String.valueOf(e.getMessage()), clock);
        } catch (InternalError e) {
            if (MappedFiles.isUnreadable(e) && plan.subject() instanceof PlannedEngine engine) {
                return endedBeforeMeasuring(plan, RunStatus.FAILED,
                        "The weights cannot be read: " + MappedFiles.fault(workspace.resolve(engine.engineFolder())),
                        clock);
            }
            throw e;
        }
    }

    private WorkerFrame.Finished outsideOrNot(RunPlan plan, Selection target, Consumer<WorkerFrame> frames,
            AtomicBoolean cancelled, AnchoredClock clock) throws IOException, OptionException {
        if (!server.failure().isEmpty()) {
            return endedBeforeMeasuring(plan, RunStatus.FAILED, server.failure(), clock);
        }
        if (outside.needsServer(target) && server.started() == null) {
            return endedBeforeMeasuring(plan, RunStatus.CANCELLED, "", clock);
        }
        return outside.execute(plan, target, server.started(), workspace.resolve(plan.folder()), frames, cancelled,
                clock);
    }

    private WorkerFrame.Finished serve(RunPlan plan, PlannedEngine planned, Consumer<WorkerFrame> frames,
            AtomicBoolean cancelled, AnchoredClock clock)
            throws EngineFormatException, ExecutorException, OptionException, IOException, InterruptedException {
        try (Engine engine = Engine.open(workspace.resolve(planned.engineFolder()))) {
            Workload workload = new WorkloadDraw(engine.tokenizer()).draw(plan.workload(),
                    plan.procedure().warmUpRequests(), new Seed(plan.procedure().workloadSeed()));
            Scheduler scheduler = schedulers.create(planned.scheduler());
            if (cancelled.get()) {
                return endedBeforeMeasuring(plan, RunStatus.CANCELLED, "", clock);
            }
            Backend backend = backends.find(planned.backend().name());
            try (Executor executor = backend.open(engine, planned.backend(), planned.layout(), planned.limits(),
                    planned.kvBytes(), clock)) {
                if (!cancelled.get()) {
                    // Loop and scheduler are JIT-compiled before measuring, as the kernels are.
                    int rows = Math.max(LOOP_WARM_UP_ROWS, planned.layout().computingLanes());
                    new NullLoad(clock, schedulers).stepsPerSecond(planned.scheduler(), planned.layout(), rows,
                            warmUp.loopTokens(), step -> {});
                    new ExecutorWarmUp(executor, planned.limits(), clock, warmUp.shapeNanos()).run(cancelled::get);
                }
                AnswerEnds ends =
                        new AnswerEnds(Set.copyOf(engine.descriptor().text().endTokens()), engine.tokenizer());
                RunManifest manifest = manifest(plan, planned, engine, workload, scheduler, executor, clock);
                return new MeasuredRun(store, clock, warmUp, frames, cancelled,
                        writer -> new RequestTexts(new RequestTexts.Source.Engine(engine.tokenizer()::decode), writer))
                        .run(workspace.resolve(plan.folder()), manifest, workload, ComputingDevice.of(executor),
                                planned.limits().maxBatchRows(),
                                phases -> EngineLoop.start(executor, EngineSetup.of(executor, planned.limits(), ends),
                                        scheduler, clock, phases.requests(), phases.engine()));
            }
        }
    }

    private RunManifest manifest(RunPlan plan, PlannedEngine planned, Engine opened, Workload workload,
            Scheduler scheduler, Executor executor, AnchoredClock clock) {
        List<KvGeometry> pools = executor.pools();
        EngineDescriptor engine = opened.descriptor();
        SystemUnderTest system = new SystemUnderTest(RunManifest.IN_PROCESS, executor.description(), engine.model(),
                engine.precision().id(), engine.origin().synthetic(),
                new RunManifest.Pools(executor.lanes().size(), pools.getFirst().blockTokens(),
                        pools.stream().map(KvGeometry::blocks).toList(), pools.getFirst().blockBytes(),
                        backends.find(planned.backend().name()).threads(planned.backend(), planned.layout()),
                        scheduler.reusesPrefixes()))
                .with(KnownQuality.of(opened.folder(), engine).orElse(null),
                        schedulers.plugin(planned.scheduler().name()).orElse(null));
        return RunManifest.started(plan, machine, system, workload.hash(), clock.anchorWall());
    }

    /// Writes a record without measurements, with the reason.
    ///
    /// @param why one sentence if the status is FAILED, else empty
    private WorkerFrame.Finished endedBeforeMeasuring(RunPlan plan, RunStatus status, String why, AnchoredClock clock) {
        RunManifest manifest = RunManifest.notMeasured(plan, machine, clock.anchorWall(), status, why);
        try {
            store.saveRun(workspace.resolve(plan.folder()), manifest);
        } catch (IOException e) {
            String before = why.isEmpty() ? "Nothing was measured." : why;
            return new WorkerFrame.Finished(RunStatus.FAILED,
                    before + " The record cannot be written (" + FileFault.describe(e) + ").");
        }
        return new WorkerFrame.Finished(status, why);
    }
}
