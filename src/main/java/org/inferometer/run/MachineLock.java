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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.inferometer.units.SystemClock;
import org.jspecify.annotations.Nullable;

/// Prevents two experiments on one machine at a time. The system frees the lock when its holder dies.
///
/// The experiment locks one byte of the file, and its worker another. So a worker that outlives its experiment keeps others out. All
/// users of the machine can open and lock the file.
///
/// A process must not open the file again while it holds a lock in it: on POSIX systems, closing any channel of a file drops all
/// locks that the process has on it.
final class MachineLock implements Closeable {
    private static final String FOR_ALL = "rw-rw-rw-";
    private static final long WORKER_PATIENCE_MILLIS = 2_000;
    private static final long RETRY_MILLIS = 20;
    /// A file that is replaced while it is locked is opened again.
    private static final int MOST_TRIES = 20;
    private static final DateTimeFormatter HOUR_AND_MINUTE =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    /// Who locks a byte of the file and writes its process into a slot of the text.
    private enum Holder {
        EXPERIMENT("Another experiment is running on this machine"),
        WORKER("A worker whose experiment was killed is still measuring on this machine");

        private static final int SLOT_BYTES = 40;
        private final String refusal;

        Holder(String refusal) {
            this.refusal = refusal;
        }

        /// Beyond the text, which stays readable on systems that enforce locks.
        long lockedByte() {
            return Long.MAX_VALUE - 1 - ordinal();
        }

        long slot() {
            return (long) SLOT_BYTES * ordinal();
        }
    }

    private final Path file;
    private final FileChannel channel;
    /// Of the locked file; null where the system has none.
    private final @Nullable Object key;
    private volatile boolean replaced;

    private MachineLock(Path file, FileChannel channel, @Nullable Object key) {
        this.file = file;
        this.channel = channel;
        this.key = key;
    }

    /// Locks the byte of a holder.
    ///
    /// @param <X> what waiting throws
    @FunctionalInterface
    private interface Claim<X extends Exception> {
        void lock(FileChannel channel) throws RunFailure, IOException, X;
    }

    /// Takes the lock of an experiment and writes this process into the file.
    ///
    /// @param file the same for every process of the machine
    /// @throws RunFailure when another experiment, or a worker of one that was killed, holds the file
    /// @throws IOException if the file cannot be opened or created, or is no regular file
    static MachineLock take(Path file) throws RunFailure, IOException {
        Path parent = file.getParent();
        if (parent != null && Files.notExists(parent)) {
            // The first experiment on this machine, perhaps in a workspace that does not exist yet.
            Files.createDirectories(parent);
        }
        return takeInFolder(file);
    }

    private static MachineLock takeInFolder(Path file) throws RunFailure, IOException {
        return take(file, Holder.EXPERIMENT, channel -> {
            if (lock(channel, Holder.EXPERIMENT) == null) {
                throw refusal(channel, Holder.EXPERIMENT);
            }
            FileLock worker = lock(channel, Holder.WORKER);
            if (worker == null) {
                throw refusal(channel, Holder.WORKER);
            }
            worker.release();
        });
    }

    /// Takes the lock of a worker. Waits up to two seconds, because a starting experiment holds it for an instant.
    ///
    /// @throws RunFailure when another worker holds it
    static MachineLock takeForWorker(Path file) throws RunFailure, IOException, InterruptedException {
        return take(file, Holder.WORKER, channel -> {
            for (long waited = 0; lock(channel, Holder.WORKER) == null; waited += RETRY_MILLIS) {
                if (waited >= WORKER_PATIENCE_MILLIS) {
                    throw refusal(channel, Holder.WORKER);
                }
                TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
            }
        });
    }

    private static <X extends Exception> MachineLock take(Path file, Holder holder, Claim<X> claim)
            throws RunFailure, IOException, X {
        for (int i = 0; i < MOST_TRIES; i++) {
            MachineLock lock = openOrExplain(file);
            boolean taken = false;
            try {
                claim.lock(lock.channel);
                if (lock.isInPlace()) {
                    lock.requireOneName();
                    if (holder == Holder.EXPERIMENT) {
                        lock.channel.truncate(0);
                    }
                    write(lock.channel, holder);
                    taken = true;
                    return lock;
                }
            } finally {
                if (!taken) {
                    lock.close();
                }
            }
        }
        throw explained(file, new FileSystemException(file.toString(), null, "other processes keep replacing it"));
    }

    /// This lock while its file is in place; if the file was removed, a lock of a new one.
    ///
    /// @throws RunFailure when another file is in its place: another experiment could lock that one
    MachineLock kept() throws RunFailure, IOException {
        look();
        if (replaced) {
            throw new RunFailure(
                    "The lock file " + file + " was replaced during the measurement. Another experiment may "
                            + "have run at the same time. Leave the file in place and repeat the run.");
        }
        if (isInPlace()) {
            return this;
        }
        MachineLock again = takeInFolder(file);
        close();
        return again;
    }

    /// Notes whether another file is in place of this one now, also if this one comes back. Any thread.
    void look() {
        if (!isInPlace() && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            replaced = true;
        }
    }

    private boolean isInPlace() {
        try {
            return Objects.equals(key, keyOf(file));
        } catch (IOException e) {
            return false;
        }
    }

    /// Another name may belong to a file that must keep its content, which is overwritten here.
    private void requireOneName() throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("unix")
                && (Integer) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1) {
            throw explained(file, new FileSystemException(file.toString(), null, "it has a second name"));
        }
    }

    private static @Nullable Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
    }

    /// The lock, or null when another process or another channel of this one holds it.
    private static @Nullable FileLock lock(FileChannel channel, Holder holder) throws IOException {
        try {
            return channel.tryLock(holder.lockedByte(), 1, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static void write(FileChannel channel, Holder holder) throws IOException {
        String text = ProcessHandle.current().pid() + " " + new SystemClock().wall().getEpochSecond();
        String slot = String.format(Locale.ROOT, "%-" + (Holder.SLOT_BYTES - 1) + "s\n", text);
        channel.write(ByteBuffer.wrap(slot.getBytes(StandardCharsets.US_ASCII)), holder.slot());
    }

    private static RunFailure refusal(FileChannel channel, Holder holder) {
        return new RunFailure(holder.refusal + written(channel, holder) + ". Wait, or stop it.");
    }

    /// " (process 4711, since 16:03)", or empty when the file does not say so.
    private static String written(FileChannel channel, Holder holder) {
        try {
            ByteBuffer slot = ByteBuffer.allocate(Holder.SLOT_BYTES);
            channel.read(slot, holder.slot());
            String[] parts = new String(slot.array(), 0, slot.position(), StandardCharsets.US_ASCII).strip().split(" ");
            long pid = Long.parseLong(parts[0]);
            Instant since = Instant.ofEpochSecond(Long.parseLong(parts[1]));
            return " (process " + pid + ", since " + HOUR_AND_MINUTE.format(since) + ")";
        } catch (IOException | RuntimeException e) {
            // Any user of the machine can write into the file.
            return "";
        }
    }

    private static MachineLock openOrExplain(Path file) throws RunFailure, IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null && Files.notExists(parent)) {
            throw new RunFailure("The folder " + parent
                    + " was moved or deleted during the measurement. Leave it in place until the experiment has ended.");
        }
        try {
            return open(file);
        } catch (FileSystemException e) {
            throw explained(file, e);
        }
    }

    private static IOException explained(Path file, FileSystemException e) {
        String why = e.getReason() == null ? e.getClass().getSimpleName() : e.getReason();
        return new IOException("The lock file " + file + " cannot be opened (" + why
                + "). It keeps two experiments on this machine apart. Let its owner or an administrator remove it.", e);
    }

    /// Opens without "create" first: in a shared folder, the system may deny it for another user's file.
    private static MachineLock open(Path file) throws IOException {
        try {
            return openExisting(file);
        } catch (NoSuchFileException e) {
            // The first experiment on this machine.
        }
        try {
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE).close();
            shareWithAll(file);
        } catch (FileAlreadyExistsException e) {
            // Another process was faster.
        }
        return openExisting(file);
    }

    /// For reading and writing: opening a pipe that replaced the file would wait otherwise.
    ///
    /// The key is read first. If the path still has it when the file is locked, it is that of the locked file.
    private static MachineLock openExisting(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isRegularFile()) {
            throw new FileSystemException(file.toString(), null, "not a regular file");
        }
        return new MachineLock(file,
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                found.fileKey());
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
            // Its owner can still measure. Other users get a message with the reason.
            System.getLogger(MachineLock.class.getName()).log(System.Logger.Level.DEBUG, "The lock file is not shared",
                    e);
        }
    }

    /// Frees all locks, the last one first.
    static void closeAll(List<MachineLock> locks) throws IOException {
        for (MachineLock lock : locks.reversed()) {
            lock.close();
        }
    }

    /// Frees the lock.
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
