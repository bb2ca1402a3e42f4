package org.inferometer.execution.host.packed;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.inferometer.engine.FreeSpace;

/// Writes a temporary file and moves it into place atomically; closed without [#publish], it leaves no file.
///
/// The file is not synced to disk: checksums detect a crash. Every writer uses a new temporary name, so concurrent
/// writers are safe and the last one wins.
final class PackWriter implements AutoCloseable {
    /// Kept free for results: packed weights can be made again.
    private static final long SPARE_BYTES = 256L << 20;
    private static final long PIECE_BYTES = 1 << 24;
    private static final Duration SURELY_DEAD = Duration.ofHours(1);

    private final Path target;
    private final Path aside;
    private final FileChannel channel;

    private PackWriter(Path target, Path aside, FileChannel channel) {
        this.target = target;
        this.aside = aside;
        this.channel = channel;
    }

    /// @throws IOException when there is no room or the folder cannot be written
    static PackWriter begin(Path target, long bytes, FreeSpace freeSpace) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(target + " is no file name");
        }
        Path aside = folder.resolve(
                "." + target.getFileName() + "-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID() + ".tmp");
        FileChannel channel = FileChannel.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        PackWriter writer = new PackWriter(target, aside, channel);
        try {
            // First, because they may occupy the space that is missing.
            writer.removeLeftovers(folder);
            if (freeSpace.bytes(folder) < bytes + SPARE_BYTES) {
                throw new IOException("the disk has no room for " + bytes + " bytes");
            }
            return writer;
        } catch (IOException | RuntimeException failed) {
            writer.close();
            throw failed;
        }
    }

    /// Removes files of killed processes: those older than the file that was just created.
    private void removeLeftovers(Path folder) throws IOException {
        Instant now = Files.getLastModifiedTime(aside).toInstant();
        try (DirectoryStream<Path> leftovers =
                Files.newDirectoryStream(folder, "." + target.getFileName() + "-*.tmp")) {
            for (Path leftover : leftovers) {
                if (Files.getLastModifiedTime(leftover).toInstant().isBefore(now.minus(SURELY_DEAD))) {
                    Files.deleteIfExists(leftover);
                }
            }
        } catch (DirectoryIteratorException unreadable) {
            throw unreadable.getCause();
        }
    }

    /// Writes bytes at a place of the file.
    void put(long position, MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize(); at += PIECE_BYTES) {
            ByteBuffer piece = bytes.asSlice(at, Math.min(PIECE_BYTES, bytes.byteSize() - at)).asByteBuffer();
            for (long to = position + at; piece.hasRemaining();) {
                to += channel.write(piece, to);
            }
        }
    }

    /// Moves the file into place.
    ///
    /// @param bytes size that it must have
    void publish(long bytes) throws IOException {
        if (channel.size() < bytes) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
        channel.close();
        Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(aside);
    }
}
