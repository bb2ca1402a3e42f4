package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.inferometer.units.FileFault;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// Replaces a file atomically: writes a temporary file beside it, forces it to the disk and moves it over the old one.
public final class AtomicFile {
    private AtomicFile() {}

    /// Moves a file that cannot be read aside, so that the next writing does not replace it: "session.json" becomes
    /// "session-damaged.json". Links and pipes are moved themselves.
    ///
    /// @return where it is kept
    public static Path keepAside(Path file) throws IOException {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.') < 0 ? name.length() : name.lastIndexOf('.');
        return Files.move(file, file.resolveSibling(name.substring(0, dot) + "-damaged" + name.substring(dot)),
                StandardCopyOption.REPLACE_EXISTING);
    }

    /// Writes the bytes; creates the folder if missing.
    ///
    /// @throws IOException with the path and the reason
    public static void write(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(file + " is not a file name.");
        }
        // Files.createTempFile would restrict the permissions of the record.
        String suffix = "-" + Thread.currentThread().threadId() + ".tmp";
        try (HeldFile beside = HeldFile.hold(folder, Leftovers.WRITING, suffix)) {
            // A file that this thread left when its deletion failed.
            beside.channel().truncate(0);
            beside.write(content);
            beside.channel().force(true);
            beside.moveTo(file);
        } catch (IOException e) {
            throw FileFault.at(file, e);
        }
    }
}
