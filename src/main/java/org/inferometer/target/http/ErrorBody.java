package org.inferometer.target.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;

/// Collects at most 64 KiB of an error body and extracts its message.
final class ErrorBody {
    /// Maximum bytes kept.
    static final int BOUND_BYTES = 64 << 10;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// Adds bytes; false if no more are needed.
    boolean add(byte[] from, int start, int end) {
        bytes.write(from, start, Math.min(end - start, BOUND_BYTES - bytes.size()));
        return bytes.size() < BOUND_BYTES;
    }

    /// The text so far.
    String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /// The server's message on one line: that of its JSON, else the text; empty without any.
    String message(ChunkReader reader, ApiKey key) {
        return message(reader, key, bytes.toByteArray());
    }

    /// The message of an error body or event, without the key.
    static String message(ChunkReader reader, ApiKey key, byte[] body) {
        String message;
        try {
            message = reader.errorMessage(body);
        } catch (JacksonException e) {
            // A body that is no JSON is shown as it is.
            message = null;
        }
        return key.lineWithout(message == null ? new String(body, StandardCharsets.UTF_8) : message);
    }
}
