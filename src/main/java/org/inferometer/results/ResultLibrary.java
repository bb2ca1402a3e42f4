package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.benchmark.ExperimentManifest;
import org.inferometer.benchmark.ExperimentRecord;

/// The experiments of a folder: listed by their manifests alone, opened in full on demand.
public final class ResultLibrary {
    private final Path folder;

    /// @param folder holds one folder per experiment; may not exist yet
    public ResultLibrary(Path folder) {
        this.folder = folder;
    }

    /// All experiments, newest first; unreadable ones are listed with what is wrong.
    public List<Entry> list() {
        throw new IllegalStateException(folder.toString());
    }

    /// Reads an experiment in full, given its folder or the id of one in this library. What a crash left behind is read as far as
    /// it goes, and the notes say so.
    ///
    /// @throws ResultFormatException when there is nothing that can be read
    public ExperimentRecord open(Path experiment) throws IOException {
        throw new IllegalStateException(experiment.toString());
    }

    /// @param problem one sentence when the manifest cannot be read; then `manifest` is absent
    public record Entry(Path folder, java.util.Optional<ExperimentManifest> manifest, String problem) {}
}
