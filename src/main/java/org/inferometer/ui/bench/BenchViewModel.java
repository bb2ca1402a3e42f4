package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.report.Findings;
import org.inferometer.report.charts.ExperimentCharts;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.designer.DesignerServices;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.QuickReadiness;
import org.inferometer.ui.designer.RecipeImport;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FramePump;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.ui.results.ResultTools;
import org.inferometer.units.Clock;

/// The state of the Bench view. Belongs to the UI thread.
public final class BenchViewModel {
    private static final Duration REDRAW = Duration.ofMillis(500);
    private final DesignerServices services;
    private final ResultTools results;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final Clock clock;
    private final DesignerViewModel designer;
    private final LiveViewModel live = new LiveViewModel();
    private final FramePump<LiveRecorder> pump;
    private final ReadOnlyObjectWrapper<BenchState> state = new ReadOnlyObjectWrapper<>(new BenchState.Editing());
    private final ReadOnlyObjectWrapper<QuickReadiness> readiness = new ReadOnlyObjectWrapper<>(QuickReadiness.READY);
    private boolean showing = true;
    private Runnable experimentEnded = () -> {};

    /// @param ticks redraw the live charts and the clock
    public BenchViewModel(DesignerServices services, ResultTools results, BackgroundWork work, Ticks ticks,
            Clock clock) {
        this.services = services;
        this.results = results;
        this.work = work;
        this.ticks = ticks;
        this.clock = clock;
        pump = new FramePump<>(ticks, REDRAW, newest -> live.apply(newest.snapshot()));
        designer = new DesignerViewModel(services, work);
    }

    /// Lists the engines in the background.
    public void refreshEngines() {
        work.run(() -> services.engines().get(), entries -> {
            designer.setEngines(entries);
            readiness.set(QuickReadiness.of(services.quick(), designer.engines()));
        }, failure -> readiness
                .set(new QuickReadiness(text("bench.engines-unread", ErrorText.sentence(failure)), List.of())));
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

    /// Copies recipes of engines into the workspace in the background.
    ///
    /// @param chosen the folder of an engine, or a folder of engines
    /// @param done receives the names of the new engines
    void addEngines(Path chosen, Consumer<List<String>> done, Consumer<? super Throwable> failed) {
        work.run(() -> RecipeImport.copy(chosen, services.engineFolder()), added -> {
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
            designer.spec().ifPresent(this::start);
        }
        return fault;
    }

    /// Repeats the experiment of a result with enough repetitions for a verdict.
    void runMore(ResultCard result) {
        loadAndStart(result.withMoreRuns());
    }

    private void loadAndStart(ExperimentSpec spec) {
        designer.load(spec);
        start(spec);
    }

    /// Stops the running experiment and keeps its results.
    public void stop() {
        if (state.get() instanceof BenchState.Running running) {
            state.set(running.withStopping());
            running.experiment().thenAccept(experiment -> work.run(() -> {
                experiment.cancel();
                return experiment;
            }, cancelled -> {}, failure -> {}));
        }
    }

    /// Stops the running experiment, even while it is starting, and keeps the background busy until its record is
    /// written. For a window that closes: the program ends once the background is idle.
    public void stopAndWait() {
        if (state.get() instanceof BenchState.Running running) {
            state.set(running.withStopping());
            // Not queued behind other work of the background.
            running.experiment().thenAccept(RunningExperiment::cancel);
            work.run(() -> running.experiment().get().await(), ended -> {}, failure -> {});
        }
    }

    /// Goes back to the welcome panel unless an experiment runs.
    void edit() {
        if (!state.get().isRunning()) {
            state.set(new BenchState.Editing());
        }
    }

    /// Sets whether the view is visible; a hidden view does not draw.
    public void setShowing(boolean visible) {
        showing = visible;
        pump.setShowing(visible);
    }

    /// Notifies one listener when an experiment has ended and its record is in the library.
    public void onExperimentEnded(Runnable listener) {
        experimentEnded = listener;
    }

    private void start(ExperimentSpec spec) {
        if (state.get().isRunning()) {
            return;
        }
        live.reset();
        CompletableFuture<RunningExperiment> experiment = new CompletableFuture<>();
        LiveRecorder recorder = new LiveRecorder(clock, spec.sampleEveryMillis(), pump::offer,
                manifest -> experiment.thenAccept(handle -> work.ui().run(() -> ended(experiment, handle, manifest))));
        pump.start();
        Ticks.Beat redraw = ticks.every(REDRAW, () -> {
            pump.offer(recorder);
            if (!showing) {
                live.applyTime(recorder.snapshot());
            }
        });
        state.set(new BenchState.Running(recorder, experiment, redraw, false));
        work.run(() -> {
            try {
                return experiment.complete(services.benchmarks().start(spec, recorder));
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
        pump.offer(running.recorder());
        stopDrawing(running);
        Path folder = experiment.folder();
        work.run(() -> {
            ExperimentRecord record = results.open(folder);
            return new ResultCard(manifest, folder, record, Findings.of(record), new ExperimentCharts(record).leading(),
                    "");
        }, this::show, failure -> show(new ResultCard(manifest, folder, null, List.of(), List.of(),
                text("card.unread", ErrorText.sentence(failure)))));
    }

    private void show(ResultCard card) {
        state.set(new BenchState.Finished(card));
        experimentEnded.run();
        refreshEngines();
    }

    private void refuse(Throwable failure) {
        if (state.get() instanceof BenchState.Running running) {
            stopDrawing(running);
        }
        state.set(new BenchState.Refused(failure instanceof PlanException plan
                ? plan.faults().stream().map(PlanFault::toString).distinct().collect(Collectors.joining("\n"))
                : text("bench.not-started", ErrorText.sentence(failure))));
    }

    private void stopDrawing(BenchState.Running running) {
        running.clock().stop();
        pump.stop();
    }

    /// The form.
    public DesignerViewModel designer() {
        return designer;
    }

    /// The live area.
    public LiveViewModel live() {
        return live;
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
