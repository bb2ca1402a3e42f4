package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.Leftovers;
import org.jspecify.annotations.Nullable;

/// The hidden temporary folder of one build, next to the engine's folder. One build at a time.
///
/// Closing deletes it unless it is kept. The next build of the engine finds what was kept, or what a killed one left.
final class BuildFolder implements AutoCloseable {
    private final Path path;
    private final FileChannel lock;
    private boolean kept;

    private BuildFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /// @throws EngineFormatException if another build of the engine is running
    static BuildFolder claim(Path engineFolder) throws IOException, EngineFormatException {
        Path absolute = engineFolder.toAbsolutePath();
        Path path = absolute.resolveSibling(Leftovers.BUILDING + absolute.getFileName());
        FileChannel lock = openLock(path);
        boolean held = false;
        try {
            held = held(lock);
            if (!held) {
                throw new EngineFormatException(engineFolder, "Another build of this engine is running.",
                        "Wait until it is done.");
            }
            return new BuildFolder(path, lock);
        } finally {
            if (!held) {
                lock.close();
            }
        }
    }

    private static FileChannel openLock(Path folder) throws IOException {
        while (true) {
            Files.createDirectories(folder);
            try {
                return FileChannel.open(folder.resolve(Leftovers.LOCK), StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
            } catch (NoSuchFileException e) {
                // `results prune` takes the empty folder of a killed build for a leftover.
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

    /// Leaves the files to the next build when it is closed.
    void keep() {
        kept = true;
    }

    /// Removes what an earlier build left, except files of these names.
    void clear(String... except) throws IOException {
        Set<String> stay = new HashSet<>(List.of(except));
        stay.add(Leftovers.LOCK);
        List<Path> leftovers;
        try (Stream<Path> content = Files.list(path)) {
            leftovers = content.filter(file -> !stay.contains(String.valueOf(file.getFileName()))).toList();
        }
        for (Path file : leftovers) {
            Files.delete(file);
        }
    }

    @Override
    public void close() throws IOException {
        if (kept) {
            lock.close();
            return;
        }
        @Nullable IOException first = null;
        try {
            clear();
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
