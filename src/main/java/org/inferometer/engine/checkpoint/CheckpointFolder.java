package org.inferometer.engine.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FileFault;

/// Files of a checkpoint's folder. A checkpoint of others must not read files outside it.
final class CheckpointFolder {
    private CheckpointFolder() {}

    /// A file of the folder; empty if there is none. The cache of a hub links each file of `snapshots/X` into `blobs`.
    ///
    /// @throws EngineFormatException if it is a link to elsewhere or to nothing, or no file
    static Optional<Path> file(Path folder, String name) throws EngineFormatException {
        Path file = folder.resolve(name);
        if (!Files.isRegularFile(file)) {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new EngineFormatException(file, "It is no file, or a link to none.",
                        "Copy the whole checkpoint again.");
            }
            return Optional.empty();
        }
        try {
            Path place = folder.toRealPath();
            Path real = file.toRealPath();
            Path above = place.resolveSibling("").normalize();
            boolean inCache = above.endsWith("snapshots") && real.startsWith(above.resolveSibling("blobs"));
            if (!real.startsWith(place) && !inCache) {
                throw new EngineFormatException(file, "It is a link out of the checkpoint's folder.",
                        "Copy the whole checkpoint again.");
            }
        } catch (IOException e) {
            throw new EngineFormatException(file, "It cannot be read (" + FileFault.reason(e) + ").",
                    "Check the disk and the file's permissions.", e);
        }
        return Optional.of(file);
    }
}
