package org.inferometer.engine;

import java.nio.file.Path;

/// What users are told when a mapped file of an engine can no longer be read.
public final class MappedFiles {
    private MappedFiles() {}

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
