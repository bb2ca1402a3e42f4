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

/// Writes a file aside and moves it into its place in one go; closed without that, nothing is left.
///
/// Nothing is forced to the disk: after a crash the checksums tell. Every writer writes aside under a name that nobody had before, so
/// several may write the same file and the last one stays, and nothing that a killed one left stands in the way.
final class PackWriter implements AutoCloseable {
    /// The disk as it is.
    static final FreeSpace DISK = folder -> Files.getFileStore(folder).getUsableSpace();

    /// Left free for results: a disk is not filled with what can be made again.
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

    /// Tells how many bytes a folder's disk still takes.
    interface FreeSpace {
        long bytes(Path folder) throws IOException;
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
            // First: they may be what takes the room.
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

    /// Removes what killed processes left, told by its age against the file that was just made.
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

    /// Puts the file into its place.
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
