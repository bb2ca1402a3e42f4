package org.inferometer.results;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/// A locked file that marks a folder as being written. The operating system releases the lock when the process ends.
///
/// The file name holds process id and start, so that a process recognizes its own marker without opening it: on POSIX systems,
/// closing any channel on a file drops the lock. The holder closes it; any thread may call [#held].
final class RunningMarker implements AutoCloseable {
    private static final String PREFIX = ".running-";
    private final Path file;
    private final FileChannel channel;

    private RunningMarker(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// Marks an existing folder as being written by this process.
    static RunningMarker hold(Path folder) throws IOException {
        Path file = folder.resolve(ownName());
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() == null) {
                throw new IOException(folder + " is being written by another process.");
            }
        } catch (IOException | OverlappingFileLockException e) {
            channel.close();
            throw e instanceof IOException io ? io
                    : new IOException(folder + " is already being written by this process.", e);
        }
        return new RunningMarker(file, channel);
    }

    /// Whether a process writes into the folder; false on file systems without locks.
    static boolean held(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> markers = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path marker : markers) {
                if (Files.isRegularFile(marker, LinkOption.NOFOLLOW_LINKS) && isHeld(marker)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isHeld(Path marker) {
        if (marker.getFileName().toString().equals(ownName())) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(marker, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (IOException | OverlappingFileLockException e) {
            return false;
        }
    }

    private static String ownName() {
        ProcessHandle self = ProcessHandle.current();
        return PREFIX + self.pid() + "-" + self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(file);
    }
}
