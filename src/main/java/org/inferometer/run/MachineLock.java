package org.inferometer.run;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Keeps two measured experiments on one machine apart: a lock that the system frees when its holder dies.
///
/// The file is every user's: whoever measures first makes it, and the others must be able to lock it too.
final class MachineLock implements AutoCloseable {
    private static final String FOR_ALL = "rw-rw-rw-";

    private final FileChannel channel;
    private final FileLock lock;

    private MachineLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /// The lock, or nothing when another process of this machine is measuring.
    ///
    /// @param file the same for every process of the machine
    /// @throws IOException in one sentence when the file can be neither opened nor made
    static Optional<MachineLock> tryTake(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = open(file);
        } catch (FileSystemException e) {
            String why = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
            throw new IOException(
                    "The file that keeps two experiments on this machine apart, " + file + ", cannot be opened (" + why
                            + "). If another user's program left it, let that user or an administrator remove it.",
                    e);
        }
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

    /// Asks for no more than is needed: in a folder that all may write, a system may refuse to "create" what is another user's.
    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            // The first on this machine.
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            shareWithAll(file);
            return channel;
        } catch (FileAlreadyExistsException e) {
            // Somebody was quicker.
            return FileChannel.open(file, StandardOpenOption.WRITE);
        }
    }

    /// Afterwards, since a process's mask takes rights from what it makes.
    private static void shareWithAll(Path file) {
        PosixFileAttributeView rights =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            if (rights != null) {
                rights.setPermissions(PosixFilePermissions.fromString(FOR_ALL));
            }
        } catch (IOException e) {
            // Its maker can measure all the same; others are told why they cannot.
            System.getLogger(MachineLock.class.getName()).log(System.Logger.Level.DEBUG, "The lock file is not shared",
                    e);
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            lock.release();
        }
    }
}
