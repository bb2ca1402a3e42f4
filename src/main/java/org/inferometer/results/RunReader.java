package org.inferometer.results;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import org.inferometer.measurement.verdict.VerdictRules;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.Verdict;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.PlainText;

/// Reads the folder of a run as far as possible, with a note for each missing or incomplete file.
final class RunReader {
    private final Path folder;
    private final long partBytes;
    private final List<String> notes = new ArrayList<>();

    RunReader(Path folder) {
        this(folder, FileParts.usualBytes());
    }

    /// @param partBytes size of the parallel parts of large files
    RunReader(Path folder, long partBytes) {
        this.folder = folder;
        this.partBytes = partBytes;
    }

    /// @throws ResultFormatException if a file is invalid
    RunRecord read() throws IOException {
        // The manifest is read first: if it says complete, all rows are on the disk. It is parsed while the requests are read.
        Path manifestFile = folder.resolve(RecordFiles.RUN);
        byte[] manifestText = ManifestJson.text(manifestFile);
        boolean alive = RunningMarker.held(folder);
        FutureTask<RunManifest> parsing = new FutureTask<>(() -> parsed(manifestFile, manifestText));
        ForkJoinPool.commonPool().execute(parsing);
        ResultFormatException fault = null;
        RequestColumns requests = RequestColumns.NONE;
        try {
            requests = new RequestReader(folder, partBytes, notes).read();
        } catch (ResultFormatException e) {
            fault = e;
        }
        RunManifest manifest = ended(joined(parsing), alive);
        if (fault != null) {
            throw fault;
        }
        return record(manifest, requests);
    }

    private RunRecord record(RunManifest manifest, RequestColumns requests) throws IOException {
        List<StepReport> steps = rows(RecordFiles.STEPS, StepRows.COLUMNS, StepRows.COLUMNS.size(), StepRows.MAX_ROWS,
                new StepRows()::read);
        List<TelemetrySample> telemetry = rows(RecordFiles.TELEMETRY, TelemetryRows.COLUMNS,
                TelemetryRows.FIRST_COLUMNS, TelemetryRows.MAX_ROWS, TelemetryRows::read);
        telemetry.sort(Comparator.comparingLong(TelemetrySample::nanos));
        Path eventFile = folder.resolve(RecordFiles.EVENTS);
        List<RunEvent> events = RegularFile.isMissing(eventFile, notes) ? List.of() : EventLines.read(eventFile, notes);
        for (RunEvent event : events) {
            if (event instanceof RunEvent.ImportNote note) {
                notes.add(note.text());
            }
        }
        RunObservations observations = new RunObservations(requests, Collections.unmodifiableList(steps),
                Collections.unmodifiableList(telemetry), RunSetup.of(manifest), Collections.unmodifiableList(events));
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return new RunRecord(name == null ? "" : PlainText.of(name.toString()), judged(manifest, observations),
                observations, List.copyOf(notes));
    }

    /// With its verdict by the definitions of today.
    private static RunManifest judged(RunManifest manifest, RunObservations observations) {
        RunManifest.RunOutcome outcome = manifest.outcome();
        Verdict verdict = outcome.verdict();
        boolean earlyEnds = !manifest.plan().workload().refinements().earlyEnd().isNone();
        return verdict == null || !verdict.older() ? manifest
                : manifest.ended(new RunManifest.RunOutcome(outcome.status(), outcome.failure(),
                        outcome.droppedSamples(), VerdictRules.again(verdict, observations, earlyEnds)));
    }

    private static RunManifest parsed(Path file, byte[] text) throws IOException {
        RunManifest written = ManifestJson.parse(file, text, RunManifest.class, RunManifest.FORMAT_VERSION);
        RunSetup.requireSound(file, written);
        return written;
    }

    private static RunManifest joined(FutureTask<RunManifest> parsing) throws IOException {
        try {
            return parsing.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Reading the record was interrupted.");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException fault -> throw fault;
                case RuntimeException broken -> throw broken;
                case Error broken -> throw broken;
                case null, default -> throw new IOException(e.getCause());
            }
        }
    }

    private RunManifest ended(RunManifest written, boolean alive) {
        if (written.status() != RunStatus.RUNNING || alive) {
            return written;
        }
        notes.addFirst("The process of this run was killed. Its records so far are kept.");
        return written
                .ended(new RunManifest.RunOutcome(RunStatus.INTERRUPTED, "", written.outcome().droppedSamples(), null));
    }

    private interface RowReader<T> {
        T row(CsvReader in) throws ResultFormatException;
    }

    private <T> List<T> rows(String name, List<String> columns, int first, long maxRows, RowReader<T> each)
            throws IOException {
        Path file = folder.resolve(name);
        if (RegularFile.isMissing(file, notes)) {
            return new ArrayList<>();
        }
        try (CsvReader in = new CsvReader(file, columns, first, maxRows)) {
            List<T> rows = new ArrayList<>();
            while (in.next()) {
                rows.add(each.row(in));
            }
            if (in.torn()) {
                notes.add("The last row of " + name + " is incomplete and was skipped.");
            }
            return rows;
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
    }
}
