package org.inferometer.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.files.SideFile;

/// `calibration.json` in an engine's folder: how a text helped to round its weights.
public final class CalibrationFile {
    public static final String FILE = "calibration.json";
    private static final SideFile<EngineCalibration> SIDE =
            new SideFile<>(FILE, EngineCalibration.class, "calibration", 1024, "Build the engine again.");

    private CalibrationFile() {}

    /// The calibration of an engine; empty if its weights were rounded without a text.
    ///
    /// @throws EngineFormatException if the file is broken
    public static Optional<EngineCalibration> read(Path folder) throws EngineFormatException {
        return SIDE.read(folder);
    }

    /// The file's content.
    public static byte[] bytes(EngineCalibration calibration) {
        return SideFile.bytes(calibration);
    }
}
