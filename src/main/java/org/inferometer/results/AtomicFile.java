package org.inferometer.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.inferometer.units.FileFault;

/// Replaces a file atomically: writes a temporary file beside it, forces it to the disk and moves it over the old one.
public final class AtomicFile {
    private AtomicFile() {}

    /// Writes the bytes; creates the folder if missing.
    ///
    /// @throws IOException with the path and the reason
    public static void write(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is not a file name.");
        }
        Files.createDirectories(folder);
        // Unique per writer. Files.createTempFile would restrict the permissions of the record.
        Path beside = folder.resolve(
                ".writing-" + ProcessHandle.current().pid() + "-" + Thread.currentThread().threadId() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            replace(beside, file);
        } catch (IOException e) {
            throw FileFault.at(file, e);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    private static void replace(Path beside, Path file) throws IOException {
        try {
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
