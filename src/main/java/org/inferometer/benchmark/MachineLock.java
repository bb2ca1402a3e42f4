package org.inferometer.benchmark;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// Keeps two measured experiments on one machine apart: a lock that the system frees when its holder dies.
final class MachineLock implements AutoCloseable {
    private final FileChannel channel;
    private final FileLock lock;

    private MachineLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /// The lock, or nothing when another process of this machine is measuring.
    ///
    /// @param file the same for every process of the machine
    static Optional<MachineLock> tryTake(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(new MachineLock(channel, lock));
            }
        } catch (OverlappingFileLockException e) {
            // Another experiment of this very process holds it.
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            lock.release();
        }
    }
}
