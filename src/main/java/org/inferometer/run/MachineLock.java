package org.inferometer.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Keeps two experiments on one machine apart: a lock that the system frees when its holder dies.
///
/// All users can lock the file: the first experiment creates it, and later ones of other users must be able to open it.
final class MachineLock implements Closeable {
    private static final String FOR_ALL = "rw-rw-rw-";
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1; // beyond the text, which stays readable everywhere
    private static final DateTimeFormatter HOUR_AND_MINUTE =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final FileChannel channel;
    private final FileLock lock;

    private MachineLock(FileChannel channel, FileLock lock) {
        this.channel = channel;
        this.lock = lock;
    }

    /// Takes the lock and writes into the file the process that holds it.
    ///
    /// @param file the same for every process of the machine
    /// @throws RunFailure when another experiment holds it
    /// @throws IOException if the file cannot be opened or created
    static MachineLock take(Path file) throws RunFailure, IOException {
        FileChannel channel;
        try {
            channel = open(file);
        } catch (FileSystemException e) {
            String why = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
            throw new IOException("The lock file " + file + " cannot be opened (" + why
                    + "). It keeps two experiments on this machine apart. Let its owner or an administrator remove it.",
                    e);
        }
        try {
            FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
            if (lock != null) {
                String pid = Long.toString(ProcessHandle.current().pid());
                channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)), 0);
                return new MachineLock(channel, lock);
            }
        } catch (OverlappingFileLockException e) {
            // Another experiment of this process holds it.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new RunFailure("Another experiment is running on this machine" + holder(file) + ". Wait, or stop it.");
    }

    private static String holder(Path file) {
        try {
            long pid = Long.parseLong(Files.readString(file).strip());
            return " (process " + pid + ", since " + HOUR_AND_MINUTE.format(Files.getLastModifiedTime(file).toInstant())
                    + ")";
        } catch (IOException | NumberFormatException e) {
            return "";
        }
    }

    /// Opens without "create" first: in a shared folder, the system may deny it for another user's file.
    private static FileChannel open(Path file) throws IOException {
        try {
            return FileChannel.open(file, StandardOpenOption.WRITE);
        } catch (NoSuchFileException e) {
            // The first experiment on this machine.
        }
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            shareWithAll(file);
            return channel;
        } catch (FileAlreadyExistsException e) {
            // Another process was faster.
            return FileChannel.open(file, StandardOpenOption.WRITE);
        }
    }

    /// Set after creation, because the process's umask removes permissions from new files.
    private static void shareWithAll(Path file) {
        PosixFileAttributeView rights =
                Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            if (rights != null) {
                rights.setPermissions(PosixFilePermissions.fromString(FOR_ALL));
            }
        } catch (IOException e) {
            // Its owner can measure all the same; other users get a message that says why they cannot.
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
