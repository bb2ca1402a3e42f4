package org.inferometer.selfcheck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A folder for files that nobody needs afterwards; closing deletes it with all that is in it.
record ScratchFolder(Path path) implements AutoCloseable {
    /// A new, empty one where the system keeps temporary files.
    static ScratchFolder create(String prefix) throws IOException {
        return new ScratchFolder(Files.createTempDirectory(prefix));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
