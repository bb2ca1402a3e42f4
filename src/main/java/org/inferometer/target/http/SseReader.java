package org.inferometer.target.http;

import java.util.Arrays;

/// Reads server-sent events in one pass over the received bytes.
///
/// Follows the WHATWG rules: lines end with LF, CR LF or CR; `data` lines of an event are joined by LF; comments and
/// other fields are skipped; a byte-order mark is accepted. An `error` field, as llama-server sends it, is reported
/// separately. Memory is bounded. Not thread-safe.
final class SseReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] ERROR = {'e', 'r', 'r', 'o', 'r'};
    private static final byte[] NOTHING = {};
    private static final int FIRST_BYTES = 512;

    private final int boundBytes;
    private byte[] data = NOTHING;
    private int dataLength;
    private boolean hasData;
    private byte[] line = NOTHING;
    private int lineLength;
    private boolean skipLineFeed;
    private boolean firstLine = true;

    /// Receives the events; bytes are valid during the call only.
    interface Events {
        /// The data of one event, `from` to `to` (exclusive).
        void data(byte[] bytes, int from, int to);

        /// The value of an `error` field.
        void error(byte[] bytes, int from, int to);
    }

    /// A line or an event longer than the bound.
    static final class TooLongException extends Exception {
        private static final long serialVersionUID = 1L;

        private TooLongException(int boundBytes) {
            super("a line or an event is longer than " + boundBytes + " bytes", null, false, false);
        }
    }

    /// @param boundBytes maximum length of a line and of the data of an event
    SseReader(int boundBytes) {
        this.boundBytes = boundBytes;
    }

    /// Takes bytes `from` to `to` (exclusive) and reports complete events.
    ///
    /// @throws TooLongException if a line or an event exceeds the bound; the reader cannot be used afterwards
    void feed(byte[] bytes, int from, int to, Events events) throws TooLongException {
        int start = from;
        if (skipLineFeed && start < to) {
            skipLineFeed = false;
            start += bytes[start] == '\n' ? 1 : 0;
        }
        for (int at = start; at < to; at++) {
            byte b = bytes[at];
            if (b == '\n' || b == '\r') {
                endLine(bytes, start, at, events);
                if (b == '\r') {
                    if (at + 1 == to) {
                        skipLineFeed = true;
                    } else if (bytes[at + 1] == '\n') {
                        at++;
                    }
                }
                start = at + 1;
            }
        }
        if (start < to) {
            keep(bytes, start, to);
        }
    }

    /// Reports a last event without its final empty line, which some servers omit.
    void end(Events events) throws TooLongException {
        if (lineLength > 0) {
            endLine(line, 0, 0, events);
        }
        dispatch(events);
    }

    /// Bytes of memory held now.
    int heldBytes() {
        return data.length + line.length;
    }

    private void endLine(byte[] bytes, int from, int to, Events events) throws TooLongException {
        if (lineLength > 0) {
            keep(bytes, from, to);
            int length = lineLength;
            lineLength = 0;
            line(line, 0, length, events);
        } else {
            require(to - from);
            line(bytes, from, to, events);
        }
    }

    private void line(byte[] bytes, int from, int to, Events events) throws TooLongException {
        int start = from;
        if (firstLine) {
            firstLine = false;
            start += startsWith(bytes, from, to, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
        }
        if (start == to) {
            dispatch(events);
        } else if (isField(bytes, start, to, DATA)) {
            append(bytes, valueStart(bytes, start + DATA.length, to), to);
        } else if (isField(bytes, start, to, ERROR)) {
            events.error(bytes, valueStart(bytes, start + ERROR.length, to), to);
        }
    }

    private void dispatch(Events events) {
        if (hasData) {
            int length = dataLength;
            hasData = false;
            dataLength = 0;
            events.data(data, 0, length);
        }
    }

    private void append(byte[] bytes, int from, int to) throws TooLongException {
        int separator = hasData ? 1 : 0;
        long length = (long) dataLength + separator + to - from;
        require(length);
        data = grown(data, (int) length);
        if (hasData) {
            data[dataLength] = '\n';
        }
        System.arraycopy(bytes, from, data, dataLength + separator, to - from);
        dataLength = (int) length;
        hasData = true;
    }

    private void keep(byte[] bytes, int from, int to) throws TooLongException {
        long length = (long) lineLength + to - from;
        require(length);
        line = grown(line, (int) length);
        System.arraycopy(bytes, from, line, lineLength, to - from);
        lineLength = (int) length;
    }

    private void require(long length) throws TooLongException {
        if (length > boundBytes) {
            throw new TooLongException(boundBytes);
        }
    }

    private byte[] grown(byte[] buffer, int length) {
        return buffer.length >= length ? buffer : Arrays.copyOf(buffer,
                (int) Math.min(boundBytes, Math.max(length, Math.max(FIRST_BYTES, 2L * buffer.length))));
    }

    private static int valueStart(byte[] bytes, int afterName, int to) {
        int start = Math.min(afterName + 1, to);
        return start < to && bytes[start] == ' ' ? start + 1 : start;
    }

    private static boolean isField(byte[] bytes, int from, int to, byte[] name) {
        return startsWith(bytes, from, to, name) && (from + name.length == to || bytes[from + name.length] == ':');
    }

    private static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
        return to - from >= prefix.length && Arrays.equals(bytes, from, from + prefix.length, prefix, 0, prefix.length);
    }
}
