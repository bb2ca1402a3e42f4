package org.inferometer.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineCatalog;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.measurement.ExperimentSummary;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// One experiment under way: builds what is missing, then runs the plan, a worker process a run.
///
/// One thread of its own; the listener is called on it.
final class ExperimentRun implements RunningExperiment {
    private final Path folder;
    private final RunQueue queue;
    private final ExperimentListener listener;
    private final EngineCatalog engines;
    private final RecordStore store;
    private final Workers workers;
    private final Clock clock;
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private volatile @Nullable WorkerProcess worker;
    private boolean building;
    private final CompletableFuture<ExperimentManifest> end = new CompletableFuture<>();
    private final List<RunRecord> records = new ArrayList<>();
    private final Thread thread;
    private ExperimentManifest manifest;
    private boolean kept; // once the record says that it began

    ExperimentRun(Path folder, ExperimentManifest planned, RunQueue queue, ExperimentListener listener,
            EngineCatalog engines, RecordStore store, Workers workers, Clock clock) {
        this.folder = folder;
        this.manifest = planned;
        this.queue = queue;
        this.listener = listener;
        this.engines = engines;
        this.store = store;
        this.workers = workers;
        this.clock = clock;
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
            throw new IllegalStateException("An experiment always ends with a manifest", e);
        }
    }

    private void stopWhatRuns() {
        WorkerProcess running = worker;
        if (running != null) {
            running.cancel();
        } else {
            interruptBuild();
        }
    }

    /// Only a build needs an interrupt to stop; anything else would lose a file to it.
    private synchronized void interruptBuild() {
        if (building) {
            thread.interrupt();
        }
    }

    private synchronized void buildGoesOn(boolean now) {
        building = now;
        if (!now) {
            // An interrupt that came too late for the build.
            Thread.interrupted();
        }
    }

    /// How it ended.
    ///
    /// @param failure one sentence, or empty
    private record Outcome(RunStatus status, String failure) {}

    private void run() {
        finish(outcome());
    }

    private Outcome outcome() {
        try {
            buildMissing();
            if (!cancelled.get()) {
                measure();
            }
            return cancelled.get() ? new Outcome(RunStatus.CANCELLED, "") : worst();
        } catch (InterruptedException e) {
            return new Outcome(RunStatus.CANCELLED, "");
        } catch (RunFailure | IOException | EngineFormatException e) {
            return new Outcome(cancelled.get() ? RunStatus.CANCELLED : RunStatus.FAILED,
                    String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            return brokenOff(e);
        }
    }

    private static Outcome brokenOff(Throwable fault) {
        System.getLogger(ExperimentRun.class.getName()).log(System.Logger.Level.ERROR, "The experiment broke off",
                fault);
        return new Outcome(RunStatus.FAILED,
                "The experiment broke off by a fault of this program: " + fault + ". What was measured is kept.");
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
        try (MachineLock lock = takeMachine()) {
            store.saveExperiment(folder, manifest);
            kept = true;
            listener.started(manifest);
            for (Optional<RunPlan> next = queue.next(records); next.isPresent() && !cancelled.get(); next =
                    queue.next(records)) {
                if (!manifest.plan().contains(next.get())) {
                    manifest = manifest.withRun(next.get());
                }
                runOne(next.get());
            }
        }
    }

    private MachineLock takeMachine() throws RunFailure, IOException {
        return MachineLock.tryTake(workers.machineLock()).orElseThrow(() -> new RunFailure(
                "Another experiment is being measured on this machine, and two would disturb each other. Wait for it or stop it."));
    }

    private void runOne(RunPlan plan) throws IOException, InterruptedException, RunFailure {
        listener.runStarted(plan);
        int exit;
        String lastWords;
        try (WorkerProcess process = new WorkerProcess(workers.command(), plan)) {
            worker = process;
            if (cancelled.get()) {
                // Cancelled between the check and the start: nobody else saw this worker.
                process.cancel();
            }
            exit = process.listen(frame -> listener.frame(plan, frame));
            lastWords = process.lastWords();
        } finally {
            worker = null;
        }
        RunRecord record = readBack(plan, exit, lastWords);
        records.add(record);
        manifest = manifest.withMachine(record.manifest().machine());
        listener.runEnded(plan, record);
        manifest = ExperimentSummary.of(manifest, records);
        store.saveExperiment(folder, manifest);
    }

    private RunRecord readBack(RunPlan plan, int exit, String lastWords) throws RunFailure {
        Path runFolder = Path.of(plan.folder());
        try {
            return store.readRun(runFolder);
        } catch (IOException e) {
            throw new RunFailure("The worker of " + plan.cell().label() + " ended with exit code " + exit
                    + " and left no readable record (" + e.getMessage() + ")."
                    + (lastWords.isEmpty() ? "" : " Its last words: " + lastWords), e);
        }
    }

    private Outcome worst() {
        List<RunManifest> bad =
                records.stream().map(RunRecord::manifest).filter(run -> run.status() != RunStatus.COMPLETE).toList();
        return bad.isEmpty() ? new Outcome(RunStatus.COMPLETE, "")
                : new Outcome(RunStatus.FAILED,
                        bad.stream().map(run -> run.outcome().failure()).filter(sentence -> !sentence.isEmpty()).findFirst()
                                .orElse("A worker process vanished; what it had written is kept."));
    }

    /// Says the end to the record, the listener and whoever waits; to each of them, whatever goes wrong with the others.
    private void finish(Outcome outcome) {
        // Whatever an interrupt was meant for: it would close the file that says the end.
        Thread.interrupted();
        manifest = ended(outcome);
        try {
            if (kept) {
                store.saveExperiment(folder, manifest);
            }
        } catch (IOException | RuntimeException | Error e) {
            System.getLogger(ExperimentRun.class.getName()).log(System.Logger.Level.WARNING,
                    "The summary could not be written", e);
        }
        try {
            listener.ended(manifest);
        } finally {
            end.complete(manifest);
        }
    }

    private ExperimentManifest ended(Outcome outcome) {
        try {
            return ExperimentSummary.ended(manifest, records, outcome.status(), outcome.failure(), clock.wall());
        } catch (RuntimeException | Error e) {
            return manifest.failed(brokenOff(e).failure(), clock.wall());
        }
    }
}
