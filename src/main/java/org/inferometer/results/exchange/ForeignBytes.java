package org.inferometer.results.exchange;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.HeapLimit;

/// The content of a result file of another tool as UTF-8: without gzip and byte order mark, and not in the UTF-16 of a shell of Windows.
///
/// @param utf8 the content
record ForeignBytes(byte[] utf8) {
    private static final String MARK = "\ufeff";

    /// Reads a file.
    ///
    /// @throws ResultFormatException if it is packed and cannot be unpacked
    /// @throws IOException if it cannot be read, or does not fit into the heap
    static ForeignBytes read(Path path) throws IOException {
        byte[] stored = HeapLimit.read(path);
        byte[] bytes = begins(stored, 0x1f, 0x8b) ? unpacked(path, stored) : stored;
        String text =
                begins(bytes, 0xff, 0xfe) || begins(bytes, 0xfe, 0xff) ? new String(bytes, StandardCharsets.UTF_16)
                        : begins(bytes, 0xef, 0xbb, 0xbf) ? new String(bytes, StandardCharsets.UTF_8)
                        : "";
        return new ForeignBytes(text.isEmpty() ? bytes
                : text.substring(text.startsWith(MARK) ? 1 : 0).getBytes(StandardCharsets.UTF_8));
    }

    private static boolean begins(byte[] bytes, int... first) {
        for (int i = 0; i < first.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != first[i]) {
                return false;
            }
        }
        return true;
    }

    private static byte[] unpacked(Path path, byte[] stored) throws IOException {
        int most = HeapLimit.wholeFileBytes();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(stored))) {
            byte[] bytes = in.readNBytes(most);
            if (in.read() >= 0) {
                throw HeapLimit.exceeded(path);
            }
            return bytes;
        } catch (ZipException | EOFException e) {
            throw new ResultFormatException(path, "the gzip file is damaged. Pack it again, or give it unpacked.");
        }
    }

    /// The first line at or after an offset that begins an object, or an array of objects or arrays; negative if none does. "[INFO] loaded"
    /// does not.
    int jsonFrom(int offset) {
        int line = offset;
        while (line < utf8.length) {
            int at = afterSpace(line);
            int inside = at < utf8.length && utf8[at] == '[' ? afterSpace(at + 1) : at;
            if (inside < utf8.length
                    && (utf8[inside] == '{' || (inside > at && (utf8[inside] == '[' || utf8[inside] == ']')))) {
                return at;
            }
            line = lineAfter(at);
        }
        return -1;
    }

    /// Whether there is nothing but space before an offset.
    boolean isBlankBefore(int offset) {
        return afterSpace(0) >= offset;
    }

    /// Line ends before an offset.
    long linesBefore(int offset) {
        long lines = 0;
        for (int i = 0; i < offset; i++) {
            lines += utf8[i] == '\n' ? 1 : 0;
        }
        return lines;
    }

    /// The begin of the next line.
    int lineAfter(int offset) {
        int at = offset;
        while (at < utf8.length && utf8[at] != '\n') {
            at++;
        }
        return at + 1;
    }

    private int afterSpace(int from) {
        int at = from;
        while (at < utf8.length && (utf8[at] == ' ' || utf8[at] == '\n' || utf8[at] == '\r' || utf8[at] == '\t')) {
            at++;
        }
        return at;
    }
}
