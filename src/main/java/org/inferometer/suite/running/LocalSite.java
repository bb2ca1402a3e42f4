package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.FreeMachine;
import org.inferometer.run.RunningExperiment;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.suite.running.TestSite.TestEnd;
import org.jspecify.annotations.Nullable;

/// Runs tests through a service: on this machine in processes of their own, or on another through ssh.
public final class LocalSite implements TestSite {
    /// The site of sessions whose tests run where the program runs.
    public static final String NAME = "here";

    private final BenchmarkService service;
    private final ExperimentListener listener;
    private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
    private volatile @Nullable RunningExperiment running;

    public LocalSite(BenchmarkService service, ExperimentListener listener) {
        this.service = service;
        this.listener = listener;
    }

    @Override
    public TestEnd run(SessionFolder folder, int test, SessionProgress progress)
            throws IOException, InterruptedException {
        SessionTest planned = progress.test(test);
        if (!planned.job().isEmpty()) {
            throw new IOException(planned.id() + " runs as job " + planned.job()
                    + " on a cluster. Collect it there: inferometer suite collect " + folder.path());
        }
        progress.begun(test);
        List<String> results = new ArrayList<>();
        for (String name : planned.experiments()) {
            try {
                Optional<ExperimentManifest> ended = measured(folder.of(planned).resolve(name), results);
                if (ended.isEmpty() || ended.get().status() == RunStatus.CANCELLED) {
                    return new TestEnd(State.CANCELLED, "", results);
                }
                if (ended.get().status() != RunStatus.COMPLETE) {
                    return new TestEnd(State.FAILED, reason(ended.get()), results);
                }
            } catch (PlanException e) {
                return new TestEnd(State.BLOCKED,
                        e.faults().stream().map(PlanFault::sentence).distinct().collect(Collectors.joining(" ")),
                        results);
            }
        }
        return new TestEnd(State.COMPLETE, "", results);
    }

    /// Empty if it was stopped before it began.
    private Optional<ExperimentManifest> measured(Path file, List<String> results)
            throws PlanException, InterruptedException {
        ExperimentSpec spec = new SpecReader().read(file);
        Optional<RunningExperiment> begun = begun(spec);
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        RunningExperiment started = begun.get();
        running = started;
        if (cancelled.isDone()) {
            started.cancel();
        }
        ExperimentManifest ended = started.await();
        results.add(String.valueOf(started.folder().getFileName()));
        return Optional.of(ended);
    }

    /// Another machine may take long to answer; a stop does not wait for it.
    private Optional<RunningExperiment> begun(ExperimentSpec spec) throws PlanException, InterruptedException {
        CompletableFuture<RunningExperiment> start = CompletableFuture.supplyAsync(() -> {
            try {
                FreeMachine.await(service, waiting -> {}, () -> !cancelled.isDone());
                return service.start(spec, listener);
            } catch (PlanException | InterruptedException e) {
                throw new CompletionException(e);
            }
        }, task -> Thread.ofPlatform().name("suite-start").daemon().start(task));
        try {
            CompletableFuture.anyOf(start, cancelled).get();
            if (start.isDone()) {
                return Optional.of(start.get());
            }
            start.thenAccept(RunningExperiment::cancel);
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PlanException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private static String reason(ExperimentManifest ended) {
        return ended.failure().isEmpty() ? "The experiment ended " + ended.status().id() + "." : ended.failure();
    }

    @Override
    public void cancel() {
        cancelled.complete(null);
        RunningExperiment now = running;
        if (now != null) {
            now.cancel();
        }
    }
}
