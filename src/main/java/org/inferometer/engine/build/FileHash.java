package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.inferometer.engine.files.Sha256;

/// The SHA-256 of a file that is still being written, from its begin as far as it is. One thread.
final class FileHash {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel file;
    private final MessageDigest digest = Sha256.digest();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private long position;

    FileHash(FileChannel file) {
        this.file = file;
    }

    /// Hashes up to a position; nothing if it is already hashed.
    void advance(long end) throws IOException {
        while (position < end) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, end - position));
            int read = file.read(buffer, position);
            if (read < 0) {
                throw new IOException("the file of weights ended while it was hashed");
            }
            digest.update(buffer.flip());
            position += read;
        }
    }

    /// The bytes hashed so far.
    long position() {
        return position;
    }

    /// The digest of what was hashed; the last call.
    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
