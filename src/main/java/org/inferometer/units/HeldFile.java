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
import java.time.Instant;

/// A file that its process keeps locked. The operating system releases the lock when the process ends.
///
/// The file name holds process id and start, so that a process recognizes its own file without opening it: on POSIX systems,
/// closing any channel on a file drops the lock. One thread; the creator closes it.
public final class HeldFile implements AutoCloseable {
    private static final int MOST_TRIES = 100;

    private final Path path;
    private final FileChannel channel;

    private HeldFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// Creates and locks `PREFIX` + process + `suffix` in a folder; creates the folder if missing.
    ///
    /// @param prefix ends with a hyphen
    /// @throws IOException also if this process already holds the file
    public static HeldFile hold(Path folder, String prefix, String suffix) throws IOException {
        Path path = folder.resolve(prefix + process() + suffix);
        for (int i = 0; i < MOST_TRIES; i++) {
            FileChannel channel = open(folder, path);
            boolean held = false;
            try {
                // Another process that looks for leftovers may hold the lock for an instant and remove the file.
                held = channel.tryLock() != null && Files.exists(path);
                if (held) {
                    return new HeldFile(path, channel);
                }
            } catch (OverlappingFileLockException e) {
                throw new IOException(folder + " is already being written by this process.", e);
            } finally {
                if (!held) {
                    channel.close();
                }
            }
        }
        throw new IOException(folder + " is being written by another process.");
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
        if (String.valueOf(file.getFileName()).contains("-" + process())) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    /// Deletes a file unless a living process holds it. The lock is held meanwhile, so that a starting writer notices.
    ///
    /// @throws IOException if it is held
    static void deleteFree(Path file) throws IOException {
        if (isHeld(file)) {
            throw new IOException(file + " is being written by a running process. It is not deleted.");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw new IOException(file + " is being written by a running process. It is not deleted.");
            }
            Files.delete(file);
        }
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
        channel.close();
        Files.deleteIfExists(path);
    }
}
