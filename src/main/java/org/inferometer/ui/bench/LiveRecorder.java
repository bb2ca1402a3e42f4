package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.WindowUse;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveSnapshot.RunLine;
import org.inferometer.ui.bench.LiveSnapshot.RunState;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Records the live state of an experiment on the service's threads; the window takes snapshots. Thread-safe.
public final class LiveRecorder implements ExperimentListener {
    private static final int KEPT_FRAMES = 1200;
    private static final int SMALL_LINE = 48;

    private final Clock clock;
    private final long startedNanos;
    private final Consumer<ExperimentManifest> ended;
    private final FrameTrack track = new FrameTrack(KEPT_FRAMES);
    private final List<Progress> runs = new ArrayList<>();
    private final RunOutlines outlines = new RunOutlines();
    private final int sampleEveryMillis;
    private String building = "";
    private double buildFraction;
    private int current = -1;
    private boolean openEnded;
    private Phase phase = Phase.LOAD;
    private long phaseStartNanos;
    private WorkerFrame.@Nullable Live latest;
    private long droppedSamples;
    private String lastLog = "";
    private LiveMode mode = LiveMode.LIVE;
    private LiveMode costliest = LiveMode.LIVE;
    private ProcessorShare processor;
    private OptionalDouble percent = OptionalDouble.empty();
    private final Set<String> actions = new LinkedHashSet<>();

    private record Progress(RunPlan plan, RunState state, double tokensPerSecond, List<Double> rates) {}

    /// @param ended called once on a thread of the service
    public LiveRecorder(Clock clock, int sampleEveryMillis, Consumer<ExperimentManifest> ended) {
        this.ended = ended;
        this.clock = clock;
        this.startedNanos = clock.nanos();
        this.sampleEveryMillis = sampleEveryMillis;
        this.processor = ProcessorShare.ofThisProcess(clock);
    }

    /// Notes how much the window shows from now on.
    public synchronized void show(LiveMode now) {
        mode = now;
        if (now.ordinal() < costliest.ordinal()) {
            costliest = now;
        }
    }

    /// Notes other work of the window, such as "report", for the record of the current run.
    public synchronized void work(String action) {
        actions.add(action);
    }

    @Override
    public synchronized WindowUse windowUse(RunPlan plan) {
        return new WindowUse(costliest.key(), percent.isPresent() ? percent.getAsDouble() / 100 : null,
                List.copyOf(actions));
    }

    @Override
    public void building(String engine, double fraction) {
        synchronized (this) {
            building = fraction >= 1 ? "" : engine;
            buildFraction = fraction;
        }
    }

    @Override
    public void started(ExperimentManifest manifest) {
        synchronized (this) {
            building = "";
            runs.clear();
            outlines.begin(manifest);
            openEnded = manifest.spec().search();
            manifest.plan().forEach(plan -> runs.add(new Progress(plan, RunState.PLANNED, Double.NaN, List.of())));
        }
    }

    @Override
    public void runStarted(RunPlan plan) {
        synchronized (this) {
            building = "";
            current = plan.index().run();
            phase = Phase.LOAD;
            phaseStartNanos = 0;
            latest = null;
            track.clear();
            outlines.add(plan);
            costliest = mode;
            percent = OptionalDouble.empty();
            actions.clear();
            set(new Progress(plan, RunState.RUNNING, Double.NaN, List.of()));
        }
    }

    @Override
    public void frame(RunPlan plan, WorkerFrame frame) {
        synchronized (this) {
            if (plan.index().run() != current) {
                return;
            }
            switch (frame) {
                case WorkerFrame.PhaseStarted(Phase begun, long nanos) -> {
                    if (begun == Phase.MEASURE) {
                        costliest = mode;
                        processor = ProcessorShare.ofThisProcess(clock);
                    } else if (phase == Phase.MEASURE) {
                        percent = processor.read();
                    }
                    phase = begun;
                    // During analysis the rates stay those of the measured phase.
                    if (begun != Phase.ANALYSE) {
                        phaseStartNanos = nanos;
                    }
                }
                case WorkerFrame.Live live -> {
                    latest = live;
                    track.add(live);
                    if (live.phase() == Phase.MEASURE) {
                        set(new Progress(plan, RunState.RUNNING, meanRate(live), List.of()));
                    }
                }
                case WorkerFrame.Log log -> lastLog = log.message();
                case WorkerFrame.Finished finished -> {
                    if (finished.status() == RunStatus.FAILED) {
                        lastLog = finished.failure();
                    }
                }
            }
        }
    }

    @Override
    public void runEnded(RunPlan plan, RunRecord record) {
        synchronized (this) {
            droppedSamples += record.manifest().outcome().droppedSamples();
            boolean broken = record.manifest().status() == RunStatus.FAILED
                    || record.manifest().status() == RunStatus.INTERRUPTED;
            int run = plan.index().run();
            double rate = run < runs.size() ? runs.get(run).tokensPerSecond() : Double.NaN;
            set(new Progress(plan, broken ? RunState.FAILED : RunState.ENDED, rate, rates()));
            if (!broken && run == current && phase != Phase.LOAD && phase != Phase.WARM_UP) {
                outlines.end(plan, record.manifest().system().precision(), phaseStartNanos, track.frames());
            }
        }
    }

    @Override
    public void ended(ExperimentManifest manifest) {
        ended.accept(manifest);
    }

    /// The current state. May be called from any thread.
    public synchronized LiveSnapshot snapshot() {
        List<WorkerFrame.Live> frames = track.frames();
        boolean running = current >= 0 && current < runs.size() && runs.get(current).state() == RunState.RUNNING;
        int cell = current >= 0 && current < runs.size() ? runs.get(current).plan().index().cell() : -1;
        return new LiveSnapshot(building, buildFraction, current,
                runs.stream().map(run -> line(run, running && run.plan().index().run() == current)).toList(), openEnded,
                phase, phaseStartNanos, latest, frames, (clock.nanos() - startedNanos) / 1e9, sampleEveryMillis,
                droppedSamples, lastLog, outlines.beside(cell, current));
    }

    private RunLine line(Progress run, boolean now) {
        int cell = run.plan().index().cell();
        return new RunLine(run.plan().cell(), outlines.name(cell), outlines.style(cell),
                run.plan().index().repetition() + 1, run.state(), run.tokensPerSecond(), now ? rates() : run.rates());
    }

    private List<Double> rates() {
        return LiveFigures.rates(FrameTrack.thinned(track.frames(), SMALL_LINE));
    }

    private double meanRate(WorkerFrame.Live live) {
        double seconds = (live.nanos() - phaseStartNanos) / 1e9;
        return seconds > 0 && live.outputTokens() > 0 ? live.outputTokens() / seconds : Double.NaN;
    }

    private void set(Progress run) {
        int index = run.plan().index().run();
        if (index >= 0 && index < runs.size()) {
            runs.set(index, run);
        } else if (index == runs.size()) {
            // A search adds runs one by one.
            runs.add(run);
        }
    }
}
