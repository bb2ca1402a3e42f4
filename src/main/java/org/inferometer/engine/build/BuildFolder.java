package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.engine.EngineFormatException;
import org.inferometer.units.Leftovers;
import org.jspecify.annotations.Nullable;

/// The hidden temporary folder of one build, next to the engine's folder; closing deletes it. One build at a time.
///
/// The next build removes leftovers of a killed one.
final class BuildFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;

    private BuildFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// @throws EngineFormatException if another build of the engine is running
    static BuildFolder claim(Path engineFolder) throws IOException, EngineFormatException {
        Path absolute = engineFolder.toAbsolutePath();
        Path path = absolute.resolveSibling(Leftovers.BUILDING + absolute.getFileName());
        Files.createDirectories(path);
        FileChannel lock =
                FileChannel.open(path.resolve(Leftovers.LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean held = false;
        try {
            held = held(lock);
            if (!held) {
                throw new EngineFormatException(engineFolder, "Another build of this engine is running.",
                        "Wait until it is done.");
            }
            BuildFolder claimed = new BuildFolder(path, lock);
            claimed.removeAllButLock();
            return claimed;
        } finally {
            if (!held) {
                lock.close();
            }
        }
    }

    private static boolean held(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException sameProgram) {
            return false;
        }
    }

    Path path() {
        return path;
    }

    private void removeAllButLock() throws IOException {
        List<Path> leftovers;
        try (Stream<Path> content = Files.list(path)) {
            leftovers =
                    content.filter(file -> !file.endsWith(Leftovers.LOCK)).sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : leftovers) {
            Files.delete(file);
        }
    }

    @Override
    public void close() throws IOException {
        @Nullable IOException first = null;
        try {
            removeAllButLock();
        } catch (IOException kept) {
            first = kept;
        }
        lock.close();
        Files.deleteIfExists(path.resolve(Leftovers.LOCK));
        Files.deleteIfExists(path);
        if (first != null) {
            throw first;
        }
    }
}
