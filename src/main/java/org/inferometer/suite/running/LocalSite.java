package org.inferometer.suite.running;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.experiment.SpecReader;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.suite.running.SessionTest.State;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Runs tests through a service: on this machine in processes of their own, or on another through ssh.
public final class LocalSite implements TestSite {
    /// The site of sessions whose tests run where the program runs.
    public static final String NAME = "here";

    private final BenchmarkService service;
    private final ExperimentListener listener;
    private final Clock clock;
    private final Object lock = new Object();
    private @Nullable RunningExperiment running;
    private boolean cancelled;

    public LocalSite(BenchmarkService service, ExperimentListener listener, Clock clock) {
        this.service = service;
        this.listener = listener;
        this.clock = clock;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TestEnd run(SessionFolder folder, int test, SessionProgress progress)
            throws IOException, InterruptedException {
        SessionTest planned = progress.test(test);
        progress.begun(test, clock.wall());
        List<String> results = new ArrayList<>();
        for (String name : planned.experiments()) {
            try {
                ExperimentManifest ended = measured(folder.of(planned).resolve(name), results);
                if (ended.status() != RunStatus.COMPLETE) {
                    boolean stopped = ended.status() == RunStatus.CANCELLED;
                    return new TestEnd(stopped ? State.CANCELLED : State.FAILED, stopped ? "" : reason(ended), results);
                }
            } catch (PlanException e) {
                return new TestEnd(State.BLOCKED,
                        e.faults().stream().map(PlanFault::sentence).distinct().collect(Collectors.joining(" ")),
                        results);
            }
        }
        return new TestEnd(State.COMPLETE, "", results);
    }

    private ExperimentManifest measured(Path file, List<String> results) throws PlanException, InterruptedException {
        ExperimentSpec spec = new SpecReader().read(file);
        RunningExperiment started;
        synchronized (lock) {
            started = service.start(spec, listener);
            running = started;
            if (cancelled) {
                started.cancel();
            }
        }
        ExperimentManifest ended = started.await();
        results.add(String.valueOf(started.folder().getFileName()));
        return ended;
    }

    private static String reason(ExperimentManifest ended) {
        return ended.failure().isEmpty() ? "The experiment ended " + ended.status().id() + "." : ended.failure();
    }

    @Override
    public void cancel() {
        synchronized (lock) {
            cancelled = true;
            if (running != null) {
                running.cancel();
            }
        }
    }
}
