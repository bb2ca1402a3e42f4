package org.inferometer.workload.trace;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.inferometer.units.HeapLimit;
import org.jspecify.annotations.Nullable;

/// The lines of a UTF-8 file, packed with gzip or not, each of bounded length, so that no line fills the memory.
///
/// Drops a byte-order mark at the start and the CR of CR LF; the last line needs no line feed. One thread; the caller closes it.
public final class BoundedLines implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final int maxCharacters;
    private final Reader reader;
    private final char[] buffer = new char[BUFFER];
    private int position;
    private int filled;
    private long lineNumber;

    /// @param maxCharacters of a line
    public BoundedLines(Path file, int maxCharacters) throws IOException {
        this.file = file;
        this.maxCharacters = maxCharacters;
        var decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
        this.reader = new InputStreamReader(unpacked(file), decoder);
    }

    /// The bytes of a file, unpacked as they are read if gzip packed it.
    static InputStream unpacked(Path file) throws IOException {
        InputStream stored = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        try {
            stored.mark(2);
            boolean packed = stored.read() == 0x1f && stored.read() == 0x8b;
            stored.reset();
            return packed ? unpacked(file, stored) : stored;
        } catch (IOException e) {
            stored.close();
            throw e;
        }
    }

    private static InputStream unpacked(Path file, InputStream stored) throws IOException {
        String damaged = file + ": The gzip data is damaged. Pack the file again, or give it unpacked.";
        try {
            return new GZIPInputStream(stored, BUFFER) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    try {
                        return super.read(into, from, length);
                    } catch (ZipException | EOFException e) {
                        throw new IOException(damaged, e);
                    }
                }
            };
        } catch (ZipException | EOFException e) {
            throw new IOException(damaged, e);
        }
    }

    /// The next line, or null at the end of the file.
    ///
    /// @throws IOException with file and line if it is too long or not UTF-8
    public @Nullable String next() throws IOException {
        StringBuilder line = new StringBuilder();
        lineNumber++;
        boolean any = false;
        while (fill()) {
            any = true;
            int end = position;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            if (line.length() + (end - position) > maxCharacters) {
                throw line().fault("The line is longer than " + maxCharacters
                        + " characters. Write each record on a line of its own.");
            }
            line.append(buffer, position, end - position);
            position = Math.min(end + 1, filled);
            if (end < filled) {
                break;
            }
        }
        return any ? trimmed(line) : null;
    }

    /// The line read last, for messages.
    FileLine line() {
        return new FileLine(file, lineNumber);
    }

    /// An exception that names the file and the line read last.
    ///
    /// @param message what is wrong and what to do
    public IOException fault(String message) {
        return line().fault(message);
    }

    /// The same with a cause.
    public IOException fault(String message, Throwable cause) {
        return line().fault(message, cause);
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private boolean fill() throws IOException {
        if (position < filled) {
            return true;
        }
        try {
            HeapLimit.requireRoom(file);
            position = 0;
            filled = Math.max(0, reader.read(buffer, 0, BUFFER));
            return filled > 0;
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": The text is not UTF-8. Save the file as UTF-8.", e);
        }
    }

    private String trimmed(StringBuilder line) {
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
            line.setLength(line.length() - 1);
        }
        return lineNumber == 1 && !line.isEmpty() && line.charAt(0) == '\uFEFF' ? line.substring(1) : line.toString();
    }
}
