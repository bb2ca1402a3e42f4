package org.inferometer.ui.bench;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.experiment.PlanException;
import org.inferometer.experiment.PlanFault;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.run.ExperimentListener;
import org.inferometer.run.RunningExperiment;
import org.inferometer.ui.designer.BackendChoice;
import org.inferometer.ui.designer.BenchServices;
import org.inferometer.ui.designer.CommandText;
import org.inferometer.ui.designer.DesignerViewModel;
import org.inferometer.ui.designer.PlanPreview;
import org.inferometer.ui.designer.QuickReadiness;
import org.inferometer.ui.designer.RunTimeHistory;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.FramePump;
import org.inferometer.ui.fx.Ticks;
import org.inferometer.units.Clock;
import org.jspecify.annotations.Nullable;

/// The Bench view's state: what is asked, what runs, what came of it. Belongs to the UI thread.
public final class BenchViewModel {
    private static final Duration REDRAW = Duration.ofMillis(500);

    /// Which panel the view shows.
    public enum Stage {
        WELCOME, RUNNING, FINISHED
    }

    private final BenchServices services;
    private final BackgroundWork work;
    private final Ticks ticks;
    private final Clock clock;
    private final DesignerViewModel designer;
    private final LiveViewModel live = new LiveViewModel();
    private final FramePump<LiveRecorder> pump;
    private final ReadOnlyObjectWrapper<Stage> stage = new ReadOnlyObjectWrapper<>(Stage.WELCOME);
    private final ReadOnlyBooleanWrapper running = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper stopping = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper lanes = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper estimate = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<@Nullable ResultCard> result = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<QuickReadiness> readiness = new ReadOnlyObjectWrapper<>(QuickReadiness.READY);
    private @Nullable RunningExperiment experiment;
    private CompletableFuture<RunningExperiment> starting = new CompletableFuture<>();
    private Ticks.@Nullable Beat clockBeat;
    private @Nullable LiveRecorder recorder;
    private @Nullable ExperimentSpec estimated;
    private RunTimeHistory earlier = new RunTimeHistory(List.of());
    private @Nullable ExperimentManifest pendingEnd;
    private boolean stopAsked;
    private boolean showing = true;
    private Runnable experimentEnded = () -> {};

    /// @param ticks beat the live charts and the clock
    public BenchViewModel(BenchServices services, BackgroundWork work, Ticks ticks, Clock clock) {
        this.services = services;
        this.work = work;
        this.ticks = ticks;
        this.clock = clock;
        pump = new FramePump<>(ticks, REDRAW, newest -> live.apply(newest.snapshot()));
        designer = new DesignerViewModel(services);
        designer.onChange(this::refreshEstimate);
    }

    /// Fetches the engines in the background.
    public void refreshEngines() {
        work.run(() -> services.engines().entries().get(), entries -> {
            designer.setEngines(entries);
            readiness.set(QuickReadiness.of(services.quick(), designer.engines()));
            if (readiness.get().equals(QuickReadiness.READY)) {
                problem.set("");
            }
        }, failure -> problem.set(text("bench.engines-unread", ErrorText.sentence(failure))));
    }

    /// Takes what was measured here before, from which the time of an experiment is estimated.
    ///
    /// @param manifests newest first
    public void remember(List<ExperimentManifest> manifests) {
        earlier = new RunTimeHistory(List.copyOf(manifests));
        estimated = null;
        refreshEstimate();
    }

    /// Loads the quick preset into the designer and runs it; where its engines are missing, says so instead.
    public void runQuick() {
        QuickReadiness ready = readiness.get();
        if (!ready.equals(QuickReadiness.READY)) {
            problem.set(ready.sentence());
            return;
        }
        runQuickOn(services.quick().engines());
    }

    /// The quick benchmark on engines that are here.
    void runQuickOn(List<String> engines) {
        ExperimentSpec quick = services.quick();
        ExperimentSpec asked = engines.equals(quick.engines()) ? quick : quick.withEngines(engines);
        designer.load(asked);
        start(asked);
    }

    /// Copies recipes of engines into the workspace in the background.
    ///
    /// @param chosen a folder of an engine, or of engines
    /// @param done hears the names of those that are new
    void addEngines(Path chosen, java.util.function.Consumer<List<String>> done,
            java.util.function.Consumer<? super Throwable> failed) {
        work.run(() -> services.engines().add(chosen), added -> {
            refreshEngines();
            done.accept(added);
        }, failed);
    }

    /// Runs what the designer says, or shows its faults and answers the key of the first.
    public Optional<String> runDesigned() {
        Optional<String> fault = designer.check();
        if (fault.isEmpty()) {
            designer.spec().ifPresent(this::start);
        }
        return fault;
    }

    /// Runs the shown result's experiment again with enough repetitions for a verdict.
    public void runMore() {
        ResultCard card = result.get();
        if (card != null) {
            ExperimentSpec more = card.withMoreRuns();
            designer.load(more);
            start(more);
        }
    }

    /// Ends the experiment under way and keeps what was measured.
    public void stop() {
        stopAsked = true;
        stopping.set(running.get());
        RunningExperiment current = experiment;
        if (current != null) {
            work.run(() -> {
                current.cancel();
                return true;
            }, done -> {}, failure -> problem.set(ErrorText.sentence(failure)));
        }
    }

    /// Ends the experiment under way, also one that only starts, and keeps the background busy until its record says so: for a window that
    /// closes, after which the program does not outlive its background.
    public void stopAndWait() {
        if (!running.get()) {
            return;
        }
        stopping.set(true);
        CompletableFuture<RunningExperiment> handle = starting;
        // Not behind whatever else the background does.
        handle.thenAccept(RunningExperiment::cancel);
        work.run(() -> handle.get().await(), over -> {}, unheard -> {});
    }

    /// Goes back to the first panel.
    public void backToWelcome() {
        if (!running.get()) {
            stage.set(Stage.WELCOME);
        }
    }

    /// Tells whether the view can be seen; a hidden view does not draw.
    public void setShowing(boolean visible) {
        showing = visible;
        pump.setShowing(visible);
    }

    /// Tells one listener when an experiment has ended and its record lies in the library.
    public void onExperimentEnded(Runnable listener) {
        experimentEnded = listener;
    }

    /// Writes a report of the shown result in the background.
    public void saveReport(Path file, Runnable done, java.util.function.Consumer<? super Throwable> failed) {
        ResultCard card = result.get();
        if (card == null || card.record() == null) {
            failed.accept(new IOException(text("card.no-record")));
            return;
        }
        ExperimentRecord record = card.record();
        work.run(() -> {
            services.desk().saveReport(record, file);
            return true;
        }, saved -> done.run(), failed);
    }

    private void start(ExperimentSpec spec) {
        if (running.get()) {
            return;
        }
        problem.set("");
        live.reset();
        stopAsked = false;
        stopping.set(false);
        experiment = null;
        CompletableFuture<RunningExperiment> handed = new CompletableFuture<>();
        starting = handed;
        pendingEnd = null;
        result.set(null);
        running.set(true);
        stage.set(Stage.RUNNING);
        LiveRecorder fresh = new LiveRecorder(clock, spec.sampleEveryMillis(), pump::offer);
        recorder = fresh;
        pump.start();
        clockBeat = ticks.every(REDRAW, () -> {
            pump.offer(fresh);
            if (!showing) {
                live.applyTime(fresh.snapshot());
            }
        });
        EndListener listener = new EndListener(fresh, manifest -> work.ui().run(() -> ended(fresh, manifest)));
        work.run(() -> handing(handed, spec, listener), handle -> started(fresh, handle), this::refused);
    }

    /// Starts the experiment in the background; who stops it there need not wait for the UI thread to hear of it.
    private RunningExperiment handing(CompletableFuture<RunningExperiment> handed, ExperimentSpec spec,
            ExperimentListener listener) throws PlanException {
        try {
            RunningExperiment handle = services.benchmarks().start(spec, listener);
            handed.complete(handle);
            return handle;
        } finally {
            // Does nothing where there is a handle.
            handed.cancel(false);
        }
    }

    private void started(LiveRecorder whose, RunningExperiment handle) {
        if (recorder != whose) {
            return;
        }
        experiment = handle;
        if (stopAsked) {
            stop();
        }
        if (pendingEnd != null) {
            finish(pendingEnd);
        }
    }

    private void ended(LiveRecorder whose, ExperimentManifest manifest) {
        if (recorder != whose) {
            return;
        }
        if (experiment == null) {
            pendingEnd = manifest;
        } else {
            finish(manifest);
        }
    }

    private void finish(ExperimentManifest manifest) {
        RunningExperiment over = experiment;
        LiveRecorder last = recorder;
        pendingEnd = null;
        if (over == null || last == null) {
            return;
        }
        pump.offer(last);
        stopBeats();
        Path folder = over.folder();
        work.run(() -> {
            ExperimentRecord record = services.desk().open(folder);
            return new ResultCard(manifest, folder, record, services.desk().read(record), "");
        }, this::show, failure -> show(
                new ResultCard(manifest, folder, null, null, text("card.unread", ErrorText.sentence(failure)))));
    }

    private void show(ResultCard card) {
        experiment = null;
        recorder = null;
        running.set(false);
        stopping.set(false);
        result.set(card);
        stage.set(Stage.FINISHED);
        experimentEnded.run();
        refreshEngines();
    }

    private void refused(Throwable failure) {
        stopBeats();
        recorder = null;
        running.set(false);
        stopping.set(false);
        stage.set(Stage.WELCOME);
        problem.set(failure instanceof PlanException plan
                ? plan.faults().stream().map(PlanFault::toString).distinct().collect(Collectors.joining("\n"))
                : text("bench.not-started", ErrorText.sentence(failure)));
    }

    private void stopBeats() {
        if (clockBeat != null) {
            clockBeat.stop();
            clockBeat = null;
        }
        pump.stop();
    }

    private void refreshEstimate() {
        Optional<ExperimentSpec> spec = designer.spec();
        if (spec.isEmpty()) {
            estimated = null;
            estimate.set("");
            lanes.set("");
            return;
        }
        if (spec.get().equals(estimated)) {
            return;
        }
        ExperimentSpec asked = spec.get();
        RunTimeHistory known = earlier;
        estimated = asked;
        work.run(() -> PlanPreview.of(services.benchmarks(), asked, known), preview -> {
            if (asked.equals(estimated)) {
                estimate.set(preview.estimate());
                lanes.set(preview.lanes());
            }
        }, failure -> {
            estimate.set(text("designer.no-estimate", ErrorText.sentence(failure)));
            lanes.set("");
        });
    }

    /// The command that runs the same experiment, where options can say it.
    public Optional<String> command(ExperimentSpec spec) {
        return CommandText.of(spec, services.quick());
    }

    /// What can compute here, the default first.
    public List<BackendChoice> backends() {
        return services.backends();
    }

    /// The form.
    public DesignerViewModel designer() {
        return designer;
    }

    /// The live picture.
    public LiveViewModel live() {
        return live;
    }

    /// Which panel shows.
    public ReadOnlyObjectProperty<Stage> stage() {
        return stage.getReadOnlyProperty();
    }

    /// Whether an experiment is under way.
    public ReadOnlyBooleanProperty running() {
        return running.getReadOnlyProperty();
    }

    /// Whether the experiment under way was asked to stop.
    public ReadOnlyBooleanProperty stopping() {
        return stopping.getReadOnlyProperty();
    }

    /// What is wrong with what was asked, or empty.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// What the designer's experiment will take, or empty.
    public ReadOnlyStringProperty estimate() {
        return estimate.getReadOnlyProperty();
    }

    /// Whether the quick benchmark finds its engines.
    ReadOnlyObjectProperty<QuickReadiness> readiness() {
        return readiness.getReadOnlyProperty();
    }

    /// The lanes that each scheduler gets, and their threads, or empty.
    public ReadOnlyStringProperty lanes() {
        return lanes.getReadOnlyProperty();
    }

    /// What came of the last experiment, or null.
    public ReadOnlyObjectProperty<@Nullable ResultCard> result() {
        return result.getReadOnlyProperty();
    }
}
