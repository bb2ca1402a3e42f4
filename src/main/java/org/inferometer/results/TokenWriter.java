package org.inferometer.results;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/// Appends the events of requests to `tokens.bin`; the layout is that of [TokenFile]. One thread; the creator closes it.
final class TokenWriter implements AutoCloseable {
    private static final int LONGEST_VARINT = 10;
    private final AppendedFile out;
    private ByteBuffer pending = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);

    /// Creates the file, which must not exist, and writes its header.
    TokenWriter(Path file) throws IOException {
        out = new AppendedFile(file);
        byte[] layout = TokenFile.layoutText();
        pending.put(TokenFile.magic()).putShort((short) TokenFile.VERSION).putShort((short) layout.length).put(layout);
        flush();
    }

    /// @param eventNanos `[events]` ascending; writes nothing if empty
    /// @param eventTokens `[events]` tokens of each, or empty
    /// @param eventAnswers `[events]` answer of each, or empty
    void append(int request, long[] eventNanos, int[] eventTokens, int[] eventAnswers) throws IOException {
        if (eventNanos.length == 0) {
            return;
        }
        reserve(4 + TokenFile.BODY_HEAD_BYTES
                + LONGEST_VARINT * (eventNanos.length - 1 + eventTokens.length + 2 * eventAnswers.length) + 4);
        int start = pending.position();
        pending.putInt(0).putInt(request).putInt(eventNanos.length).putLong(eventNanos[0]);
        for (int i = 1; i < eventNanos.length; i++) {
            long gapNanos = eventNanos[i] - eventNanos[i - 1];
            if (gapNanos < 0) {
                throw new IllegalArgumentException(
                        "The token instants of request " + request + " are not in ascending order.");
            }
            putVarint(gapNanos);
        }
        for (int tokens : eventTokens) {
            putVarint(tokens);
        }
        // Answers stand after tokens, so that each event holding one is written out.
        for (int i = 0; eventTokens.length == 0 && i < eventAnswers.length; i++) {
            putVarint(1);
        }
        for (int answer : eventAnswers) {
            putVarint(answer + 1L);
        }
        int body = start + 4;
        int bodyBytes = pending.position() - body;
        pending.putInt(start, bodyBytes).putInt(TokenFile.checksum(pending.array(), body, bodyBytes));
    }

    /// Passes all frames so far to the operating system.
    void flush() throws IOException {
        pending.flip();
        try {
            out.append(pending);
        } finally {
            pending.clear();
        }
    }

    private void putVarint(long number) {
        long rest = number;
        while (rest >= 0x80) {
            pending.put((byte) (rest | 0x80));
            rest >>>= 7;
        }
        pending.put((byte) rest);
    }

    private void reserve(int bytes) throws IOException {
        if (pending.remaining() < bytes) {
            flush();
        }
        if (pending.capacity() < bytes) {
            pending = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
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
