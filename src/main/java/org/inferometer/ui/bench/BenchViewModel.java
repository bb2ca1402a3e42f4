package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.beans.value.ChangeListener;
import javafx.beans.value.ObservableValue;
import javafx.collections.ListChangeListener;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.options.Selection;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.report.compare.Findings;
import org.inferometer.run.BenchmarkService;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.bench.LiveLog.LogEntry;
import org.inferometer.ui.bench.LiveViewModel.LiveChart;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.EngineChoices.EngineChoice;
import org.inferometer.ui.designer.QuickReadiness;
import org.inferometer.ui.designer.RecipeImport;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.ui.machines.OtherMachines;
import org.inferometer.ui.machines.OtherMachines.OtherMachine;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.units.Clock;
import org.inferometer.wording.Voice;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// The state of the Bench view. Belongs to the UI thread.
public final class BenchViewModel {
    private static final String CHAT = "chat";
    private static final int SERVER_RUNS = 3;
    private static final Set<LiveChart> FIRST_CHARTS = EnumSet.range(LiveChart.THROUGHPUT, LiveChart.TTFT);
    private final DesignerServices services;
    private final ResultTools results;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final Clock clock;
    private final int cores;
    private final DesignerViewModel designer;
    private final LiveViewModel live = new LiveViewModel();
    private final LiveLog lines = new LiveLog();
    private final LogViewModel log;
    private final ReadOnlyObjectWrapper<BenchState> state = new ReadOnlyObjectWrapper<>(new BenchState.Editing());
    private final ReadOnlyObjectWrapper<QuickReadiness> readiness = new ReadOnlyObjectWrapper<>(QuickReadiness.READY);
    private final ReadOnlyStringWrapper marking = new ReadOnlyStringWrapper();
    private LiveMarkers.@Nullable Placed marked;
    private boolean showing = true;
    private Ticks.@Nullable Beat beat;
    private long beats;
    private boolean window = true;
    private boolean ofSuite;
    private Runnable experimentEnded = () -> {};
    private Consumer<Path> discarded = folder -> {};
    private LongPredicate largeBuild = bytes -> false;

    /// @param others machines that experiments can run on beside this one; absent where there are none
    public BenchViewModel(DesignerServices services, ResultTools results, BackgroundWork work, Ticks ticks, Clock clock,
            int cores, @Nullable OtherMachines others) {
        this.services = services;
        this.results = results;
        this.work = work;
        this.ticks = ticks;
        this.clock = clock;
        this.cores = cores;
        designer = new DesignerViewModel(services, work, others);
        designer.machine().chosen().addListener((observed, before, now) -> refreshEngines());
        designer.engines().all().addListener((ListChangeListener<EngineChoice>) change -> showReadiness());
        log = new LogViewModel(lines, ticks);
        live.mode().subscribe(() -> {
            if (state.get() instanceof BenchState.Running running) {
                stopDrawing();
                running.recorder().show(shownMode());
                live.applyTime(running.recorder().snapshot());
                startDrawing(running.recorder());
            }
        });
    }

    /// Lists the engines of the chosen machine in the background.
    public void refreshEngines() {
        if (designer.machine().chosen().get() != null) {
            designer.machine().refresh();
            return;
        }
        work.run(WindowWork.OWN, () -> services.engines().get(), entries -> {
            if (designer.machine().chosen().get() == null) {
                designer.setEngines(entries);
                // An empty list stays as it was.
                showReadiness();
            }
        }, failure -> readiness
                .set(new QuickReadiness(text("bench.engines-unread", ErrorText.sentence(failure)), List.of())));
    }

    private void showReadiness() {
        readiness.set(QuickReadiness.of(services.quick(), designer.engines().all()));
    }

    /// Loads the quick preset into the designer and runs it. No effect while its engines are missing.
    public void runQuick() {
        if (readiness.get().equals(QuickReadiness.READY)) {
            loadAndStart(services.quick());
        }
    }

    /// Runs the quick benchmark on other engines.
    void runQuickOn(List<String> engines) {
        loadAndStart(services.quick().withEngines(engines));
    }

    /// Measures a server with chats, so many of them in flight, three times each.
    void measureServer(Selection target, List<Integer> inFlight) {
        loadAndStart(ofServer(target, inFlight));
    }

    /// Puts a server alone into the designer.
    void designServer(Selection target) {
        designer.load(ofServer(target, List.of(1, 8)));
    }

    private ExperimentSpec ofServer(Selection target, List<Integer> inFlight) {
        WorkloadSpec chat = new WorkloadPresets().find(CHAT);
        return services.quick().onTargetsOnly(List.of(target)).named("server").withRuns(SERVER_RUNS).withBaseline(null)
                .withWorkloads(
                        inFlight.stream().map(users -> chat.withSlots(users).withName(CHAT + "-c" + users)).toList());
    }

    /// Copies recipes of engines into the workspace in the background.
    ///
    /// @param chosen the folder of an engine, or a folder of engines
    /// @param done receives the names of the new engines
    void addEngines(Path chosen, Consumer<List<String>> done, Consumer<? super Throwable> failed) {
        work.run(WindowWork.ADD_ENGINES, () -> RecipeImport.copy(chosen, services.engineFolder()), added -> {
            refreshEngines();
            done.accept(added);
        }, failed);
    }

    /// Runs the experiment of the designer, or shows its faults.
    ///
    /// @return key of the first field with a fault; empty when the experiment starts
    public Optional<String> runDesigned() {
        Optional<String> fault = designer.check();
        if (fault.isEmpty()) {
            designer.spec().ifPresent(this::startThere);
        }
        return fault;
    }

    /// Repeats the experiment of a result with enough repetitions for a verdict.
    void runMore(ResultCard result) {
        loadAndStart(result.withMoreRuns());
    }

    private void loadAndStart(ExperimentSpec spec) {
        designer.load(spec);
        startThere(spec);
    }

    /// Marks the moment in the current run; between runs the log says that there is none.
    public void addMarker() {
        if (state.get() instanceof BenchState.Running running) {
            running.recorder().mark().ifPresentOrElse(placed -> {
                marked = placed;
                marking.set(placed.marker().text());
            }, () -> running.recorder().log(LogEntry.Level.WARNING, text("marker.no-run")));
            drawAll(running.recorder());
        }
    }

    /// Changes the text of the newest marker, and ends its editing; an empty text removes the marker.
    void nameMarker(String name) {
        LiveMarkers.Placed placed = marked;
        marked = null;
        marking.set(null);
        if (placed == null || !(state.get() instanceof BenchState.Running running)) {
            return;
        }
        if (!running.recorder().rename(placed, name) && !name.equals(placed.marker().text())) {
            running.recorder().log(LogEntry.Level.WARNING, text("marker.too-late", placed.marker().text()));
        }
        drawAll(running.recorder());
    }

    /// Text of the marker that is being named; null for none.
    ReadOnlyStringProperty marking() {
        return marking.getReadOnlyProperty();
    }

    /// Stops the running experiment and keeps its results.
    public void stop() {
        stop(BenchState.End.STOPPED);
    }

    /// Stops the running experiment; its results go to whom [#onDiscarded] names.
    void discard() {
        stop(BenchState.End.DISCARDED);
    }

    private void stop(BenchState.End end) {
        if (state.get() instanceof BenchState.Running running) {
            state.set(running.with(end));
            running.experiment().thenAccept(experiment -> work.run(WindowWork.OWN, () -> {
                experiment.cancel();
                return experiment;
            }, cancelled -> {}, failure -> {}));
        }
    }

    /// Stops the running experiment, even while it is starting, and keeps the background busy until its record is
    /// written. For a window that closes: the program ends once the background is idle.
    public void stopAndWait() {
        if (state.get() instanceof BenchState.Running running) {
            state.set(running.with(BenchState.End.STOPPED));
            // Not queued behind other work of the background.
            running.experiment().thenAccept(RunningExperiment::cancel);
            work.run(WindowWork.OWN, () -> running.experiment().get().await(), ended -> {}, failure -> {});
        }
    }

    /// Whether the results of the running experiment can be discarded: not as part of a suite, which keeps them all.
    boolean canDiscard() {
        return !ofSuite;
    }

    /// Whether there is a window: without one nothing is drawn and no timer runs, and records say so.
    public void setWindow(boolean open) {
        window = open;
        log.setWindow(open);
        if (state.get() instanceof BenchState.Running running) {
            stopDrawing();
            running.recorder().show(shownMode());
            startDrawing(running.recorder());
        }
    }

    private @Nullable LiveMode shownMode() {
        return window ? live.mode().get() : null;
    }

    /// Goes back to the welcome panel unless an experiment runs.
    void edit() {
        if (!state.get().isRunning()) {
            state.set(new BenchState.Editing());
        }
    }

    /// Sets whether the view is visible; a hidden view does not draw.
    public void setShowing(boolean visible) {
        boolean appears = visible && !showing;
        showing = visible;
        if (appears && state.get() instanceof BenchState.Running running) {
            drawAll(running.recorder());
        }
    }

    /// Whether the view is visible.
    boolean isShowing() {
        return showing;
    }

    /// Notifies one listener when an experiment has ended and its record is in the library.
    public void onExperimentEnded(Runnable listener) {
        experimentEnded = listener;
    }

    /// Gives one listener the folder of an experiment whose results a person discards.
    public void onDiscarded(Consumer<Path> listener) {
        discarded = listener;
    }

    /// Starts an experiment of a suite as soon as none runs.
    ///
    /// @param elsewhere the other machine; empty for this one
    /// @return its handle; cancelled if it cannot start
    public CompletableFuture<RunningExperiment> startWhenIdle(ExperimentSpec spec, BenchmarkService service,
            String elsewhere) {
        CompletableFuture<RunningExperiment> begun = new CompletableFuture<>();
        ChangeListener<BenchState> idle = new ChangeListener<>() {
            @Override
            public void changed(ObservableValue<? extends BenchState> observed, BenchState before, BenchState now) {
                if (!now.isRunning()) {
                    state.removeListener(this);
                    // The listeners of the end come first.
                    work.ui().later(() -> startWhenIdle(spec, service, elsewhere)
                            .whenComplete((handle, failure) -> settle(begun, handle)));
                }
            }
        };
        if (state.get().isRunning()) {
            state.addListener(idle);
        } else {
            start(spec, service, elsewhere, true);
            if (state.get() instanceof BenchState.Running running) {
                running.experiment().whenComplete((handle, failure) -> settle(begun, handle));
            }
        }
        return begun;
    }

    private static void settle(CompletableFuture<RunningExperiment> begun, @Nullable RunningExperiment handle) {
        if (handle == null) {
            begun.cancel(false);
        } else {
            begun.complete(handle);
        }
    }

    /// Asks one listener before engines of many bytes are built; without one they are not.
    void onLargeBuild(LongPredicate approval) {
        largeBuild = approval;
    }

    /// Starts on the machine that the form names, after a question where engines of many bytes are built first.
    private void startThere(ExperimentSpec spec) {
        long bytes = state.get().isRunning() ? 0 : designer.machine().benchmarks().buildBytes(spec);
        if (bytes > BenchmarkService.LARGE_BUILD_BYTES && !largeBuild.test(bytes)) {
            return;
        }
        OtherMachine machine = designer.machine().chosen().get();
        start(spec, designer.machine().benchmarks(), machine == null ? "" : machine.label(), false);
    }

    /// @param elsewhere the other machine; empty for this one
    /// @param suite whether it is part of a suite
    private void start(ExperimentSpec spec, BenchmarkService service, String elsewhere, boolean suite) {
        if (state.get().isRunning()) {
            return;
        }
        ofSuite = suite;
        live.reset();
        if (live.chosen().get().isEmpty()) {
            live.mode().set(elsewhere.isEmpty() ? LiveMode.usual(spec, cores) : LiveMode.LIVE);
        }
        CompletableFuture<RunningExperiment> experiment = new CompletableFuture<>();
        LiveRecorder recorder = new LiveRecorder(clock, spec.sampleEveryMillis(), lines,
                manifest -> experiment.thenAccept(handle -> work.ui().run(() -> ended(experiment, handle, manifest))));
        recorder.show(shownMode());
        startDrawing(recorder);
        state.set(new BenchState.Running(recorder, experiment, BenchState.End.COMPLETE));
        if (elsewhere.isEmpty()) {
            work.measuring().begin(recorder::work);
        } else {
            recorder.log(LogEntry.Level.EVENT, text("log.elsewhere", elsewhere));
        }
        work.run(WindowWork.OWN, () -> {
            try {
                return experiment.complete(service.start(spec, recorder));
            } finally {
                // No effect after a successful start.
                experiment.cancel(false);
            }
        }, started -> {}, this::refuse);
    }

    private void ended(CompletableFuture<RunningExperiment> whose, RunningExperiment experiment,
            ExperimentManifest manifest) {
        if (!(state.get() instanceof BenchState.Running running) || running.experiment() != whose) {
            return;
        }
        stopDrawing();
        drawAll(running.recorder());
        Path folder = experiment.folder();
        if (running.end() == BenchState.End.DISCARDED) {
            leave(new BenchState.Editing());
            discarded.accept(folder);
            return;
        }
        work.run(WindowWork.OWN, () -> {
            ExperimentRecord record = results.open(folder);
            return new ResultCard(manifest, folder, record, Findings.withCharts(record, Voice.WINDOW),
                    new ExperimentCharts(record).leading(), "");
        }, this::show, failure -> show(new ResultCard(manifest, folder, null, List.of(), List.of(),
                // A failed experiment says itself why nothing can be read.
                manifest.failure().isEmpty() ? text("card.unread", ErrorText.sentence(failure)) : "")));
    }

    private void show(ResultCard card) {
        if (state.get() instanceof BenchState.Running running) {
            // Discarded while the card was made.
            if (running.end() == BenchState.End.DISCARDED) {
                leave(new BenchState.Editing());
                discarded.accept(card.folder());
                return;
            }
            card.findings().forEach(finding -> running.recorder().log(LogEntry.Level.EVENT, finding.text()));
        }
        leave(new BenchState.Finished(card));
    }

    private void leave(BenchState after) {
        state.set(after);
        experimentEnded.run();
        refreshEngines();
        work.measuring().end();
    }

    private void refuse(Throwable failure) {
        stopDrawing();
        work.measuring().end();
        state.set(
                new BenchState.Refused(
                        failure instanceof PlanException plan
                                ? plan.faults().stream().map(fault -> fault.in(Voice.WINDOW)).distinct()
                                        .collect(Collectors.joining("\n"))
                                : text("bench.not-started", ErrorText.sentence(failure))));
    }

    private void startDrawing(LiveRecorder recorder) {
        if (!window) {
            return;
        }
        beats = 0;
        drawAll(recorder);
        beat = ticks.every(live.mode().get().period(), () -> draw(recorder));
    }

    private void stopDrawing() {
        if (beat != null) {
            beat.stop();
            beat = null;
        }
    }

    /// The figures, and one half of the charts; the other half with the next beat.
    private void draw(LiveRecorder recorder) {
        LiveSnapshot snapshot = recorder.snapshot();
        if (!showing || live.mode().get() == LiveMode.BLACKOUT) {
            live.applyTime(snapshot);
            return;
        }
        live.applyFigures(snapshot);
        if (live.mode().get() == LiveMode.LIVE) {
            boolean first = beats++ % 2 == 0;
            live.applyCharts(snapshot, first ? FIRST_CHARTS : EnumSet.complementOf(EnumSet.copyOf(FIRST_CHARTS)));
        }
    }

    /// Everything that the mode shows, once.
    private void drawAll(LiveRecorder recorder) {
        LiveSnapshot snapshot = recorder.snapshot();
        live.applyTime(snapshot);
        if (showing && live.mode().get() != LiveMode.BLACKOUT) {
            live.applyFigures(snapshot);
        }
        if (showing && live.mode().get() == LiveMode.LIVE) {
            live.applyCharts(snapshot, EnumSet.allOf(LiveChart.class));
        }
    }

    /// The form.
    public DesignerViewModel designer() {
        return designer;
    }

    /// The live area.
    public LiveViewModel live() {
        return live;
    }

    /// The log of workers and events.
    public LogViewModel log() {
        return log;
    }

    /// What the view shows.
    public ReadOnlyObjectProperty<BenchState> state() {
        return state.getReadOnlyProperty();
    }

    /// Whether the engines of the quick benchmark are here.
    ReadOnlyObjectProperty<QuickReadiness> readiness() {
        return readiness.getReadOnlyProperty();
    }
}
