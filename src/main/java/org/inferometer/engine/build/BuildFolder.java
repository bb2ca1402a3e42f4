package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.FolderTree;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// The hidden temporary folder of one build, next to the engine's folder. One build at a time.
///
/// Closing deletes it unless it is kept. The next build of the engine finds what was kept, or what a killed one left.
final class BuildFolder implements AutoCloseable {
    private static final int MOST_TRIES = 100;

    private final Path path;
    private final HeldFile lock;
    private boolean kept;

    private BuildFolder(Path path, HeldFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /// @throws EngineFormatException if another build of the engine is running, or a folder of its name is none of ours
    static BuildFolder claim(Path engineFolder) throws IOException, EngineFormatException {
        Path path = path(engineFolder);
        for (int i = 0; i < MOST_TRIES; i++) {
            try {
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    make(path);
                }
                if (!Leftovers.isBuilding(path)) {
                    if (i < MOST_TRIES - 1) {
                        // It may just be deleted.
                        continue;
                    }
                    throw new EngineFormatException(path, "This build did not make the folder, and leaves it alone.",
                            "Rename or delete it, then build again.");
                }
                HeldFile lock = HeldFile.holdExisting(path.resolve(Leftovers.LOCK)).orElse(null);
                if (lock != null) {
                    return new BuildFolder(path, lock);
                }
                if (HeldFile.isHeld(path.resolve(Leftovers.LOCK))) {
                    throw new EngineFormatException(engineFolder, "Another build of this engine is running.",
                            "Wait until it is done.");
                }
            } catch (NoSuchFileException e) {
                // Another build has ended, or `results prune` has deleted the folder of a killed one.
            }
        }
        throw new IOException(path + " is deleted again and again by another process.");
    }

    /// Where the builds of an engine are written.
    static Path path(Path engineFolder) {
        Path absolute = engineFolder.toAbsolutePath();
        return absolute.resolveSibling(Leftovers.BUILDING + absolute.getFileName());
    }

    /// Makes the folder with its files elsewhere and moves it into place, unless another build is faster.
    private static void make(Path path) throws IOException {
        Path hidden = path.resolveSibling(Leftovers.UNFINISHED + UUID.randomUUID());
        Path content = hidden.resolve(Leftovers.CONTENT);
        HeldFile marker = HeldFile.hold(hidden, Leftovers.RUNNING, "");
        try (marker) {
            Files.createDirectory(content);
            Files.writeString(content.resolve(Leftovers.MARK), Leftovers.MARK_TEXT);
            Files.createFile(content.resolve(Leftovers.LOCK));
            Files.move(content, path);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            // The other build's folder is as good.
        } finally {
            FolderTree.delete(hidden);
        }
    }

    Path path() {
        return path;
    }

    /// Leaves the files to the next build when it is closed.
    void keep() {
        kept = true;
    }

    /// Deletes the files when it is closed.
    void discard() {
        kept = false;
    }

    /// Removes what an earlier build left, except files of these names.
    void clear(String... except) throws IOException {
        Set<String> stay = new HashSet<>(List.of(except));
        stay.addAll(List.of(Leftovers.LOCK, Leftovers.MARK));
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
        try {
            if (!kept) {
                Leftovers.deleteBuilding(path, lock);
            }
        } finally {
            lock.release();
        }
    }
}
