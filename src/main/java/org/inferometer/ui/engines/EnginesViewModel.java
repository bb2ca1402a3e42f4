package org.inferometer.ui.engines;

import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import org.inferometer.engine.EngineVerifier;
import org.inferometer.engine.EngineVerifier.Verification;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.build.EngineEntry;
import org.inferometer.engine.build.InterruptedBuild;
import org.inferometer.quality.QualityProcess;
import org.inferometer.quantising.EngineKind;
import org.inferometer.ui.designer.RecipeImport;
import org.inferometer.ui.engines.CalibrationDialog.CalibrationChoice;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.ListViewModel;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.Clock;
import org.inferometer.units.FolderTree;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// State of the Engines view. Belongs to the UI thread.
public final class EnginesViewModel extends ListViewModel<EngineRow> {
    private static final double LEAST_STEP = 0.01;

    private final Supplier<List<EngineEntry>> engines;
    private final Path folder;
    private final BackgroundWork work;
    private final Notifier notices;
    private final QualityProcess qualities;
    private final Clock clock;
    private final Runnable changed;
    private final ObservableList<InterruptedBuild> interrupted = FXCollections.observableArrayList();
    private final ReadOnlyObjectWrapper<@Nullable EngineTask> task = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyDoubleWrapper progress = new ReadOnlyDoubleWrapper();
    private final TensorValuesModel tensorValues;
    private double reported;

    /// @param qualities judges engines
    /// @param clock of dates that chat templates print
    /// @param changed called after engines were built, added or removed
    public EnginesViewModel(EngineSource source, BackgroundWork work, Notifier notices, QualityProcess qualities,
            Clock clock, Runnable changed) {
        super(EngineRow::matches);
        this.engines = source.engines();
        this.folder = source.folder();
        this.clock = clock;
        this.work = work;
        this.notices = notices;
        this.qualities = qualities;
        this.changed = changed;
        this.tensorValues = new TensorValuesModel(work);
    }

    /// Builds of the workspace that were interrupted, by the engine's name.
    ObservableList<InterruptedBuild> interrupted() {
        return interrupted;
    }

    /// Values of a weight of the selected engine.
    TensorValuesModel tensorValues() {
        return tensorValues;
    }

    /// What runs now; null for nothing.
    ReadOnlyObjectProperty<@Nullable EngineTask> task() {
        return task.getReadOnlyProperty();
    }

    /// Its share done, 0 to 1.
    ReadOnlyDoubleProperty progress() {
        return progress.getReadOnlyProperty();
    }

    /// Reads the engines again; the selection stays.
    public void refresh() {
        begin();
        work.run(WindowWork.LIST_ENGINES,
                () -> new Listed(engines.get().stream().map(entry -> EngineRow.read(entry, folder)).toList(),
                        InterruptedBuild.in(folder)),
                this::listed, failure -> fail(ErrorText.sentence(failure)));
    }

    private record Listed(List<EngineRow> engines, List<InterruptedBuild> interrupted) {}

    private void listed(Listed found) {
        String name = Optional.ofNullable(selected().get()).map(EngineRow::name).orElse("");
        show(found.engines(), row -> row.name().equals(name));
        interrupted.setAll(found.interrupted());
    }

    /// Builds the selected engine.
    void build() {
        start(EngineTask.Kind.BUILD, WindowWork.BUILD_ENGINE,
                (entry, fraction) -> new EngineBuilder().build(entry, fraction), built -> {
                    notices.done(text("engines.was-built", built.name(), QuantityText.bytes(built.weightBytes())));
                    changed.run();
                });
    }

    /// Selects the engine of an interrupted build and goes on with it.
    void resume(InterruptedBuild build) {
        all().stream().filter(row -> row.name().equals(build.engine())).findFirst().ifPresent(row -> {
            selected().set(row);
            build();
        });
    }

    /// Deletes what an interrupted build wrote.
    void discard(InterruptedBuild build) {
        work.run(WindowWork.ADD_ENGINES, () -> {
            build.delete();
            return build.engine();
        }, name -> {
            notices.done(text("engines.discarded", name));
            refresh();
        }, failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// Compares the weights of the selected engine with the hash of its build.
    void verify() {
        start(EngineTask.Kind.VERIFY, WindowWork.VERIFY_ENGINE,
                (entry, fraction) -> new Verified(entry.name(), EngineVerifier.verify(entry.folder(), fraction)),
                this::verified);
    }

    /// Built engines of the same model that an engine can be judged by, BF16 first.
    List<String> references(EngineRow judged) {
        return judged.inspection()
                .map(inside -> all().stream()
                        .filter(row -> row.state() == EngineEntry.State.BUILT && !row.name().equals(judged.name())
                                && row.inspection().filter(other -> other.shape().equals(inside.shape())).isPresent())
                        .sorted(Comparator.comparing(row -> row.inspection().orElseThrow().precision()))
                        .map(EngineRow::name).toList())
                .orElse(List.of());
    }

    /// Measures how far the selected engine's predictions are from a reference's.
    ///
    /// @param text file in UTF-8
    void judge(String reference, Path text, int mostTokens) {
        EngineRow row = selected().get();
        if (row != null) {
            start(row.name(), EngineTask.Kind.JUDGE, WindowWork.MEASURE_QUALITY, fraction -> {
                qualities.judge(row.name(), reference, text, mostTokens, fraction);
                return row.name();
            }, name -> {
                notices.done(text("engines.judged", name));
                changed.run();
            });
        }
    }

    private record Verified(String name, Verification found) {}

    private void verified(Verified verified) {
        String name = verified.name();
        Verification found = verified.found();
        if (found.intact()) {
            notices.done(text("engines.intact", name, QuantityText.bytes(found.bytes()), found.actualSha256()));
        } else {
            notices.problem(text("engines.changed", name, found.actualSha256(), found.expectedSha256()));
        }
    }

    /// Ends what runs.
    void cancel() {
        EngineTask running = task.get();
        if (running != null) {
            running.cancel();
        }
    }

    /// Copies the recipe of an engine folder, or of each folder in it, into the workspace.
    void add(Path chosen) {
        work.run(WindowWork.ADD_ENGINES, () -> RecipeImport.copy(chosen, folder), added -> {
            notices.done(
                    added.isEmpty() ? text("engines.none-added") : text("engines.added", String.join(", ", added)));
            refresh();
            changed.run();
        }, failure -> notices.problem(ErrorText.sentence(failure)));
    }

    /// Removes the selected engine of the workspace: recipe and weights.
    void remove() {
        EngineRow row = selected().get();
        if (row == null || !row.ofWorkspace()) {
            return;
        }
        work.run(WindowWork.ADD_ENGINES, () -> removed(row), name -> {
            notices.done(text("engines.removed", name));
            refresh();
            changed.run();
        }, failure -> notices.problem(ErrorText.sentence(failure)));
    }

    private static String removed(EngineRow row) throws IOException {
        FolderTree.delete(row.entry().folder());
        return row.name();
    }

    /// Builds engines of a checkpoint into the workspace, one for each kind.
    ///
    /// @param checkpoint its folder or file
    /// @param calibration for the kinds that need one
    void build(Path checkpoint, Set<EngineKind> kinds, CalibrationChoice calibration) {
        CheckpointEngines wanted = new CheckpointEngines(checkpoint, folder, kinds, calibration,
                LocalDateTime.ofInstant(clock.wall(), ZoneId.systemDefault()));
        start(wanted.model(), EngineTask.Kind.BUILD, WindowWork.BUILD_ENGINE, wanted::build, built -> {
            String notes = built.notes().stream().map(note -> " " + note).collect(Collectors.joining());
            notices.done(text("engines.from-checkpoint", String.join(", ", built.names())) + notes);
            built.templateFault().ifPresent(
                    fault -> notices.problem(text("engines.template-fault", String.join(", ", built.names()), fault)));
            changed.run();
        });
    }

    /// Work on an engine's files.
    @FunctionalInterface
    private interface EngineWork<T> {
        T run(EngineEntry entry, DoubleConsumer fraction) throws Exception;
    }

    /// Work that says how far it is.
    @FunctionalInterface
    private interface Job<T> {
        T run(DoubleConsumer fraction) throws Exception;
    }

    private <T> void start(EngineTask.Kind kind, WindowWork weight, EngineWork<T> work, Consumer<T> done) {
        EngineRow row = selected().get();
        if (row != null) {
            start(row.name(), kind, weight, fraction -> work.run(row.entry(), fraction), done);
        }
    }

    private <T> void start(String engine, EngineTask.Kind kind, WindowWork weight, Job<T> job, Consumer<T> done) {
        if (task.get() != null) {
            return;
        }
        EngineTask begun = new EngineTask(engine, kind);
        task.set(begun);
        progress.set(0);
        reported = 0;
        Callable<T> call = () -> {
            begun.begin();
            try {
                return job.run(this::report);
            } finally {
                begun.end();
            }
        };
        work.run(weight, call, result -> {
            task.set(null);
            done.accept(result);
            refresh();
        }, failure -> {
            task.set(null);
            if (begun.isCancelled()) {
                notices.done(text("engines.cancelled", begun.engine()));
            } else {
                notices.problem(ErrorText.sentence(failure));
            }
            refresh();
        }, () -> task.set(null));
    }

    /// Called by the working thread; the window is told once a hundredth.
    private void report(double fraction) {
        if (fraction - reported >= LEAST_STEP || fraction >= 1) {
            reported = fraction;
            work.ui().run(() -> progress.set(fraction));
        }
    }

    /// The engines of the program and the workspace.
    ///
    /// @param engines lists them; called in the background
    /// @param folder engines of the workspace; may not exist yet
    public record EngineSource(Supplier<List<EngineEntry>> engines, Path folder) {}
}
