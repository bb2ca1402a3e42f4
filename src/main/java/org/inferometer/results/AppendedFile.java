package org.inferometer.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.inferometer.units.FileFault;

/// A new file that is only appended to. After a failed write it stays as it is: a truncated file can be read, one with a hole
/// cannot. One thread; the creator closes it.
final class AppendedFile implements AutoCloseable {
    private final Path file;
    private final FileChannel out;
    private boolean broken;
    private boolean forced;

    /// Creates the file, which must not exist.
    AppendedFile(Path file) throws IOException {
        this.file = file;
        out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    /// Appends all remaining bytes; none after an earlier failure.
    ///
    /// @throws IOException with the path and the reason
    void append(ByteBuffer bytes) throws IOException {
        if (broken) {
            return;
        }
        broken = true;
        forced &= !bytes.hasRemaining();
        try {
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw FileFault.at(file, e);
        }
        broken = false;
    }

    /// Forces the bytes so far to the disk.
    void force() throws IOException {
        if (forced) {
            return;
        }
        try {
            out.force(false);
        } catch (IOException e) {
            throw FileFault.at(file, e);
        }
        forced = true;
    }

    /// Forces the bytes to the disk and closes the file.
    @Override
    public void close() throws IOException {
        try (out) {
            force();
        }
    }
}
