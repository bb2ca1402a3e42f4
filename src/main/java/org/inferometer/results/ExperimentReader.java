package org.inferometer.results;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.experiment.Cell;
import org.inferometer.experiment.ExperimentSpec;
import org.inferometer.measurement.verdict.ExperimentSummary;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.ExperimentRecord;
import org.inferometer.record.ExperimentRecord.ReaderNote;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.Verdict;
import org.inferometer.units.FileName;

/// Reads the folder of an experiment: its readable runs and its manifest, rebuilt from the runs if missing.
final class ExperimentReader {
    private static final int MAX_RUNS = 100_000;
    private final Path folder;
    private final List<ReaderNote> notes = new ArrayList<>();

    ExperimentReader(Path folder) {
        this.folder = folder;
    }

    /// Whether the folder holds an experiment, or the runs of one.
    boolean isExperiment() throws IOException {
        return Files.exists(folder.resolve(RecordFiles.EXPERIMENT), LinkOption.NOFOLLOW_LINKS)
                || !runFoldersPresent().isEmpty();
    }

    /// The manifest, with status INTERRUPTED if its process was killed.
    ExperimentManifest manifest() throws IOException {
        Path file = folder.resolve(RecordFiles.EXPERIMENT);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            notes.add(new ReaderNote(null, "experiment.json is missing. The plan was rebuilt from the runs."));
            return InterruptedExperiment.manifest(folder, runFoldersPresent(), isBeingWritten(runFoldersPresent()));
        }
        ExperimentManifest written =
                ManifestJson.read(file, ExperimentManifest.class, ExperimentManifest.FORMAT_VERSION);
        requireValid(file, written);
        if (written.status() != RunStatus.RUNNING || isBeingWritten(written.runFolders())) {
            return written;
        }
        notes.add(new ReaderNote(null, "The process of this experiment was killed. Its finished runs are kept."));
        return InterruptedExperiment.interrupted(written);
    }

    ExperimentRecord read() throws IOException {
        ExperimentManifest manifest = manifest();
        List<RunRecord> runs = new ArrayList<>();
        List<ResultFormatException> faults = new ArrayList<>();
        for (String name : manifest.runFolders()) {
            Path runFolder = folder.resolve(name);
            if (!Files.isDirectory(runFolder, LinkOption.NOFOLLOW_LINKS)) {
                // Of an experiment that was stopped, it did not start: ExperimentRecord.runsText.
                if (manifest.status() == RunStatus.COMPLETE) {
                    notes.add(new ReaderNote(name, "is missing."));
                }
                continue;
            }
            if (manifest.status() != RunStatus.COMPLETE
                    && !Files.exists(runFolder.resolve(RecordFiles.RUN), LinkOption.NOFOLLOW_LINKS)) {
                notes.add(new ReaderNote(name, "ended before its record began."));
                continue;
            }
            try {
                runs.add(new RunReader(runFolder).read());
            } catch (ResultFormatException e) {
                faults.add(e);
                notes.add(new ReaderNote(name, "was skipped. " + e.withoutPath()));
            }
        }
        if (runs.isEmpty() && !faults.isEmpty()) {
            throw faults.getFirst();
        }
        return new ExperimentRecord(folder, withSummary(manifest, runs), List.copyOf(runs), List.copyOf(notes));
    }

    /// Adds a missing summary from the complete runs, and derives one of an earlier version again, if each run matches its cell of the matrix.
    private ExperimentManifest withSummary(ExperimentManifest manifest, List<RunRecord> runs) {
        List<Cell> matrix = manifest.spec().cells();
        boolean fits = runs.stream().map(run -> run.manifest().plan()).allMatch(
                plan -> plan.index().cell() < matrix.size() && matrix.get(plan.index().cell()).equals(plan.cell()));
        boolean anyComplete = runs.stream().anyMatch(run -> run.manifest().status() == RunStatus.COMPLETE);
        if (!fits || !anyComplete || (!manifest.cells().isEmpty() && !isOlder(manifest, runs))) {
            return manifest;
        }
        if (manifest.cells().isEmpty()) {
            notes.add(new ReaderNote(null, "The summary was missing. It was recomputed from the complete runs."));
        }
        return ExperimentSummary.of(manifest, runs);
    }

    /// Whether its figures are by definitions of an earlier version, and all of its runs were read. Files of other tools have no verdict.
    static boolean isOlder(ExperimentManifest manifest, List<RunRecord> runs) {
        Verdict verdict = manifest.verdict();
        return verdict != null
                && verdict
                        .older()
                && manifest.cells().stream()
                        .allMatch(
                                cell -> cell
                                        .runs() == runs.stream()
                                                .filter(run -> run.manifest().status() == RunStatus.COMPLETE
                                                        && run.manifest().plan().index().cell() == cell.cellIndex())
                                                .count());
    }

    private boolean isBeingWritten(List<String> runFolders) throws IOException {
        if (RunningMarker.held(folder)) {
            return true;
        }
        for (String name : runFolders) {
            if (RunningMarker.held(folder.resolve(name))) {
                return true;
            }
        }
        return false;
    }

    private List<String> runFoldersPresent() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(folder)) {
            for (Path each : inside) {
                String name = each.getFileName().toString();
                boolean isRun = FileName.isPortable(name) && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(each.resolve(RecordFiles.RUN), LinkOption.NOFOLLOW_LINKS);
                if (isRun && names.size() < MAX_RUNS) {
                    names.add(name);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(null);
        return names;
    }

    private static void requireValid(Path file, ExperimentManifest manifest) throws ResultFormatException {
        if (manifest.runFolders().size() > MAX_RUNS || manifest.plan().size() > MAX_RUNS) {
            throw new ResultFormatException(file,
                    "there are more than " + MAX_RUNS + " runs, the limit of an experiment.");
        }
        if (manifest.spec().cellCount() > ExperimentSpec.MOST_CELLS) {
            throw new ResultFormatException(file,
                    "there are more than " + ExperimentSpec.MOST_CELLS + " cells, the limit of an experiment.");
        }
        Set<String> seen = new HashSet<>();
        for (String name : manifest.runFolders()) {
            if (!FileName.isPortable(name)) {
                throw new ResultFormatException(file,
                        "the run folder \"" + CsvReader.shortened(name) + "\" is not a valid name.");
            }
            if (!seen.add(name)) {
                throw new ResultFormatException(file,
                        "the run folder \"" + CsvReader.shortened(name) + "\" is listed twice.");
            }
        }
        for (ExperimentManifest.CellSummary cell : manifest.cells()) {
            if (cell.cellIndex() < 0 || cell.runs() < 0) {
                throw new ResultFormatException(file, "a cell has a negative index or a negative number of runs.");
            }
        }
    }
}
