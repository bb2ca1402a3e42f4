package org.inferometer.execution.host.kernels;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.UUID;
import org.inferometer.engine.files.FreeSpace;
import org.inferometer.units.HeldFile;
import org.inferometer.units.Leftovers;

/// Writes a temporary file and moves it into place atomically; closed without [#publish], it leaves no file.
///
/// The file is not synced to disk: checksums detect a crash. Every writer uses a new temporary name, so concurrent
/// writers are safe and the last one wins.
final class PackWriter implements AutoCloseable {
    /// Kept free for results: packed weights can be made again.
    private static final long SPARE_BYTES = 256L << 20;
    private static final long PIECE_BYTES = 1 << 24;

    private final Path target;
    private final HeldFile aside;

    private PackWriter(Path target, HeldFile aside) {
        this.target = target;
        this.aside = aside;
    }

    /// @throws IOException when there is no room or the folder cannot be written
    static PackWriter begin(Path target, long bytes, FreeSpace freeSpace) throws IOException {
        Path folder = target.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(target + " is no file name");
        }
        HeldFile aside = HeldFile.hold(folder, Leftovers.WRITING, "-" + UUID.randomUUID() + ".tmp");
        PackWriter writer = new PackWriter(target, aside);
        try {
            // First, because they may occupy the space that is missing.
            removeLeftovers(folder);
            if (freeSpace.bytes(folder) < bytes + SPARE_BYTES) {
                throw new IOException("the disk has no room for " + bytes + " bytes");
            }
            return writer;
        } catch (IOException | RuntimeException failed) {
            writer.close();
            throw failed;
        }
    }

    private static void removeLeftovers(Path folder) throws IOException {
        for (Path leftover : Leftovers.in(folder)) {
            Leftovers.delete(leftover);
        }
    }

    /// Writes bytes at a place of the file.
    void put(long position, MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize(); at += PIECE_BYTES) {
            ByteBuffer piece = bytes.asSlice(at, Math.min(PIECE_BYTES, bytes.byteSize() - at)).asByteBuffer();
            for (long to = position + at; piece.hasRemaining();) {
                to += aside.channel().write(piece, to);
            }
        }
    }

    /// Moves the file into place.
    ///
    /// @param bytes size that it must have
    void publish(long bytes) throws IOException {
        FileChannel channel = aside.channel();
        if (channel.size() < bytes) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        }
        aside.moveTo(target);
    }

    @Override
    public void close() throws IOException {
        aside.close();
    }
}
