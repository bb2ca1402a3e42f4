package org.inferometer.engine.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The free bytes of a folder's disk.
@FunctionalInterface
public interface FreeSpace {
    /// The free space of the real disk.
    FreeSpace DISK = folder -> Files.getFileStore(folder).getUsableSpace();

    /// Free bytes for this process.
    ///
    /// @throws IOException if the folder does not exist
    long bytes(Path folder) throws IOException;
}
