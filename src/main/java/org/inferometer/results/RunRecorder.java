package org.inferometer.results;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.TelemetrySample;
import org.inferometer.units.HeldFile;

/// Appends the record of one run to its folder.
///
/// Token instants are written before their row, so that a row on the disk nearly always has its instants. One thread.
final class RunRecorder implements RecordSink {
    private final Path folder;
    private final HeldFile marker;
    private final TokenWriter tokens;
    private final CsvWriter requests;
    private final CsvWriter steps;
    private final StepRows stepRows = new StepRows();
    private final CsvWriter telemetry;
    private final EventLines events;

    /// @throws FileAlreadyExistsException if the folder already holds a run; it is not overwritten
    RunRecorder(Path folder, RunManifest manifest) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
        if (Files.exists(folder.resolve(RecordFiles.RUN))) {
            throw new FileAlreadyExistsException(folder.toString(), null,
                    "It already holds the record of a run. Choose another folder.");
        }
        marker = RunningMarker.hold(folder);
        try {
            tokens = new TokenWriter(folder.resolve(RecordFiles.TOKENS));
            requests = new CsvWriter(folder.resolve(RecordFiles.REQUESTS), RequestRows.COLUMNS);
            steps = new CsvWriter(folder.resolve(RecordFiles.STEPS), StepRows.COLUMNS);
            telemetry = new CsvWriter(folder.resolve(RecordFiles.TELEMETRY), TelemetryRows.COLUMNS);
            events = new EventLines(folder.resolve(RecordFiles.EVENTS));
            manifest(manifest);
        } catch (IOException e) {
            marker.close();
            throw e;
        }
    }

    @Override
    public void request(RequestOutcome request) throws IOException {
        tokens.append(request.id().index(), request.eventNanos(), request.eventTokens(), request.eventAnswers());
        RequestRows.write(requests, request);
    }

    @Override
    public void step(StepReport step) throws IOException {
        stepRows.write(steps, step);
    }

    @Override
    public void telemetry(TelemetrySample sample) throws IOException {
        TelemetryRows.write(telemetry, sample);
    }

    @Override
    public void event(RunEvent event) throws IOException {
        events.append(event);
    }

    @Override
    public void flush() throws IOException {
        tokens.flush();
        requests.flush();
        steps.flush();
        telemetry.flush();
        events.flush();
    }

    @Override
    public void manifest(RunManifest manifest) throws IOException {
        if (manifest.status() != RunStatus.RUNNING) {
            // All rows must be on the disk before the manifest says complete.
            tokens.force();
            requests.force();
            steps.force();
            telemetry.force();
            events.force();
        }
        AtomicFile.write(folder.resolve(RecordFiles.RUN), ManifestJson.bytes(manifest));
    }

    @Override
    public boolean isInPlace() {
        return marker.isInPlace();
    }

    @Override
    public void close() throws IOException {
        try (marker; events; telemetry; steps; requests; tokens) {
            flush();
        }
    }
}
