package org.inferometer.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;

/// `quality.json` in an engine's folder: the newest judgement of its weights.
public final class QualityFile {
    public static final String FILE = "quality.json";
    private static final SideFile<EngineQuality> SIDE =
            new SideFile<>(FILE, EngineQuality.class, "quality file", 64, "Measure the quality again.");

    private QualityFile() {}

    /// The quality of these weights; empty if it was not measured, or if other weights were judged.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<EngineQuality> read(Path folder, EngineDescriptor engine) throws EngineFormatException {
        return SIDE.read(folder).filter(quality -> quality.weightsSha256().equals(engine.weightsSha256()));
    }

    /// The file's content.
    public static byte[] bytes(EngineQuality quality) {
        return SideFile.bytes(quality);
    }
}
