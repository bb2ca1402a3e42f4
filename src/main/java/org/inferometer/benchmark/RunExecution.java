package org.inferometer.benchmark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.inferometer.engine.Engine;
import org.inferometer.engine.EngineDescriptor;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.measurement.Verdict;
import org.inferometer.options.OptionException;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.Target;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySample;
import org.inferometer.telemetry.TelemetrySampler;
import org.inferometer.telemetry.ThreadSlice;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.Clock;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;

/// Executes one run in this process: opens what the plan names, warms up, measures, writes the record, judges it.
public final class RunExecution {
    private static final int LOOP_WARM_UP_ROWS = 8;
    private static final int LOOP_WARM_UP_TOKENS = 8_000;
    private static final long WARM_UP_SHAPE_NANOS = 1_500_000_000L;

    private final SchedulerRegistry schedulers;
    private final Backends backends;
    private final TargetFactory targets;
    private final RecordStore store;
    private final MachineDescription machine;
    private final Clock systemClock;

    /// All collaborators; nothing is started.
    public RunExecution(
            SchedulerRegistry schedulers, Backends backends, TargetFactory targets, RecordStore store, MachineDescription machine, Clock systemClock) {
        this.schedulers = schedulers;
        this.backends = backends;
        this.targets = targets;
        this.store = store;
        this.machine = machine;
        this.systemClock = systemClock;
    }

    /// Runs the plan on the calling thread until the record is complete.
    ///
    /// @param frames hears the live picture, from several threads, one at a time
    /// @param cancelled once true, the run stops and what was measured is kept
    public WorkerFrame.Finished execute(RunPlan plan, Consumer<WorkerFrame> frames, AtomicBoolean cancelled) {
        AnchoredClock clock = new AnchoredClock(systemClock);
        frames.accept(new WorkerFrame.PhaseStarted(Phase.LOAD, clock.nanos()));
        Path runFolder = Path.of(plan.runFolder());
        try (Engine engine = Engine.open(Path.of(plan.engineFolder()))) {
            Workload workload = new WorkloadDraw(engine.tokenizer())
                    .draw(plan.cell().workload(), plan.warmUpRequests(), new Seed(plan.workloadSeed()));
            Scheduler scheduler = schedulers.create(plan.cell().scheduler());
            Backend backend = backends.find(plan.cell().backend().name());
            try (Executor executor = backend.open(engine, plan.cell().backend(), plan.layout(), plan.limits(), plan.kvBytes(), clock)) {
                // The loop and the scheduler are compiled like the kernels: before anything is measured.
                int rows = Math.max(LOOP_WARM_UP_ROWS, plan.layout().computingLanes());
                new NullLoad(clock, schedulers, targets)
                        .stepsPerSecond(plan.cell().scheduler(), plan.layout(), rows, LOOP_WARM_UP_TOKENS, step -> {});
                new ExecutorWarmUp(executor, plan.limits(), clock, WARM_UP_SHAPE_NANOS).run();
                RunManifest manifest = manifest(plan, engine.descriptor(), workload, scheduler, executor, clock);
                try (RecordSink sink = store.openRun(runFolder, manifest)) {
                    Measured measured = measure(plan, workload, scheduler, executor, sink, frames, cancelled, clock);
                    return judge(workload, manifest, measured, runFolder, sink);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failedBeforeMeasuring(plan, runFolder, "The run was interrupted before it measured anything.", clock);
        } catch (EngineFormatException | ExecutorException | OptionException | IOException | IllegalArgumentException e) {
            return failedBeforeMeasuring(plan, runFolder, String.valueOf(e.getMessage()), clock);
        }
    }

    /// How measuring ended, before the record is judged.
    private record Measured(RunStatus status, String failure, long droppedSamples) {}

    private Measured measure(
            RunPlan plan,
            Workload workload,
            Scheduler scheduler,
            Executor executor,
            RecordSink sink,
            Consumer<WorkerFrame> frames,
            AtomicBoolean cancelled,
            AnchoredClock clock) {
        FirstFailure failure = new FirstFailure();
        Consumer<String> breakOff = sentence -> {
            failure.say(sentence);
            cancelled.setRelease(true);
        };
        LiveFrames live = new LiveFrames(clock, frames);
        long droppedSamples;
        try (RecordWriter writer = new RecordWriter(sink, () -> breakOff.accept("The record can no longer be written."))) {
            PhaseRunner phases = new PhaseRunner(writer, live, clock, cancelled, breakOff);
            Consumer<TelemetrySample> sampled = sample -> {
                writer.accept(sample);
                live.sampled(sample);
            };
            try (HostProcess process = HostProcess.open();
                    WatchedGpu gpu = WatchedGpu.first();
                    TelemetrySampler sampler = TelemetrySampler.start(
                            gpu.source(process, new ExecutorBooks(executor)), clock, 0, plan.sampleEveryMillis(), sampled);
                    LiveFrames ticking = live.start();
                    Target target = targets.open(executor, plan.limits(), scheduler, clock, phases.requests(), phases.engine())) {
                ArrivalProcess warmUpArrivals = new ArrivalProcess.ClosedLoop(Math.max(1, plan.limits().maxBatchRows()));
                // This thread generates the load from here on.
                ThreadSlice.shorten();
                phases.run(new RunPhase(Phase.WARM_UP, workload.warmUp(), warmUpArrivals), target);
                // Better now than while it counts.
                System.gc();
                // What was missed while the engine warmed up is missing from no figure.
                long droppedBefore = sampler.droppedSamples();
                phases.run(new RunPhase(Phase.MEASURE, workload.measured(), plan.cell().workload().arrivals()), target);
                droppedSamples = sampler.droppedSamples() - droppedBefore;
            }
            frames.accept(new WorkerFrame.PhaseStarted(Phase.ANALYSE, clock.nanos()));
            writer.accept(new RunEvent(clock.nanos(), RunEvent.PHASE, Phase.ANALYSE.label(), ""));
            writer.close();
            if (!writer.failure().isEmpty()) {
                return new Measured(RunStatus.FAILED, writer.failure(), droppedSamples);
            }
        }
        RunStatus status = !failure.sentence().isEmpty() ? RunStatus.FAILED : cancelled.get() ? RunStatus.CANCELLED : RunStatus.COMPLETE;
        return new Measured(status, failure.sentence(), droppedSamples);
    }

    private WorkerFrame.Finished judge(
            Workload workload, RunManifest manifest, Measured measured, Path runFolder, RecordSink sink) throws IOException {
        sink.manifest(manifest.ended(measured.status(), measured.failure(), measured.droppedSamples(), null));
        RunRecord record = store.readRun(runFolder);
        Verdict verdict = RunJudgement.of(record, workload.measured().size(), measured.droppedSamples());
        Optional<String> nothing = measured.status() == RunStatus.COMPLETE ? RunJudgement.failure(record) : Optional.empty();
        RunStatus status = nothing.isPresent() ? RunStatus.FAILED : measured.status();
        String failure = nothing.orElse(measured.failure());
        sink.manifest(manifest.ended(status, failure, measured.droppedSamples(), verdict));
        return new WorkerFrame.Finished(status, failure);
    }

    private RunManifest manifest(
            RunPlan plan, EngineDescriptor engine, Workload workload, Scheduler scheduler, Executor executor, AnchoredClock clock) {
        List<KvGeometry> pools = executor.pools();
        return new RunManifest(
                RunManifest.FORMAT_VERSION,
                plan,
                machine,
                engine.model(),
                engine.precision().word(),
                engine.origin().synthetic(),
                workload.hash(),
                "in-process engine",
                executor.description(),
                new RunManifest.Pools(
                        executor.lanes().size(),
                        pools.getFirst().blockTokens(),
                        pools.stream().map(KvGeometry::blocks).toList(),
                        pools.getFirst().blockBytes(),
                        backends.find(plan.cell().backend().name()).threads(plan.cell().backend(), plan.layout()),
                        scheduler.reusesPrefixes()),
                clock.anchorWall(),
                RunStatus.RUNNING,
                "",
                0,
                null);
    }

    /// Leaves a record that says why nothing was measured.
    private WorkerFrame.Finished failedBeforeMeasuring(RunPlan plan, Path runFolder, String why, AnchoredClock clock) {
        RunManifest manifest = new RunManifest(
                RunManifest.FORMAT_VERSION,
                plan,
                machine,
                "",
                "",
                false,
                "",
                "in-process engine",
                "",
                new RunManifest.Pools(0, 0, List.of(), 0),
                clock.anchorWall(),
                RunStatus.FAILED,
                why,
                0,
                null);
        try (RecordSink sink = store.openRun(runFolder, manifest)) {
            sink.flush();
        } catch (IOException e) {
            return new WorkerFrame.Finished(RunStatus.FAILED, why + " Nor could the record be written: " + e.getMessage());
        }
        return new WorkerFrame.Finished(RunStatus.FAILED, why);
    }
}
