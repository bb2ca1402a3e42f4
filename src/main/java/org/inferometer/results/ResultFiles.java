package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.inferometer.record.ExperimentManifest;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RecordSink;
import org.inferometer.record.RecordStore;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.units.HeldFile;

/// Records as folders: `experiment.json` and one folder a run with `run.json`, `requests.csv`, `tokens.bin`, `steps.csv`,
/// `telemetry.csv` and `events.jsonl`.
///
/// While an experiment is RUNNING, or the sink of a run is open, its folder holds a marker locked by the process. A RUNNING record without
/// a locked marker was interrupted. Thread-safe. Closing releases the markers of experiments not saved as ended.
public final class ResultFiles implements RecordStore, AutoCloseable {
    /// The backend of an experiment that was imported from another tool's file.
    public static final String IMPORTED = "imported";

    private final Map<Path, HeldFile> running = new HashMap<>();

    @Override
    public RecordSink openRun(Path runFolder, RunManifest manifest) throws IOException {
        return new RunRecorder(runFolder, manifest);
    }

    @Override
    public void saveRun(Path runFolder, RunManifest manifest) throws IOException {
        if (Files.exists(runFolder.resolve(RecordFiles.TOKENS)) || Files.exists(runFolder.resolve(RecordFiles.RUN))) {
            AtomicFile.write(runFolder.resolve(RecordFiles.RUN), ManifestJson.bytes(manifest));
        } else {
            openRun(runFolder, manifest).close();
        }
    }

    @Override
    public RunRecord readRun(Path runFolder) throws IOException {
        return new RunReader(runFolder).read();
    }

    @Override
    public synchronized void saveExperiment(Path experimentFolder, ExperimentManifest manifest) throws IOException {
        Path folder = experimentFolder.toAbsolutePath().normalize();
        boolean goesOn = manifest.status() == RunStatus.RUNNING && running.containsKey(folder);
        try {
            if (!isInPlace(folder)) {
                throw new NoSuchFileException(folder.toString(), null, "It was moved or deleted meanwhile.");
            }
            Files.createDirectories(folder);
            if (manifest.status() == RunStatus.RUNNING && !goesOn) {
                running.put(folder, RunningMarker.hold(folder));
            }
            AtomicFile.write(folder.resolve(RecordFiles.EXPERIMENT), ManifestJson.bytes(manifest));
            goesOn = manifest.status() == RunStatus.RUNNING;
        } finally {
            HeldFile marker = goesOn ? null : running.remove(folder);
            if (marker != null) {
                marker.close();
            }
        }
    }

    @Override
    public synchronized boolean isInPlace(Path experimentFolder) {
        HeldFile marker = running.get(experimentFolder.toAbsolutePath().normalize());
        return marker == null || marker.isInPlace();
    }

    @Override
    public long freeBytes(Path folder) {
        Path present = folder.toAbsolutePath();
        while (present != null && !Files.exists(present)) {
            present = present.getParent();
        }
        try {
            return present == null ? Long.MAX_VALUE : Files.getFileStore(present).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        for (HeldFile marker : running.values()) {
            marker.close();
        }
        running.clear();
    }
}
