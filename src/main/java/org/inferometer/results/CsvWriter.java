package org.inferometer.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// Appends rows to a CSV file: UTF-8, comma, line feed, quotes where RFC 4180 asks for them, absent as an empty field.
///
/// A row reaches the operating system whole, at [#flush] at the latest. One thread; the creator closes it.
final class CsvWriter implements AutoCloseable {
    private static final int BUFFERED_CHARS = 1 << 16;
    private final FileChannel out;
    private final StringBuilder rows = new StringBuilder(BUFFERED_CHARS + 1024);
    private boolean rowStarted;
    private boolean broken;

    /// Creates the file, which must not exist, and writes the header.
    CsvWriter(Path file, List<String> columns) throws IOException {
        out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        for (String column : columns) {
            text(column);
        }
        endRow();
        flush();
    }

    CsvWriter number(long value) {
        separate();
        rows.append(value);
        return this;
    }

    /// A reading that may not exist: NaN is written as an empty field.
    CsvWriter real(double value) {
        separate();
        if (!Double.isNaN(value)) {
            rows.append(value);
        }
        return this;
    }

    CsvWriter absent() {
        separate();
        return this;
    }

    CsvWriter text(String value) {
        separate();
        if (mustBeQuoted(value)) {
            rows.append('"').append(value.replace("\"", "\"\"")).append('"');
        } else {
            rows.append(value);
        }
        return this;
    }

    void endRow() throws IOException {
        rows.append('\n');
        rowStarted = false;
        if (rows.length() >= BUFFERED_CHARS) {
            flush();
        }
    }

    /// After a failure nothing more is written: what is cut off at its end can be read, what has a hole cannot.
    void flush() throws IOException {
        if (broken) {
            rows.setLength(0);
            return;
        }
        broken = true;
        ByteBuffer rest = ByteBuffer.wrap(rows.toString().getBytes(StandardCharsets.UTF_8));
        while (rest.hasRemaining()) {
            out.write(rest);
        }
        rows.setLength(0);
        broken = false;
    }

    private void separate() {
        if (rowStarted) {
            rows.append(',');
        }
        rowStarted = true;
    }

    private static boolean mustBeQuoted(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == ',' || c == '"' || c == '\n' || c == '\r') {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
            out.force(false);
        }
    }
}
