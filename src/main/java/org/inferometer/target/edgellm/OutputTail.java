package org.inferometer.target.edgellm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.inferometer.units.OneLine;

/// The last 64 KiB of a process's output. One thread drains; any thread reads.
final class OutputTail {
    private static final int KEPT_BYTES = 64 << 10;
    private static final int READ_BYTES = 8 << 10;

    private final byte[] ring = new byte[KEPT_BYTES];
    private long written;

    /// Reads to the end of the stream.
    void drain(InputStream from) {
        byte[] read = new byte[READ_BYTES];
        try (from) {
            for (int n = from.read(read); n >= 0; n = from.read(read)) {
                keep(read, n);
            }
        } catch (IOException e) {
            // The process has ended; earlier output is kept.
            return;
        }
    }

    private synchronized void keep(byte[] bytes, int n) {
        int at = (int) (written % KEPT_BYTES);
        int first = Math.min(n, KEPT_BYTES - at);
        System.arraycopy(bytes, 0, ring, at, first);
        System.arraycopy(bytes, first, ring, 0, n - first);
        written += n;
    }

    /// The kept output.
    synchronized String text() {
        int kept = (int) Math.min(written, KEPT_BYTES);
        byte[] bytes = new byte[kept];
        for (int i = 0; i < kept; i++) {
            bytes[i] = ring[(int) ((written - kept + i) % KEPT_BYTES)];
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// The last non-blank line, on one line without control characters; empty without one.
    String lastLine() {
        String text = text().stripTrailing();
        return OneLine.of(text.substring(text.lastIndexOf('\n') + 1));
    }
}
