package org.inferometer.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;

/// `sources.json` in an engine's folder: where its weights were read from.
public final class SourcesFile {
    public static final String FILE = "sources.json";
    private static final SideFile<WeightSources> SIDE =
            new SideFile<>(FILE, WeightSources.class, "list of sources", 8192, "Build the engine again.");

    private SourcesFile() {}

    /// The sources of an engine; empty if its weights are synthetic, or if an older version built it.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<WeightSources> read(Path folder) throws EngineFormatException {
        return SIDE.read(folder);
    }

    /// The file's content.
    public static byte[] bytes(WeightSources sources) {
        return SideFile.bytes(sources);
    }
}
