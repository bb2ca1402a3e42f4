package org.inferometer.target.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;

/// Collects the body of an error, at most 64 KiB of it, and finds the message.
final class ErrorBody {
    /// The most that is kept of a body.
    static final int BOUND_BYTES = 64 << 10;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// Takes more of the body; false when no more is wanted.
    boolean add(byte[] from, int start, int end) {
        bytes.write(from, start, Math.min(end - start, BOUND_BYTES - bytes.size()));
        return bytes.size() < BOUND_BYTES;
    }

    /// What came so far, as text.
    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /// The server's message on one line: that of its JSON, else the text; empty where it said nothing.
    String message(ChunkReader reader) {
        return message(reader, bytes.toByteArray());
    }

    /// The message of a body, or of an event, that is an error.
    static String message(ChunkReader reader, byte[] body) {
        String message;
        try {
            message = reader.errorMessage(body);
        } catch (JacksonException e) {
            // A body that is no JSON is shown as it is.
            message = null;
        }
        return OneLine.of(message == null ? new String(body, StandardCharsets.UTF_8) : message);
    }
}
