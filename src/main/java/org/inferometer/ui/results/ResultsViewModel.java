package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.collections.transformation.FilteredList;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.results.ResultLibrary;
import org.inferometer.results.ResultNotes;
import org.inferometer.results.ResultTrash;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.LatestWork;
import org.inferometer.ui.fx.WindowWork;
import org.jspecify.annotations.Nullable;

/// The list of experiments, its filter, and the open one. Belongs to the UI thread.
public final class ResultsViewModel {
    private final ResultTools tools;
    private final BackgroundWork work;
    private final ObservableList<ResultRow> all = FXCollections.observableArrayList();
    private final FilteredList<ResultRow> visible = new FilteredList<>(all);
    private final ResultFilter filter = new ResultFilter();
    private final LatestWork listing;
    private final LatestWork opening;
    private final ReadOnlyStringWrapper name = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper problem = new ReadOnlyStringWrapper("");
    private final ReadOnlyStringWrapper count = new ReadOnlyStringWrapper("");
    private final ReadOnlyObjectWrapper<@Nullable OpenedExperiment> opened = new ReadOnlyObjectWrapper<>();
    private final ReadOnlyObjectWrapper<@Nullable ResultRow> announced = new ReadOnlyObjectWrapper<>();

    /// @param tools reads and writes results
    public ResultsViewModel(ResultTools tools, BackgroundWork work) {
        this.tools = tools;
        this.work = work;
        this.listing = new LatestWork(work);
        this.opening = new LatestWork(work);
        filter.onChange(this::show);
        opened.addListener((observed, before, now) -> updateName());
    }

    /// Lists the results again in the background; an open result stays open.
    public void refresh() {
        listing.run(WindowWork.LIST_RESULTS, this::list, this::show,
                failure -> problem.set(text("results.unread", ErrorText.sentence(failure))));
    }

    private void show(List<ResultRow> rows) {
        // Equal rows stay, so that the selection of the table stays.
        if (!all.equals(rows)) {
            all.setAll(rows);
        }
        updateCount();
        updateName();
    }

    /// The open result has the name that the list gives it.
    private void updateName() {
        OpenedExperiment open = opened.get();
        if (open == null) {
            name.set("");
            return;
        }
        Path folder = open.record().folder().toAbsolutePath().normalize();
        name.set(all.stream().filter(row -> row.folder().toAbsolutePath().normalize().equals(folder)).findFirst()
                .map(ResultRow::name).orElseGet(() -> open.record().manifest().name()));
    }

    /// Opens a listed experiment in the background; shows the problem of a damaged one.
    public void open(ResultRow row) {
        if (row.manifest().isEmpty() && !row.problem().isEmpty()) {
            close();
            problem.set(row.problem());
            return;
        }
        open(row.origin(), row.folder());
    }

    /// Opens an experiment by its folder, or by its `experiment.json`.
    public void open(Path chosen) {
        Path folder = "experiment.json".equals(String.valueOf(chosen.getFileName())) && chosen.getParent() != null
                ? chosen.getParent() : chosen;
        open(tools.origin(folder), folder);
    }

    private void open(ResultRow.Origin origin, Path folder) {
        problem.set("");
        Path wanted = folder.toAbsolutePath().normalize();
        announced.set(all.stream().filter(row -> row.folder().toAbsolutePath().normalize().equals(wanted)).findFirst()
                .orElse(null));
        opening.run(WindowWork.OPEN_RESULT, () -> OpenedExperiment.of(origin, tools.open(folder), tools.schedulers()),
                now -> {
                    announced.set(null);
                    opened.set(now);
                }, failure -> {
                    announced.set(null);
                    opened.set(null);
                    problem.set(ErrorText.sentence(failure));
                });
    }

    /// Closes the open result.
    public void close() {
        opening.cancel();
        announced.set(null);
        opened.set(null);
    }

    /// What a deletion did.
    ///
    /// @param failure of the first result that could not be moved; those after it stay
    private record Deletion(List<ResultTrash.Deleted> deleted, Optional<IOException> failure) {}

    /// Moves results of this workspace into the trash, in the background. Samples stay; an open one is closed.
    ///
    /// @param done receives what was deleted, even if another could not be; not called for nothing
    public void delete(List<ResultRow> rows, Instant now, Consumer<List<ResultTrash.Deleted>> done,
            Consumer<? super Throwable> failed) {
        List<Path> folders =
                rows.stream().filter(row -> row.origin() == ResultRow.Origin.OWN).map(ResultRow::folder).toList();
        OpenedExperiment open = opened.get();
        if (open != null && folders.contains(open.record().folder())) {
            close();
        }
        work.run(WindowWork.DELETE_RESULT, () -> {
            List<ResultTrash.Deleted> deleted = new ArrayList<>();
            for (Path folder : folders) {
                try {
                    deleted.add(new ResultTrash(tools.folder()).delete(folder, now));
                } catch (IOException e) {
                    return new Deletion(deleted, Optional.of(e));
                }
            }
            return new Deletion(deleted, Optional.empty());
        }, deletion -> {
            refresh();
            if (!deletion.deleted().isEmpty()) {
                done.accept(deletion.deleted());
            }
            deletion.failure().ifPresent(failed);
        }, failure -> {
            refresh();
            failed.accept(failure);
        });
    }

    /// Moves deleted results back, in the background.
    public void restore(List<ResultTrash.Deleted> deleted, Consumer<? super Throwable> failed) {
        work.run(WindowWork.DELETE_RESULT, () -> {
            for (ResultTrash.Deleted each : deleted) {
                new ResultTrash(tools.folder()).restore(each);
            }
            return deleted;
        }, restored -> refresh(), failed);
    }

    /// Writes what a person says about a result, in the background.
    public void note(ResultRow row, ResultNotes notes, Consumer<? super Throwable> failed) {
        work.run(WindowWork.OWN, () -> {
            if (!Files.isDirectory(row.folder())) {
                throw new IOException(text("notes.gone", row.folder().getFileName()));
            }
            notes.write(row.folder());
            return notes;
        }, written -> refresh(), failed);
    }

    /// Exports the complete runs of the open result into a folder, in the background.
    ///
    /// @param format one of [org.inferometer.results.exchange.ExportFiles#formats]
    public void exportRuns(String format, Path folder, Consumer<ResultExport> done,
            Consumer<? super Throwable> failed) {
        OpenedExperiment current = opened.get();
        if (current != null) {
            work.run(WindowWork.EXPORT, () -> ResultExport.write(current.record(), format, folder), done, failed);
        }
    }

    /// Writes the scheduler tables and charts of the open result into a folder, in the background.
    ///
    /// @param done receives the number of files
    public void exportSchedulers(Path folder, Consumer<Integer> done, Consumer<? super Throwable> failed) {
        OpenedExperiment current = opened.get();
        if (current != null) {
            work.run(WindowWork.EXPORT, () -> tools.saveSchedulerSuite(current.record(), folder).size(), done, failed);
        }
    }

    /// Shows problems, one sentence per line; ignores an empty text.
    void showProblem(String sentence) {
        if (!sentence.isEmpty()) {
            problem.set(sentence);
        }
    }

    /// Whether the folder is listed and its name is unique.
    public boolean knownByName(Path folder) {
        Path wanted = folder.toAbsolutePath().normalize();
        List<Path> named = all.stream().map(row -> row.folder().toAbsolutePath().normalize())
                .filter(each -> Objects.equals(each.getFileName(), wanted.getFileName())).toList();
        return named.equals(List.of(wanted));
    }

    private List<ResultRow> list() {
        List<ResultRow> rows = new ArrayList<>();
        new ResultLibrary(tools.folder()).list().forEach(entry -> rows.add(ResultRow.of(ResultRow.Origin.OWN, entry)));
        new ResultLibrary(tools.samples()).list()
                .forEach(entry -> rows.add(ResultRow.of(ResultRow.Origin.SAMPLE, entry)));
        rows.sort(Comparator.comparing(ResultRow::origin)
                .thenComparing(Comparator.comparing(ResultRow::added).reversed()));
        return rows;
    }

    private void show() {
        visible.setPredicate(filter::shows);
        updateCount();
    }

    private void updateCount() {
        count.set(visible.size() == all.size() ? counted("results.count", all.size())
                : text("results.count-filtered", visible.size(), all.size()));
    }

    /// Whether the filter hides all results.
    public boolean filterHidesAll() {
        return !all.isEmpty() && visible.isEmpty();
    }

    /// The newest readable result: own first, then samples.
    public Optional<ResultRow> newest() {
        return readable().stream().findFirst();
    }

    /// The visible results: own first, newest first.
    public ObservableList<ResultRow> rows() {
        return visible;
    }

    /// Results measured on this machine, newest first.
    public List<ExperimentManifest> own() {
        return readable().stream().filter(row -> row.origin() == ResultRow.Origin.OWN && !row.imported())
                .flatMap(row -> row.manifest().stream()).toList();
    }

    /// All readable results, unfiltered: own first, then samples, each newest first.
    public List<ResultRow> readable() {
        return all.stream().filter(row -> row.manifest().isPresent()).toList();
    }

    /// What is shown of them.
    public ResultFilter filter() {
        return filter;
    }

    /// All results, unfiltered, also those that cannot be read.
    List<ResultRow> all() {
        return all;
    }

    /// Folder of the results that came with the program.
    Path samples() {
        return tools.samples();
    }

    /// Whether the results are being listed.
    public ReadOnlyBooleanProperty loading() {
        return listing.running();
    }

    /// Whether a result is being read.
    public ReadOnlyBooleanProperty opening() {
        return opening.running();
    }

    /// The row of the result that is being read, or null.
    ReadOnlyObjectProperty<@Nullable ResultRow> announced() {
        return announced.getReadOnlyProperty();
    }

    /// The error, or empty.
    public ReadOnlyStringProperty problem() {
        return problem.getReadOnlyProperty();
    }

    /// "12 experiments" or "3 of 12 experiments match".
    public ReadOnlyStringProperty count() {
        return count.getReadOnlyProperty();
    }

    /// Name of the open result, as in the list; empty without one.
    public ReadOnlyStringProperty openedName() {
        return name.getReadOnlyProperty();
    }

    /// The name that the list gives an experiment, by its id; empty for one that is not listed.
    public Optional<String> nameOf(String id) {
        return all.stream().filter(row -> row.manifest().filter(known -> known.id().equals(id)).isPresent())
                .map(ResultRow::name).findFirst();
    }

    /// The open result, or null.
    public ReadOnlyObjectProperty<@Nullable OpenedExperiment> opened() {
        return opened.getReadOnlyProperty();
    }
}
