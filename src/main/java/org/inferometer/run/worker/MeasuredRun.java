package org.inferometer.run.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.inferometer.load.RecordWriter;
import org.inferometer.load.RequestTexts;
import org.inferometer.load.RunPhase;
import org.inferometer.record.Phase;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunManifest.RunOutcome;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.ServerIdentity;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.Verdict;
import org.inferometer.run.WorkerFrame;
import org.inferometer.target.Target;
import org.inferometer.target.TargetException;
import org.inferometer.telemetry.GpuAccess;
import org.inferometer.telemetry.HostProcess;
import org.inferometer.telemetry.TelemetrySampler;
import org.inferometer.telemetry.ThreadSlice;
import org.inferometer.units.AnchoredClock;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.Workload;

/// Warms up a target, measures it, writes the record and judges it: the steps of every run.
///
/// Runs on the calling thread, which generates the load.
final class MeasuredRun {
    private final RecordStore store;
    private final AnchoredClock clock;
    private final WarmUp warmUp;
    private final Consumer<WorkerFrame> frames;
    private final AtomicBoolean cancelled;
    private final Function<Consumer<Supplier<RunEvent>>, RequestTexts> texts;

    /// @param frames receives live frames
    /// @param cancelled stops the run if true; earlier measurements are kept
    /// @param texts records prompts and answers, for runs that keep them
    MeasuredRun(RecordStore store, AnchoredClock clock, WarmUp warmUp, Consumer<WorkerFrame> frames,
            AtomicBoolean cancelled, Function<Consumer<Supplier<RunEvent>>, RequestTexts> texts) {
        this.texts = texts;
        this.store = store;
        this.clock = clock;
        this.warmUp = warmUp;
        this.frames = frames;
        this.cancelled = cancelled;
    }

    /// Opens the target after its listeners are registered.
    @FunctionalInterface
    interface TargetOpening {
        Target open(PhaseRunner phases) throws TargetException;
    }

    /// Runs both phases and writes the record.
    ///
    /// @param device the device that computes
    /// @param warmUpRequests in flight while warming up
    WorkerFrame.Finished run(Path runFolder, RunManifest manifest, Workload workload, ComputingDevice device,
            int warmUpRequests, TargetOpening opening) throws IOException {
        Path experiment = runFolder.toAbsolutePath().getParent();
        if (experiment != null && !Files.isDirectory(experiment)) {
            // Moved while weights were loaded. The record would be the only one in a second folder of the experiment.
            return new WorkerFrame.Finished(RunStatus.FAILED, moved(runFolder));
        }
        try (RecordSink sink = store.openRun(runFolder, manifest)) {
            Measured measured = measure(manifest.plan(), workload, device, Math.max(1, warmUpRequests), opening, sink);
            if (!sink.isInPlace()) {
                // Writing on would make a second, empty record.
                return new WorkerFrame.Finished(RunStatus.FAILED, moved(runFolder));
            }
            return judge(workload, manifest, measured, runFolder, sink);
        }
    }

    private static String moved(Path runFolder) {
        return "The folder " + runFolder + " was moved or deleted while the run was measured.";
    }

    /// The outcome of measuring, before the verdict.
    private record Measured(RunStatus status, String failure, long droppedSamples, Optional<Boolean> otherGpuProcess,
            Optional<ServerIdentity> server) {}

    private Measured measure(RunPlan plan, Workload workload, ComputingDevice device, int warmUpRequests,
            TargetOpening opening, RecordSink sink) {
        AtomicReference<String> failure = new AtomicReference<>("");
        Consumer<String> breakOff = sentence -> {
            failure.compareAndSet("", sentence);
            cancelled.setRelease(true);
        };
        LiveFrames live = new LiveFrames(clock, frames);
        long droppedSamples = 0;
        Optional<Boolean> otherGpuProcess = Optional.empty();
        Optional<ServerIdentity> server = Optional.empty();
        try (RecordWriter writer = new RecordWriter(sink, () -> breakOff.accept("The record cannot be written."))) {
            PhaseRunner phases = new PhaseRunner(writer, live, clock, cancelled, breakOff,
                    plan.procedure().keepText() ? texts.apply(writer::accept) : null);
            Consumer<TelemetrySample> sampled = sample -> {
                writer.accept(sample);
                live.sampled(sample);
            };
            try (HostProcess process = HostProcess.open();
                    MonitoredGpu gpu = MonitoredGpu.of(device, new GpuAccess());
                    TelemetrySampler sampler = TelemetrySampler.start(gpu.source(process), clock, 0,
                            plan.procedure().sampleEveryMillis(), sampled);
                    LiveFrames ticking = live.start();
                    Target target = opening.open(phases)) {
                server = target.server();
                ArrivalProcess warmUpArrivals = new ArrivalProcess.ClosedLoop(warmUpRequests);
                // This thread generates the load.
                ThreadSlice.shorten();
                phases.run(new RunPhase(Phase.WARM_UP, workload.warmUp(), warmUpArrivals), workload.warmUp().iterator(),
                        target);
                // Done before measuring: drawing a timed load again and collecting garbage.
                RunPhase measuring = RunPhase.measured(workload, plan.cell().workload());
                Iterator<Request> requests = measuring.inOrder();
                if (workload.differentTexts() > 0) {
                    writer.accept(new RunEvent.PromptTexts(clock.nanos(), workload.differentTexts()));
                }
                warmUp.settle();
                Optional<Boolean> before = gpu.sharedWithOthers();
                // Samples missed during warm-up affect no figure.
                long droppedBefore = sampler.droppedSamples();
                phases.run(measuring, requests, target);
                droppedSamples = sampler.droppedSamples() - droppedBefore;
                otherGpuProcess = MonitoredGpu.either(before, gpu.sharedWithOthers());
            } catch (TargetException e) {
                failure.compareAndSet("", String.valueOf(e.getMessage()));
            }
            frames.accept(new WorkerFrame.PhaseStarted(Phase.ANALYSE, clock.nanos()));
            writer.accept(new RunEvent.PhaseStarted(clock.nanos(), Phase.ANALYSE, 0, 0));
            writer.close();
            if (!writer.failure().isEmpty()) {
                return new Measured(RunStatus.FAILED, writer.failure(), droppedSamples, otherGpuProcess, server);
            }
        }
        String reason = Objects.requireNonNullElse(failure.get(), "");
        RunStatus status =
                !reason.isEmpty() ? RunStatus.FAILED : cancelled.get() ? RunStatus.CANCELLED : RunStatus.COMPLETE;
        return new Measured(status, reason, droppedSamples, otherGpuProcess, server);
    }

    private WorkerFrame.Finished judge(Workload workload, RunManifest manifest, Measured measured, Path runFolder,
            RecordSink sink) throws IOException {
        // The record says that it is complete only with its last write.
        sink.flush();
        RunRecord record = store.readRun(runFolder);
        Verdict verdict = RunVerdict.of(record,
                RunVerdict.expectation(manifest.plan().cell().workload(), workload.measured().size()),
                measured.droppedSamples(), measured.otherGpuProcess());
        Optional<String> nothing =
                measured.status() == RunStatus.COMPLETE ? RunVerdict.failure(record) : Optional.empty();
        RunStatus status = nothing.isPresent() ? RunStatus.FAILED : measured.status();
        String failure = nothing.orElse(measured.failure().isEmpty() ? ""
                : measured.failure() + RunVerdict.failedRequests(record, measured.failure()));
        sink.manifest(measured.server().map(manifest::servedBy).orElse(manifest)
                .ended(new RunOutcome(status, failure, measured.droppedSamples(), verdict)));
        return new WorkerFrame.Finished(status, failure);
    }
}
