package org.inferometer.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.units.PlainText;
import org.inferometer.units.SpreadsheetText;

/// Appends rows to a CSV file: UTF-8, comma, line feed, quotes as in RFC 4180; an absent value is an empty field.
///
/// Rows reach the operating system complete, at the latest with [#flush]. One thread; the creator closes it.
final class CsvWriter implements AutoCloseable {
    private static final int BUFFERED_CHARS = 1 << 16;
    private final AppendedFile out;
    private final StringBuilder rows = new StringBuilder(BUFFERED_CHARS + 1024);
    private boolean rowStarted;

    /// Creates the file, which must not exist, and writes the header.
    CsvWriter(Path file, List<String> columns) throws IOException {
        out = new AppendedFile(file);
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

    /// A number; NaN is written as an empty field.
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

    /// A text, made plain, so that reading gives what is written, and harmless in a spreadsheet.
    CsvWriter text(String given) {
        separate();
        String value = SpreadsheetText.harmless(PlainText.of(given));
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

    /// Passes all rows so far to the operating system.
    void flush() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(rows.toString().getBytes(StandardCharsets.UTF_8));
        rows.setLength(0);
        out.append(bytes);
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
            if (c == ',' || c == ';' || c == '"' || c == '\n' || c == '\r') {
                return true;
            }
        }
        return false;
    }

    /// Forces everything so far to the disk.
    void force() throws IOException {
        flush();
        out.force();
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
