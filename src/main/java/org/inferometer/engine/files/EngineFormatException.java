package org.inferometer.engine.files;

import java.nio.file.Path;

/// An engine folder cannot be used; the message has the file, the fault and the remedy.
public final class EngineFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param file the damaged or missing file
    /// @param problem what is wrong, as a sentence
    /// @param remedy what the user can do, as a sentence
    public EngineFormatException(Path file, String problem, String remedy) {
        super(file + ": " + problem + " " + remedy);
    }

    /// With a cause for the log.
    public EngineFormatException(Path file, String problem, String remedy, Throwable cause) {
        super(file + ": " + problem + " " + remedy, cause);
    }
}
