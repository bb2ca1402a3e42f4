package org.inferometer.record;

import java.io.IOException;
import java.nio.file.Path;

/// Where records go; `results` implements it.
public interface RecordStore {
    /// Opens the record of a run in its folder, which is created; the manifest is written at once.
    ///
    /// @throws java.nio.file.FileAlreadyExistsException if the folder holds a record; it is not changed
    RecordSink openRun(Path runFolder, RunManifest manifest) throws IOException;

    /// Writes or replaces the manifest of a run that no sink is open for. A run without files gets the files of an empty record.
    void saveRun(Path runFolder, RunManifest manifest) throws IOException;

    /// Reads the record of a run.
    RunRecord readRun(Path runFolder) throws IOException;

    /// Writes or replaces `experiment.json`, atomically. After a failure to write the first or the last one, the folder is not
    /// marked as being written.
    ///
    /// @throws java.nio.file.NoSuchFileException if the folder was moved or deleted since the first time; it is not created again
    void saveExperiment(Path experimentFolder, ExperimentManifest manifest) throws IOException;

    /// Whether the folder of an experiment that is being written is where it was created: not if it was moved or deleted.
    default boolean isInPlace(Path experimentFolder) {
        return true;
    }

    /// Free bytes on the disk of a folder, which need not exist; `Long.MAX_VALUE` if the system does not tell.
    long freeBytes(Path folder);
}
