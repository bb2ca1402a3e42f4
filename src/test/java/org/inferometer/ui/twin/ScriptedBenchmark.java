package org.inferometer.ui.twin;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.options.Access;
import org.inferometer.options.OptionException;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.LatencyBins;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.run.SchedulerLanes;
import org.inferometer.run.WorkerFrame;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.SchedulerRegistry;

/// Plays an experiment from a script, on a thread of its own: it stops in the middle of a run until it is told to go on, so that a
/// test can look at the live picture, and then plays to the end.
public final class ScriptedBenchmark implements BenchmarkService {
    private static final long BEAT_NANOS = 100_000_000L;
    private static final int CORES = 2;
    private static final int WARM_UP_FRAMES = 12;
    private static final int MEASURE_FRAMES = 40;
    private static final double[] RATES = {212, 655, 348, 1043};

    private final LibraryTwin library;
    private final Semaphore goOn = new Semaphore(0);
    private final CountDownLatch inTheMiddle = new CountDownLatch(1);
    private final int pauseInRun;
    private final int measureFrames;
    private final boolean waitsWhileLoading;
    private final LongConsumer beat;
    private volatile List<PlanFault> faults = List.of();
    private volatile boolean cancelled;
    private volatile int started;
    private volatile boolean playing;

    /// @param pauseInRun the run in whose middle it waits
    public ScriptedBenchmark(LibraryTwin library, int pauseInRun) {
        this(library, pauseInRun, false, MEASURE_FRAMES, nanos -> {});
    }

    /// The same, which can also wait at the begin of that run.
    public ScriptedBenchmark(LibraryTwin library, int pauseInRun, boolean waitsWhileLoading) {
        this(library, pauseInRun, waitsWhileLoading, MEASURE_FRAMES, nanos -> {});
    }

    /// @param waitsWhileLoading whether it also waits at the begin of that run
    /// @param measureFrames frames of the measured phase of each run
    /// @param beat called before each frame with the time since the frame before
    ScriptedBenchmark(LibraryTwin library, int pauseInRun, boolean waitsWhileLoading, int measureFrames,
            LongConsumer beat) {
        this.library = library;
        this.pauseInRun = pauseInRun;
        this.waitsWhileLoading = waitsWhileLoading;
        this.measureFrames = measureFrames;
        this.beat = beat;
    }

    /// Lets the experiment play to its end.
    public void goOn() {
        goOn.release();
    }

    /// Waits until the experiment stands in the middle of a run.
    public void awaitTheMiddle() throws InterruptedException {
        inTheMiddle.await();
    }

    /// Whether nothing plays: no experiment runs, or it waits to be told to go on.
    public boolean rests() {
        return !playing || goOn.hasQueuedThreads();
    }

    /// Refuses every plan from now on.
    public void refuse(PlanFault fault) {
        faults = List.of(fault);
    }

    /// Whether the experiment that was started last was requested to stop.
    public boolean wasCancelled() {
        return cancelled;
    }

    /// How many experiments were started.
    public int started() {
        return started;
    }

    @Override
    public List<Access> accesses(ExperimentSpec spec) {
        return List.of();
    }

    @Override
    public List<PlanFault> check(ExperimentSpec spec) {
        return faults;
    }

    @Override
    public Estimate estimate(ExperimentSpec spec) {
        int runs = spec.cells().size() * spec.runs();
        return new Estimate(runs, runs * spec.workloads().getFirst().requests(), 15L << 20, 64L << 20, 24L << 30);
    }

    @Override
    public List<SchedulerLanes> lanes(ExperimentSpec spec) {
        return spec.schedulers().stream()
                .filter(scheduler -> SchedulerRegistry.standard().names().contains(scheduler.name())).map(scheduler -> {
                    try {
                        LaneLayout layout = SchedulerRegistry.standard().find(scheduler.name()).layout(scheduler, 0);
                        int threads = Math.max(1, CORES / layout.computingLanes());
                        return new SchedulerLanes(scheduler, layout,
                                layout.lanes().stream().map(lane -> threads).toList());
                    } catch (OptionException e) {
                        throw new IllegalStateException(e);
                    }
                }).toList();
    }

    @Override
    public RunningExperiment start(ExperimentSpec spec, ExperimentListener listener) throws PlanException {
        if (!faults.isEmpty()) {
            throw new PlanException(faults);
        }
        started++;
        cancelled = false;
        String id = "2026-11-21_1415%02d_%s".formatted(started, spec.name());
        Path folder = library.folder().resolve(id);
        CountDownLatch over = new CountDownLatch(1);
        ExperimentManifest[] last = new ExperimentManifest[1];
        playing = true;
        Thread thread = new Thread(() -> {
            last[0] = play(spec, id, folder, listener);
            playing = false;
            over.countDown();
        }, "scripted-benchmark");
        thread.setDaemon(true);
        thread.start();
        return new RunningExperiment() {
            @Override
            public Path folder() {
                return folder;
            }

            @Override
            public void cancel() {
                cancelled = true;
                goOn.release(2);
            }

            @Override
            public ExperimentManifest await() throws InterruptedException {
                over.await();
                return last[0];
            }
        };
    }

    private ExperimentManifest play(ExperimentSpec spec, String id, Path folder, ExperimentListener listener) {
        Instant begun = Instant.parse("2026-11-21T14:15:03Z");
        listener.building("tiny-int4", 0.4);
        listener.building("tiny-int4", 1);
        ExperimentManifest running = Experiments.manifest(id, spec, RunStatus.RUNNING, null, begun);
        listener.started(running);
        for (RunPlan plan : running.plan()) {
            if (!cancelled) {
                playRun(plan, running, listener);
            }
        }
        boolean enough = spec.runs() >= 3;
        ExperimentManifest ended = Experiments.manifest(id, spec, cancelled ? RunStatus.CANCELLED : RunStatus.COMPLETE,
                enough ? Verdict.Grade.VALID : Verdict.Grade.PREVIEW, begun);
        library.add(Experiments.record(folder, ended, List.of()));
        listener.ended(ended);
        return ended;
    }

    private void playRun(RunPlan plan, ExperimentManifest manifest, ExperimentListener listener) {
        listener.runStarted(plan);
        listener.frame(plan, new WorkerFrame.PhaseStarted(Phase.LOAD, 0));
        if (waitsWhileLoading && plan.index().run() == pauseInRun) {
            pause();
        }
        long nanos = 0;
        double rate = RATES[plan.index().cell() % RATES.length];
        listener.frame(plan, new WorkerFrame.PhaseStarted(Phase.WARM_UP, nanos));
        for (int i = 0; i < WARM_UP_FRAMES; i++) {
            nanos += BEAT_NANOS;
            beat.accept(BEAT_NANOS);
            listener.frame(plan, live(nanos, Phase.WARM_UP, i, WARM_UP_FRAMES, 4, rate * 0.7));
        }
        listener.frame(plan, new WorkerFrame.PhaseStarted(Phase.MEASURE, nanos));
        for (int i = 0; i < measureFrames; i++) {
            nanos += BEAT_NANOS;
            beat.accept(BEAT_NANOS);
            listener.frame(plan, live(nanos, Phase.MEASURE, i, measureFrames, 24, rate));
            if (plan.index().run() == pauseInRun && i == measureFrames * 2 / 3) {
                pause();
            }
        }
        listener.frame(plan, new WorkerFrame.PhaseStarted(Phase.ANALYSE, nanos));
        listener.frame(plan, new WorkerFrame.Finished(RunStatus.COMPLETE, ""));
        listener.runEnded(plan, Experiments.runRecord(plan, manifest));
    }

    private void pause() {
        inTheMiddle.countDown();
        try {
            goOn.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A frame of a steady run with a wave on it, so that charts have a shape.
    static WorkerFrame.Live live(long nanos, Phase phase, int frame, int frames, int requests, double rate) {
        double seconds = (frame + 1) * BEAT_NANOS / 1e9;
        double tokens = rate * (seconds + 0.12 * Math.sin(seconds * 3.1) + 0.03 * Math.sin(seconds * 11));
        long[] ttft = new long[LatencyBins.COUNT];
        long[] itl = new long[LatencyBins.COUNT];
        for (int i = 0; i < LatencyBins.COUNT; i++) {
            double milliseconds = LatencyBins.edge(i) / 1e6;
            ttft[i] = Math.round((frame + 1) * 6 * Math.exp(-Math.pow(Math.log(milliseconds / 60), 2) / 0.5));
            itl[i] = Math.round((frame + 1) * 40 * Math.exp(-Math.pow(Math.log(milliseconds / 7), 2) / 0.12));
        }
        long mib = 1 << 20;
        long kv = Math.round((20 + 30 * Math.min(1, seconds)) * mib);
        long other = 96 * mib;
        long[] owners = {15 * mib, kv, 6 * mib, 9 * mib, other};
        return new WorkerFrame.Live(nanos, phase, requests * (frame + 1) / frames, requests, (frame + 1.0) / frames,
                Math.max(0, Math.round(tokens)), Math.round(rate * 0.9 * seconds), Math.min(8, frame + 1), frame % 3,
                owners, 15 * mib + kv + 15 * mib + other, Math.round(nanos * 1.8 + 2e8 * Math.sin(seconds * 2)), ttft,
                itl, frame == 25 ? 2_400_000 : 40_000 + 9000L * (frame % 7), null);
    }
}
