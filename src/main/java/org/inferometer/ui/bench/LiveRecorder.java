package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.Phase;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.record.WindowUse;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.WorkerFrame;
import org.inferometer.ui.bench.ConcurrentWindowWork.RunClock;
import org.inferometer.ui.bench.LiveLog.LogEntry;
import org.inferometer.ui.bench.LiveSnapshot.RunLine;
import org.inferometer.ui.bench.LiveSnapshot.RunState;
import org.inferometer.ui.fx.Chips;
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
    private final LiveLog log;
    private @Nullable LiveMode mode = LiveMode.LIVE;
    private @Nullable LiveMode costliest = LiveMode.LIVE;
    private long endedRequests;
    private ProcessorShare processor;
    private OptionalDouble percent = OptionalDouble.empty();
    private final LiveMarkers markers = new LiveMarkers();
    private final ConcurrentWindowWork beside = new ConcurrentWindowWork();
    private final RunClock runClock = new RunClock();

    private record Progress(RunPlan plan, RunState state, double tokensPerSecond, List<Double> rates) {}

    /// @param log receives events and the lines of workers
    /// @param ended called once on a thread of the service
    public LiveRecorder(Clock clock, int sampleEveryMillis, LiveLog log, Consumer<ExperimentManifest> ended) {
        this.log = log;
        this.ended = ended;
        this.clock = clock;
        this.startedNanos = clock.nanos();
        this.sampleEveryMillis = sampleEveryMillis;
        this.processor = ProcessorShare.ofThisProcess(clock);
    }

    /// Notes how much the window shows from now on; null while there is no window.
    public synchronized void show(@Nullable LiveMode now) {
        mode = now;
        if (costliest == null || (now != null && now.ordinal() < costliest.ordinal())) {
            costliest = now;
        }
    }

    /// Requests of measured phases that have ended so far.
    synchronized long measuredRequests() {
        return endedRequests + (isRunning() ? measuredOfRun() : 0);
    }

    private long measuredOfRun() {
        return latest != null && latest.phase() == Phase.MEASURE ? latest.phaseDone() : 0;
    }

    /// Notes that other work of the window begins, such as "report", for the records of the runs beside it.
    ///
    /// @return called at its end
    public synchronized Runnable work(String action) {
        log(LogEntry.Level.EVENT, text("log.beside", action));
        ConcurrentWindowWork.Entry begun = beside.begin(action, clock.nanos());
        return () -> endWork(begun);
    }

    /// Marks the moment in the current run; empty between runs and before the first message of its worker.
    synchronized Optional<LiveMarkers.Placed> mark() {
        if (!isRunning() || !runClock.isKnown()) {
            return Optional.empty();
        }
        LiveMarkers.Placed placed =
                markers.add(current, runClock.at(clock.nanos()), LiveFigures.runFraction(snapshot()));
        log(LogEntry.Level.EVENT, placed.marker().text());
        return Optional.of(placed);
    }

    /// Changes the text of a marker; without text, removes it.
    ///
    /// @return false if its run has ended and its record holds the marker already
    synchronized boolean rename(LiveMarkers.Placed placed, String name) {
        if (placed.run() != current || !isRunning()) {
            return false;
        }
        markers.rename(placed.number(), name);
        return true;
    }

    private boolean isRunning() {
        return current >= 0 && current < runs.size() && runs.get(current).state() == RunState.RUNNING;
    }

    private synchronized void endWork(ConcurrentWindowWork.Entry begun) {
        beside.end(begun, clock.nanos());
    }

    @Override
    public synchronized WindowUse windowUse(RunPlan plan) {
        return new WindowUse(costliest == null ? WindowUse.NONE.mode() : costliest.key(),
                percent.isPresent() ? percent.getAsDouble() / 100 : null, beside.during(runClock, clock.nanos()),
                markers.of(plan.index().run()));
    }

    @Override
    public void building(String engine, double fraction) {
        synchronized (this) {
            if (building.isEmpty() && fraction < 1) {
                log(LogEntry.Level.EVENT, text("log.building", engine));
            }
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
            beside.nextRun();
            runClock.reset();
            set(new Progress(plan, RunState.RUNNING, Double.NaN, List.of()));
            log(LogEntry.Level.EVENT,
                    text("log.run-started", current + 1, plan.cell().label(), plan.index().repetition() + 1));
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
                    runClock.received(nanos, clock.nanos());
                    log(LogEntry.Level.EVENT, text("log.phase", text("phase." + begun.label())));
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
                    runClock.received(live.nanos(), clock.nanos());
                    latest = live;
                    track.add(live);
                    if (live.phase() == Phase.MEASURE) {
                        set(new Progress(plan, RunState.RUNNING, meanRate(live), List.of()));
                    }
                }
                case WorkerFrame.Log(String level, String message) -> log(LogEntry.Level.of(level, message), message);
                case WorkerFrame.Finished finished -> {
                    if (finished.status() == RunStatus.FAILED) {
                        log(LogEntry.Level.ERROR, finished.failure());
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
            endedRequests += run == current ? measuredOfRun() : 0;
            Verdict verdict = record.manifest().outcome().verdict();
            log(broken ? LogEntry.Level.ERROR : LogEntry.Level.EVENT,
                    text("log.run-ended", run + 1, Stream.of(Chips.label(record.manifest().status()),
                            verdict == null ? "" : Chips.label(verdict.grade()), record.manifest().outcome().failure())
                            .filter(part -> !part.isEmpty()).collect(Collectors.joining(", "))));
            double rate = run < runs.size() ? runs.get(run).tokensPerSecond() : Double.NaN;
            set(new Progress(plan, broken ? RunState.FAILED : RunState.ENDED, rate, rates()));
            if (!broken && run == current && phase != Phase.LOAD && phase != Phase.WARM_UP) {
                outlines.end(plan, record.manifest().system().precision(), phaseStartNanos, track.frames());
            }
        }
    }

    /// Adds an event to the log.
    void log(LogEntry.Level level, String line) {
        log.add(level, (clock.nanos() - startedNanos) / 1e9, line);
    }

    @Override
    public void ended(ExperimentManifest manifest) {
        log(manifest.failure().isEmpty() ? LogEntry.Level.EVENT : LogEntry.Level.ERROR,
                text("log.experiment-ended", Chips.label(manifest.status()), manifest.failure()).strip());
        ended.accept(manifest);
    }

    /// The current state. May be called from any thread.
    public synchronized LiveSnapshot snapshot() {
        List<WorkerFrame.Live> frames = track.frames();
        boolean running = isRunning();
        int cell = current >= 0 && current < runs.size() ? runs.get(current).plan().index().cell() : -1;
        return new LiveSnapshot(building, buildFraction, current,
                runs.stream().map(run -> line(run, running && run.plan().index().run() == current)).toList(), openEnded,
                phase, phaseStartNanos, latest, frames, (clock.nanos() - startedNanos) / 1e9, sampleEveryMillis,
                droppedSamples, outlines.beside(cell, current), markers.of(current));
    }

    private RunLine line(Progress run, boolean now) {
        int cell = run.plan().index().cell();
        return new RunLine(run.plan().cell(), outlines.name(cell), outlines.style(cell),
                run.plan().index().repetition() + 1, run.state(), run.tokensPerSecond(), now ? rates() : run.rates(),
                markers.shares(run.plan().index().run()));
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
