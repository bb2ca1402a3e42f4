package org.inferometer.units;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A file that its process keeps locked. The operating system releases the lock when the process ends.
///
/// A process never opens a file that it holds: on POSIX systems, closing any channel on a file drops the lock of the whole process.
/// One thread holds and closes it; any thread may ask for others.
public final class HeldFile implements AutoCloseable {
    private static final int MOST_TRIES = 100;
    /// Keys of the files that this process holds. Its monitor guards every opening and closing of a lockable file.
    private static final Set<Object> HELD = new HashSet<>();

    private final Path path;
    private final FileChannel channel;
    private final Object key;
    private boolean released;

    private HeldFile(Path path, FileChannel channel, Object key) {
        this.path = path;
        this.channel = channel;
        this.key = key;
    }

    /// Creates and locks `PREFIX` + process + `suffix` in a folder; creates the folder if missing.
    ///
    /// @param prefix ends with a hyphen
    /// @throws IOException also if this process already holds the file
    public static HeldFile hold(Path folder, String prefix, String suffix) throws IOException {
        Path path = folder.resolve(prefix + process() + suffix);
        for (int i = 0; i < MOST_TRIES; i++) {
            synchronized (HELD) {
                if (isHeldHere(path)) {
                    throw new IOException(folder + " is already being written by this process.");
                }
                // Another process that looks for leftovers may hold the lock for an instant and remove the file.
                HeldFile held = locked(path, open(folder, path));
                if (held != null) {
                    return held;
                }
            }
        }
        throw new IOException(folder + " is being written by another process.");
    }

    /// Locks a file that exists; empty if a living process holds it, or it was moved meanwhile.
    ///
    /// @throws NoSuchFileException if it does not exist
    public static Optional<HeldFile> holdExisting(Path file) throws IOException {
        synchronized (HELD) {
            return isHeldHere(file) ? Optional.empty() : Optional.ofNullable(
                    locked(file, FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)));
        }
    }

    /// Locks an open file; null, with the channel closed, if another process holds it or it is no longer in its place.
    private static @Nullable HeldFile locked(Path path, FileChannel channel) throws IOException {
        boolean held = false;
        try {
            if (channel.tryLock() == null || !Files.exists(path)) {
                return null;
            }
            HeldFile file = new HeldFile(path, channel, key(path));
            held = HELD.add(file.key);
            return held ? file : null;
        } catch (OverlappingFileLockException | NoSuchFileException e) {
            return null;
        } finally {
            if (!held) {
                channel.close();
            }
        }
    }

    private static FileChannel open(Path folder, Path path) throws IOException {
        for (int i = 1;; i++) {
            Files.createDirectories(folder);
            try {
                return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            } catch (NoSuchFileException e) {
                // The same process may remove the folder while it is empty.
                if (i == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    /// Whether a living process holds the file; false on file systems without locks.
    public static boolean isHeld(Path file) {
        synchronized (HELD) {
            try {
                if (isHeldHere(file)) {
                    return true;
                }
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                        FileLock lock = channel.tryLock()) {
                    return lock == null;
                }
            } catch (OverlappingFileLockException e) {
                return true;
            } catch (IOException e) {
                return false;
            }
        }
    }

    /// Deletes a file unless a living process holds it. The lock is held meanwhile, so that a starting writer notices.
    ///
    /// @throws IOException if it is held
    static void deleteFree(Path file) throws IOException {
        Optional<HeldFile> free = holdExisting(file);
        if (free.isEmpty()) {
            throw new IOException(file + " is being written by a running process. It is not deleted.");
        }
        try {
            Files.delete(file);
        } finally {
            free.get().release();
        }
    }

    private static boolean isHeldHere(Path file) throws IOException {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && HELD.contains(key(file));
    }

    /// The same for all paths of a file.
    private static Object key(Path file) throws IOException {
        Object key = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
        return key == null ? file.toRealPath() : key;
    }

    private static String process() {
        ProcessHandle self = ProcessHandle.current();
        return self.pid() + "-" + self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /// Whether it stands where it was created: not if its folder was moved or deleted.
    public boolean isInPlace() {
        return Files.exists(path);
    }

    /// The file. On POSIX systems a channel that is opened and closed on it releases the lock.
    public Path path() {
        return path;
    }

    /// Writes to the file.
    public FileChannel channel() {
        return channel;
    }

    /// Writes all the bytes, after what was written before.
    public void write(byte[] content) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
            channel.write(rest);
        }
    }

    /// Replaces another file by this one, atomically where the file system can; the lock is held meanwhile.
    public void moveTo(Path target) throws IOException {
        try {
            Files.move(path, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(path, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// Releases the lock and deletes the file unless it was moved.
    @Override
    public void close() throws IOException {
        release();
        Files.deleteIfExists(path);
    }

    /// Releases the lock; the file stays.
    public void release() throws IOException {
        synchronized (HELD) {
            // An interrupt may have closed the channel. Another thread may hold the file by now.
            if (!released) {
                released = true;
                HELD.remove(key);
                channel.close();
            }
        }
    }
}
