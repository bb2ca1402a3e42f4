package org.inferometer.results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.RequestOutcome;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.PlainText;
import org.inferometer.units.SpreadsheetText;

/// Reads the rows of a CSV file in bounded memory.
///
/// A killed process leaves a last row without line feed. It is skipped, and [#torn] is true. Any other fault is a
/// [ResultFormatException] with its line. One thread; the creator closes it.
final class CsvReader implements AutoCloseable {
    private static final int PLAIN_BYTES = 1 << 12; // kept in the buffer: longer than nearly every row
    private final Path file;
    private final List<String> columns;
    private final long maxRows;
    private final int maxRowBytes = HeapLimit.rowBytes();
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 17];
    private int bufferAt;
    private int bufferEnd;
    private byte[] copied = new byte[512];
    private int rowBytes;
    private byte[] row = copied; // the buffer; `copied` for a row with quotes or across the buffer's end
    private final int[] fieldStarts;
    private final int[] fieldEnds;
    private int fields;
    private int columnsHere;
    private final byte[][] lastBytes;
    private final String[] lastText;
    private long nextLine = 1;
    private long line = 1;
    private long rows;
    private boolean torn;

    /// Opens the file and checks its header.
    CsvReader(Path file, List<String> columns, long maxRows) throws IOException {
        this(file, columns, columns.size(), maxRows);
    }

    /// @param first columns that the file must have; those behind them may be missing and are then absent in every row
    CsvReader(Path file, List<String> columns, int first, long maxRows) throws IOException {
        this(file, Files.newInputStream(RegularFile.require(file)), columns, maxRows);
        try {
            checkHeader(first);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private CsvReader(Path file, InputStream in, List<String> columns, long maxRows) {
        this.file = file;
        this.in = in;
        this.columns = columns;
        this.columnsHere = columns.size();
        this.maxRows = maxRows;
        this.fieldStarts = new int[columns.size()];
        this.fieldEnds = new int[columns.size()];
        this.lastBytes = new byte[columns.size()][0];
        this.lastText = new String[columns.size()];
        Arrays.fill(lastText, "");
    }

    /// Opens a part of the same file. Line numbers of its faults are not those of the file.
    CsvReader part(FileParts.Part part) throws IOException {
        CsvReader reader = new CsvReader(file, part.open(file), columns, maxRows);
        reader.columnsHere = columnsHere;
        if (part.from() == 0) {
            reader.checkHeader(columnsHere);
        }
        return reader;
    }

    private void checkHeader(int first) throws IOException {
        if (!readRow()) {
            return;
        }
        List<String> found = IntStream.range(0, fields)
                .mapToObj(i -> new String(row, start(i), fieldEnds[i] - start(i), StandardCharsets.UTF_8)).toList();
        columnsHere = fields;
        if (fields < first || !found.equals(columns.subList(0, fields))) {
            throw fault("the columns differ from this format. Expected: " + String.join(",", columns) + ".");
        }
    }

    /// Advances to the next row; false at the end.
    boolean next() throws IOException {
        if (torn || !readRow()) {
            return false;
        }
        if (fields != columnsHere) {
            throw fault("the row has " + fields + " fields where " + columnsHere + " are expected.");
        }
        if (++rows > maxRows) {
            throw fault("there are more than " + maxRows + " rows, the limit of a record.");
        }
        return true;
    }

    /// Whether the file ended inside a row, which was skipped.
    boolean torn() {
        return torn;
    }

    boolean isAbsent(int column) {
        return column >= columnsHere || start(column) == fieldEnds[column];
    }

    /// A whole number between inclusive bounds.
    long number(int column, long min, long max) throws ResultFormatException {
        long value = parseLong(column);
        if (value < min || value > max) {
            throw fault(columns.get(column) + " is " + value + ", which is not between " + min + " and " + max + ".");
        }
        return value;
    }

    /// A count, not negative.
    int count(int column) throws ResultFormatException {
        return (int) number(column, 0, Integer.MAX_VALUE);
    }

    /// Nanoseconds since the anchor; an empty field is [RequestOutcome#ABSENT].
    long instant(int column) throws ResultFormatException {
        return isAbsent(column) ? RequestOutcome.ABSENT
                : number(column, -TokenFile.FARTHEST_NANOS, TokenFile.FARTHEST_NANOS);
    }

    /// A finite number; an empty field is NaN.
    double real(int column) throws ResultFormatException {
        if (isAbsent(column)) {
            return Double.NaN;
        }
        String written = text(column);
        try {
            double value = Double.parseDouble(written);
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw fault(columns.get(column) + " is \"" + shortened(written) + "\", not a number.");
        }
        throw fault(columns.get(column) + " is \"" + shortened(written) + "\", not a finite number.");
    }

    /// Text as it was written, made plain; equal neighbours share one string.
    String text(int column) throws ResultFormatException {
        int from = start(column);
        int to = fieldEnds[column];
        if (Arrays.equals(lastBytes[column], 0, lastBytes[column].length, row, from, to)) {
            return lastText[column];
        }
        byte[] bytes = Arrays.copyOfRange(row, from, to);
        try {
            String text = SpreadsheetText.original(
                    PlainText.of(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString()));
            lastBytes[column] = bytes;
            lastText[column] = text;
            return text;
        } catch (CharacterCodingException e) {
            throw fault(columns.get(column) + " is not UTF-8 text.");
        }
    }

    /// A fault of the current row.
    ResultFormatException fault(String sentence) {
        return new ResultFormatException(file, line, sentence);
    }

    private int start(int column) {
        return fieldStarts[column];
    }

    private long parseLong(int column) throws ResultFormatException {
        byte[] bytes = row;
        int at = fieldStarts[column];
        int end = fieldEnds[column];
        boolean negative = at < end && bytes[at] == '-';
        int digits = negative ? at + 1 : at;
        if (digits == end || end - digits > 19) {
            throw noNumber(column);
        }
        long value = 0;
        int always = Math.min(end, digits + 18); // 18 digits always fit
        for (int i = digits; i < always; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                throw noNumber(column);
            }
            value = value * 10 + digit;
        }
        if (always < end) {
            int digit = bytes[always] - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                throw noNumber(column);
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }

    private ResultFormatException noNumber(int column) {
        String written = new String(row, start(column), fieldEnds[column] - start(column), StandardCharsets.UTF_8);
        return fault(columns.get(column) + " is \"" + shortened(written) + "\", not a whole number in range.");
    }

    static String shortened(String text) {
        String visible = PlainText.of(text.substring(0, Math.min(text.length(), 40)));
        return text.length() > 40 ? visible + "…" : visible;
    }

    private boolean readRow() throws IOException {
        line = nextLine;
        fields = 0;
        return readPlainRow() || readAnyRow();
    }

    /// Reads a row without quotes in place if the buffer holds all of it; else false, without consuming bytes.
    private boolean readPlainRow() throws IOException {
        if (bufferEnd - bufferAt < PLAIN_BYTES) {
            refill();
        }
        byte[] bytes = buffer;
        int end = bufferEnd;
        int start = bufferAt;
        int[] starts = fieldStarts;
        int[] ends = fieldEnds;
        int most = starts.length;
        int n = 0;
        for (int i = start; i < end; i++) {
            byte b = bytes[i];
            if (b > ',' || (b != ',' && b != '\n' && b != '"' && b != '\r')) {
                continue;
            }
            if (b == '"' || b == '\r' || n == most) {
                return false;
            }
            starts[n] = start;
            ends[n++] = i;
            start = i + 1;
            if (b == '\n') {
                row = bytes;
                fields = n;
                bufferAt = start;
                nextLine++;
                return true;
            }
        }
        return false;
    }

    /// Moves the remaining bytes to the front and refills the buffer.
    private void refill() throws IOException {
        HeapLimit.requireRoom(file);
        int left = bufferEnd - bufferAt;
        System.arraycopy(buffer, bufferAt, buffer, 0, left);
        bufferAt = 0;
        bufferEnd = left;
        int read;
        while (bufferEnd < buffer.length && (read = in.read(buffer, bufferEnd, buffer.length - bufferEnd)) > 0) {
            bufferEnd += read;
        }
    }

    private boolean readAnyRow() throws IOException {
        rowBytes = 0;
        row = copied;
        boolean quoted = false;
        boolean wasQuoted = false;
        boolean carriageReturn = false;
        int b;
        while ((b = nextByte()) >= 0) {
            nextLine += b == '\n' ? 1 : 0;
            if (quoted && b != '"') {
                append((byte) b);
            } else if (quoted) {
                quoted = false;
                wasQuoted = true;
            } else if (carriageReturn && b != '\n') {
                throw fault("a carriage return is inside a row.");
            } else if (b == '\r') {
                carriageReturn = true;
            } else if (b == '\n') {
                endField();
                return true;
            } else if (b == ',') {
                endField();
                wasQuoted = false;
            } else if (b == '"') {
                openQuote(wasQuoted);
                quoted = true;
            } else if (wasQuoted) {
                throw fault("text follows a closing quote.");
            } else {
                append((byte) b);
            }
        }
        torn = rowBytes > 0 || fields > 0 || quoted || wasQuoted || carriageReturn;
        return false;
    }

    private void openQuote(boolean afterQuote) throws IOException {
        if (afterQuote) {
            // Two quotes inside a quoted field stand for one.
            append((byte) '"');
        } else if (rowBytes > fieldStart()) {
            throw fault("a quote is inside a field.");
        }
    }

    private void endField() throws ResultFormatException {
        if (fields == columns.size()) {
            throw fault("the row has more than the expected " + columns.size() + " fields.");
        }
        fieldStarts[fields] = fieldStart();
        fieldEnds[fields++] = rowBytes;
    }

    /// Start of the field being copied.
    private int fieldStart() {
        return fields == 0 ? 0 : fieldEnds[fields - 1];
    }

    private void append(byte b) throws IOException {
        if (rowBytes == copied.length) {
            if (rowBytes >= maxRowBytes) {
                throw HeapLimit.rowExceeded(file, line);
            }
            copied = Arrays.copyOf(copied, (int) Math.min(maxRowBytes, rowBytes * 2L));
            row = copied;
        }
        copied[rowBytes++] = b;
    }

    private int nextByte() throws IOException {
        if (bufferAt == bufferEnd) {
            HeapLimit.requireRoom(file);
            bufferEnd = in.read(buffer);
            bufferAt = 0;
            if (bufferEnd <= 0) {
                bufferEnd = 0;
                return -1;
            }
        }
        return buffer[bufferAt++] & 0xff;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
