package org.inferometer.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.measurement.verdict.ExperimentSummary;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.units.AnchoredClock;
import org.inferometer.units.Clock;
import org.inferometer.units.FileFault;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// A running experiment: builds missing engines, then runs the plan with one worker process per run.
///
/// Runs on its own thread, which also calls the listener.
final class ExperimentRun implements RunningExperiment {
    private final Path folder;
    private final RunQueue queue;
    private final ExperimentListener listener;
    private final EngineCatalog engines;
    private final RecordStore store;
    private final RunHost host;
    private final Clock clock;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private volatile RunHost.@Nullable Session worker;
    private boolean building;
    private final CompletableFuture<ExperimentManifest> end = new CompletableFuture<>();
    private final List<RunRecord> records = new ArrayList<>();
    private final RecordRecovery recovery;
    private final RepeatedFailure repeatedFailure = new RepeatedFailure();
    private final Thread thread;
    private ExperimentManifest manifest;
    private boolean kept; // after the record states the start

    ExperimentRun(Path folder, ExperimentManifest planned, RunQueue queue, ExperimentListener listener,
            EngineCatalog engines, RecordStore store, RunHost host, Clock clock) {
        this.folder = folder;
        this.manifest = planned;
        this.queue = queue;
        this.listener = listener;
        this.engines = engines;
        this.store = store;
        this.host = host;
        this.clock = new AnchoredClock(clock, planned.times().start().orElseGet(clock::wall));
        this.recovery = new RecordRecovery(folder, store, this.clock);
        this.thread = Thread.ofPlatform().name("experiment").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public Path folder() {
        return folder;
    }

    @Override
    public void cancel() {
        if (cancelled.compareAndSet(false, true)) {
            Thread.ofPlatform().name("experiment-cancel").start(this::stopWhatRuns);
        }
    }

    @Override
    public ExperimentManifest await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The experiment ended without a manifest", e);
        }
    }

    private void stopWhatRuns() {
        RunHost.Session running = worker;
        if (running != null) {
            running.cancel();
        } else {
            interruptBuild();
        }
    }

    /// Interrupts a build only: an interrupt elsewhere would close a file during a write.
    private synchronized void interruptBuild() {
        if (building) {
            thread.interrupt();
        }
    }

    private synchronized void buildGoesOn(boolean now) {
        building = now;
        if (!now) {
            // Clears an interrupt that arrived after the build.
            Thread.interrupted();
        }
    }

    /// The outcome.
    ///
    /// @param failure one sentence, or empty
    private record RunOutcome(RunStatus status, String failure) {}

    private void run() {
        finish(outcome());
    }

    private RunOutcome outcome() {
        try {
            buildMissing();
            if (!cancelled.get()) {
                measure();
            }
            return cancelled.get() ? new RunOutcome(RunStatus.CANCELLED, "") : worst();
        } catch (InterruptedException e) {
            return new RunOutcome(RunStatus.CANCELLED, "");
        } catch (IOException e) {
            return failed(kept && Files.notExists(folder) ? moved() : FileFault.sentence(e));
        } catch (RunFailure | EngineFormatException e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            return brokenOff(e);
        }
    }

    private RunOutcome failed(String why) {
        return new RunOutcome(cancelled.get() ? RunStatus.CANCELLED : RunStatus.FAILED, why);
    }

    private static RunOutcome brokenOff(Throwable fault) {
        System.getLogger(ExperimentRun.class.getName()).log(System.Logger.Level.ERROR, "The experiment ended early",
                fault);
        return new RunOutcome(RunStatus.FAILED,
                "The experiment failed because of an internal error: " + fault + ". Finished runs are kept.");
    }

    private void buildMissing() throws EngineFormatException {
        buildGoesOn(true);
        try {
            for (String name : manifest.spec().engines()) {
                EngineEntry entry = engines.find(name);
                if (entry.state() == EngineEntry.State.RECIPE_ONLY && !cancelled.get()) {
                    new EngineBuilder().build(entry, fraction -> listener.building(name, fraction));
                }
            }
        } finally {
            buildGoesOn(false);
        }
    }

    private void measure() throws IOException, InterruptedException, RunFailure, EngineFormatException {
        try (Closeable reservation = host.reserve(); ScheduledExecutorService watch = watch()) {
            requireDiskSpace();
            store.saveExperiment(folder, manifest);
            kept = true;
            listener.started(manifest);
            Optional<RunPlan> next = queue.next(records);
            while (next.isPresent() && !cancelled.get()) {
                if (!manifest.plan().contains(next.get())) {
                    manifest = manifest.withRun(next.get());
                }
                RunRecord record = runOne(next.get());
                next = queue.next(records);
                if (repeatedFailure.isHopelessAfter(record) && next.isPresent()) {
                    throw new RunFailure(
                            stopped(record, RepeatedFailure.MOST + " runs in a row failed with this cause."));
                }
                if (RepeatedFailure.isTargetUnusable(record) && manifest.spec().subjects().size() == 1
                        && next.isPresent()) {
                    throw new RunFailure(stopped(record, "No request can succeed."));
                }
            }
        }
    }

    private void requireDiskSpace() throws RunFailure {
        long needed = RecordEstimate.bytes(manifest);
        long free = store.freeBytes(folder);
        if (free < needed) {
            throw new RunFailure("The records need about " + QuantityText.bytes(needed) + ", the disk of " + folder
                    + " has " + QuantityText.bytes(free)
                    + " free. Free disk space, choose another folder with --out, or plan fewer runs or requests.");
        }
    }

    private String stopped(RunRecord last, String why) {
        int left = manifest.plan().size() - records.size();
        return last.manifest().outcome().failure() + " Stopped: " + why + " "
                + (left > 0 ? left + (left == 1 ? " run was" : " runs were") : "Further runs were") + " not started.";
    }

    private RunRecord runOne(RunPlan plan) throws IOException, InterruptedException, RunFailure {
        requireFolder();
        host.keepReserved();
        listener.runStarted(plan);
        RunRecord measured = measured(plan);
        requireFolder();
        Optional<RunFailure> disturbed = disturbed();
        RunRecord record = recovery.shownBy(disturbed.map(why -> recovery.failed(measured, why)).orElse(measured),
                listener.windowUse(plan));
        records.add(record);
        manifest = manifest.withMachine(record.manifest().machine());
        listener.runEnded(plan, record);
        manifest = ExperimentSummary.of(manifest, records);
        store.saveExperiment(folder, manifest);
        if (disturbed.isPresent()) {
            throw disturbed.get();
        }
        return record;
    }

    /// Why the run that ended may not have been alone on the machine.
    private Optional<RunFailure> disturbed() throws IOException {
        try {
            host.keepReserved();
            return Optional.empty();
        } catch (RunFailure e) {
            return Optional.of(e);
        }
    }

    /// A folder that is gone is not created again: that would look like a result of which runs are lost.
    private void requireFolder() throws RunFailure {
        if (!store.isInPlace(folder)) {
            throw new RunFailure(moved());
        }
    }

    private String moved() {
        long complete = records.stream().filter(run -> run.manifest().status() == RunStatus.COMPLETE).count();
        return "The folder " + folder + " was moved or deleted while it was measured. "
                + (complete == 0 ? "No run was complete."
                        : complete + " of " + manifest.plan().size()
                                + " runs were complete; they are where the folder is now.")
                + " Leave it in place until the experiment has ended.";
    }

    /// Looks at the files until it is closed, also while a worker says nothing.
    private ScheduledExecutorService watch() {
        ScheduledExecutorService watch = Executors
                .newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("experiment-watch").factory());
        long nanos = host.lookEvery().toNanos();
        watch.scheduleWithFixedDelay(this::watchFiles, nanos, nanos, TimeUnit.NANOSECONDS);
        return watch;
    }

    /// Looks at the lock files; stops the worker once its record has lost its place.
    private void watchFiles() {
        host.watchReservation();
        RunHost.Session running = worker;
        if (running != null && !store.isInPlace(folder)) {
            running.cancel();
        }
    }

    private RunRecord measured(RunPlan plan) throws InterruptedException, RunFailure {
        try (RunHost.Session session = host.start(plan)) {
            worker = session;
            if (cancelled.get()) {
                // Cancelled between check and start: only this thread knows the worker.
                session.cancel();
            }
            WorkerExit exit = session.listen(frame -> listener.frame(plan, frame));
            requireFolder();
            return recovery.read(plan, exit, manifest, cancelled.get());
        } catch (IOException e) {
            requireFolder();
            return recovery.notMeasured(plan, "The worker cannot be started or reached. " + FileFault.sentence(e),
                    manifest, cancelled.get());
        } finally {
            worker = null;
        }
    }

    private RunOutcome worst() {
        List<RunManifest> bad =
                records.stream().map(RunRecord::manifest).filter(run -> run.status() != RunStatus.COMPLETE).toList();
        return bad.isEmpty() ? new RunOutcome(RunStatus.COMPLETE, "") : new RunOutcome(RunStatus.FAILED, bad.stream()
                .map(run -> run.outcome().failure()).filter(sentence -> !sentence.isEmpty()).findFirst().orElse(""));
    }

    /// Records the end and notifies the listener and waiting callers. A failure of one does not affect the others.
    private void finish(RunOutcome outcome) {
        // Clears a pending interrupt, which would close the manifest's file during the write.
        Thread.interrupted();
        manifest = ended(outcome);
        try {
            if (kept) {
                store.saveExperiment(folder, manifest);
            }
        } catch (IOException e) {
            String why = "The summary cannot be written. " + FileFault.sentence(e) + " Finished runs are kept.";
            System.getLogger(ExperimentRun.class.getName()).log(System.Logger.Level.WARNING, why);
            if (manifest.failure().isEmpty()) {
                manifest = manifest.failed(why, clock.wall());
            }
        } catch (RuntimeException | Error e) {
            manifest = manifest.failed(brokenOff(e).failure(), clock.wall());
        }
        try {
            listener.ended(manifest);
        } finally {
            end.complete(manifest);
        }
    }

    private ExperimentManifest ended(RunOutcome outcome) {
        try {
            return ExperimentSummary.ended(manifest, records, outcome.status(), outcome.failure(), clock.wall());
        } catch (RuntimeException | Error e) {
            return manifest.failed(brokenOff(e).failure(), clock.wall());
        }
    }
}
