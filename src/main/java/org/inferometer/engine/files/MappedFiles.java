package org.inferometer.engine.files;

import java.nio.file.Path;

/// Recognizes reads of mapped files that the system could not serve.
public final class MappedFiles {
    private MappedFiles() {}

    /// Whether the JVM could not read a mapping: it translates the signal SIGBUS into this error.
    public static boolean isUnreadable(InternalError error) {
        return String.valueOf(error.getMessage()).contains("unsafe memory access");
    }

    /// The likely cause and what to do, as the end of a sentence and a second one.
    ///
    /// @param folder the engine's folder
    public static String fault(Path folder) {
        Path name = folder.getFileName();
        return "a file in " + folder
                + " was truncated while it was mapped, or its disk failed. Check it with \"inferometer "
                + "engines verify " + (name == null ? folder : name) + "\", or build the engine again.";
    }
}
