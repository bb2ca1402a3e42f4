package org.inferometer.ui.results;

import static org.inferometer.ui.fx.Messages.counted;
import static org.inferometer.ui.fx.Messages.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import org.inferometer.results.bundle.BundleReader;
import org.inferometer.results.exchange.ImportFolder;
import org.inferometer.results.exchange.Importer;
import org.inferometer.results.exchange.UnsupportedFormatException;
import org.inferometer.ui.fx.BackgroundWork;
import org.inferometer.ui.fx.ErrorText;
import org.inferometer.ui.fx.Notifier;
import org.inferometer.ui.fx.WindowWork;
import org.inferometer.units.Clock;

/// Imports bundles and files of other tools in the background and opens the last one. Belongs to the UI thread.
public final class ImportViewModel {
    private static final int MOST_FAULTS = 5;
    private final ResultsViewModel results;
    private final Path folder;
    private final BackgroundWork work;
    private final Clock clock;
    private final Notifier notifier;
    private final Consumer<BundleReader.Unpacked> bundles;
    private final ReadOnlyBooleanWrapper importing = new ReadOnlyBooleanWrapper();
    private final ReadOnlyStringWrapper progress = new ReadOnlyStringWrapper("");

    /// @param results shows what was imported
    /// @param folder imported results are written into it
    /// @param bundles shows an unpacked bundle as it was saved
    public ImportViewModel(ResultsViewModel results, Path folder, BackgroundWork work, Clock clock, Notifier notifier,
            Consumer<BundleReader.Unpacked> bundles) {
        this.bundles = bundles;
        this.folder = folder;
        this.results = results;
        this.work = work;
        this.clock = clock;
        this.notifier = notifier;
    }

    /// The outcome of an import.
    ///
    /// @param own folders of results, which are opened
    /// @param faults one sentence per file that was not imported
    private record Taken(List<Importer.Imported> imported, List<BundleReader.Unpacked> unpacked, List<Path> own,
            List<String> faults) {}

    /// Imports files; each becomes a result. Unreadable files are reported, the others are imported. A folder stands
    /// for the files in it; results of this program are opened in place.
    public void take(List<Path> files) {
        if (files.isEmpty() || importing.get()) {
            return;
        }
        importing.set(true);
        progress.set(counted("import.reading", files.size()));
        work.run(DroppedFiles.areResults(files) ? WindowWork.OPEN_RESULT : WindowWork.IMPORT, () -> read(files),
                this::show, failure -> {
                    importing.set(false);
                    results.showProblem(ErrorText.sentence(failure));
                }, () -> importing.set(false));
    }

    private Taken read(List<Path> files) throws IOException {
        DroppedFiles dropped = DroppedFiles.of(files);
        if (dropped.foreign().isEmpty()) {
            return new Taken(List.of(), List.of(), dropped.own(), dropped.faults());
        }
        Importer importer = new Importer(folder);
        List<Importer.Imported> imported = new ArrayList<>();
        List<BundleReader.Unpacked> unpacked = new ArrayList<>();
        List<String> faults = new ArrayList<>(dropped.faults());
        for (Path file : dropped.foreign()) {
            try {
                if (BundleReader.isBundle(file)) {
                    unpacked.add(new BundleReader(folder, results.samples()).unpack(file));
                } else {
                    imported.add(importer.read(file, Optional.empty(), clock.wall()));
                }
            } catch (UnsupportedFormatException e) {
                // Other files of a folder are no fault.
                if (files.contains(file)) {
                    faults.add(ErrorText.sentence(e));
                }
            } catch (IOException e) {
                faults.add(ErrorText.sentence(e));
            }
        }
        return new Taken(List.copyOf(imported), List.copyOf(unpacked), dropped.own(), List.copyOf(faults));
    }

    private void show(Taken taken) {
        importing.set(false);
        if (!taken.imported().isEmpty()) {
            Importer.Imported last = taken.imported().getLast();
            int requests = taken.imported().stream().mapToInt(Importer.Imported::requests).sum();
            int runs = taken.imported().stream().mapToInt(Importer.Imported::runs).sum();
            results.refresh();
            results.open(last.folder());
            notifier.done(text("import.done", counted("import.runs", runs),
                    requests == 0 ? text("import.figures-only") : counted("import.requests", requests)));
        }
        if (!taken.unpacked().isEmpty()) {
            results.refresh();
            bundles.accept(taken.unpacked().getLast());
        }
        if (!taken.own().isEmpty()) {
            results.open(taken.own().getLast());
        }
        results.showProblem(sentences(taken.faults()));
    }

    private static String sentences(List<String> faults) {
        List<String> shown = new ArrayList<>(faults.subList(0, Math.min(MOST_FAULTS, faults.size())));
        if (faults.size() > MOST_FAULTS) {
            shown.add(text("import.more-faults", faults.size() - MOST_FAULTS));
        }
        return String.join("\n", shown);
    }

    /// Whether files are being imported.
    public ReadOnlyBooleanProperty importing() {
        return importing.getReadOnlyProperty();
    }

    /// "Importing 3 files…".
    public ReadOnlyStringProperty progress() {
        return progress.getReadOnlyProperty();
    }

    /// Sorts chosen or dropped files and folders. Reads the disk; called in the background.
    ///
    /// @param foreign bundles and files of other tools
    /// @param own folders of results
    /// @param faults one sentence per other path
    private record DroppedFiles(List<Path> foreign, List<Path> own, List<String> faults) {
        private static final String EXPERIMENT = "experiment.json";
        /// A folder means the files directly in it; a result folder means the result.
        static DroppedFiles of(List<Path> dropped) {
            List<Path> foreign = new ArrayList<>();
            List<Path> own = new ArrayList<>();
            List<String> faults = new ArrayList<>();
            for (Path each : dropped) {
                Path parent = each.toAbsolutePath().getParent();
                if (Files.isRegularFile(each.resolve(EXPERIMENT))) {
                    own.add(each);
                } else if (EXPERIMENT.equals(String.valueOf(each.getFileName())) && Files.isRegularFile(each)
                        && parent != null) {
                    own.add(parent);
                } else if (Files.isDirectory(each)) {
                    try {
                        foreign.addAll(ImportFolder.files(each));
                    } catch (IOException e) {
                        faults.add(ErrorText.sentence(e));
                    }
                } else {
                    foreign.add(each);
                }
            }
            return new DroppedFiles(List.copyOf(foreign), List.copyOf(own), List.copyOf(faults));
        }

        /// Whether all are folders of results, or their `experiment.json`.
        static boolean areResults(List<Path> dropped) {
            return dropped.stream().allMatch(each -> EXPERIMENT.equals(String.valueOf(each.getFileName()))
                    || Files.isRegularFile(each.resolve(EXPERIMENT)));
        }
    }
}
