package org.inferometer.ui.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.LiveSnapshot.RunLine;
import org.inferometer.ui.bench.LiveSnapshot.RunState;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// Records the live state of an experiment on the service's threads; the window takes snapshots. Thread-safe.
public final class LiveRecorder implements ExperimentListener {
    private static final int KEPT_FRAMES = 1200;

    private final Clock clock;
    private final long startedNanos;
    private final Consumer<LiveRecorder> changed;
    private final Consumer<ExperimentManifest> ended;
    private final FrameTrack track = new FrameTrack(KEPT_FRAMES);
    private final List<RunLine> lines = new ArrayList<>();
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

    /// @param changed called on the service's threads after each change; returns at once
    /// @param ended called once on a thread of the service
    public LiveRecorder(Clock clock, int sampleEveryMillis, Consumer<LiveRecorder> changed,
            Consumer<ExperimentManifest> ended) {
        this.ended = ended;
        this.clock = clock;
        this.startedNanos = clock.nanos();
        this.sampleEveryMillis = sampleEveryMillis;
        this.changed = changed;
    }

    @Override
    public void building(String engine, double fraction) {
        synchronized (this) {
            building = fraction >= 1 ? "" : engine;
            buildFraction = fraction;
        }
        changed.accept(this);
    }

    @Override
    public void started(ExperimentManifest manifest) {
        synchronized (this) {
            building = "";
            lines.clear();
            openEnded = manifest.spec().search();
            manifest.plan().forEach(plan -> lines.add(line(plan, RunState.PLANNED, Double.NaN)));
        }
        changed.accept(this);
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
            set(plan, RunState.RUNNING, Double.NaN);
        }
        changed.accept(this);
    }

    @Override
    public void frame(RunPlan plan, WorkerFrame frame) {
        synchronized (this) {
            if (plan.index().run() != current) {
                return;
            }
            switch (frame) {
                case WorkerFrame.PhaseStarted(Phase begun, long nanos) -> {
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
                        set(plan, RunState.RUNNING, meanRate(live));
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
        changed.accept(this);
    }

    @Override
    public void runEnded(RunPlan plan, RunRecord record) {
        synchronized (this) {
            droppedSamples += record.manifest().outcome().droppedSamples();
            boolean broken = record.manifest().status() == RunStatus.FAILED
                    || record.manifest().status() == RunStatus.INTERRUPTED;
            double rate =
                    plan.index().run() < lines.size() ? lines.get(plan.index().run()).tokensPerSecond() : Double.NaN;
            set(plan, broken ? RunState.FAILED : RunState.ENDED, rate);
        }
        changed.accept(this);
    }

    @Override
    public void ended(ExperimentManifest manifest) {
        ended.accept(manifest);
    }

    /// The current state. May be called from any thread.
    public synchronized LiveSnapshot snapshot() {
        return new LiveSnapshot(building, buildFraction, current, List.copyOf(lines), openEnded, phase, phaseStartNanos,
                latest, track.frames(), (clock.nanos() - startedNanos) / 1e9, sampleEveryMillis, droppedSamples,
                lastLog);
    }

    private double meanRate(WorkerFrame.Live live) {
        double seconds = (live.nanos() - phaseStartNanos) / 1e9;
        return seconds > 0 && live.outputTokens() > 0 ? live.outputTokens() / seconds : Double.NaN;
    }

    private void set(RunPlan plan, RunState state, double rate) {
        if (plan.index().run() >= 0 && plan.index().run() < lines.size()) {
            lines.set(plan.index().run(), line(plan, state, rate));
        } else if (plan.index().run() == lines.size()) {
            // A search adds runs one by one.
            lines.add(line(plan, state, rate));
        }
    }

    private static RunLine line(RunPlan plan, RunState state, double rate) {
        return new RunLine(plan.cell().label(), plan.index().repetition() + 1, state, rate);
    }
}
