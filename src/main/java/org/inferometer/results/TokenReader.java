package org.inferometer.results;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads `tokens.bin`. A frame that was cut off ends the file and is left out; a frame that is complete and wrong is a fault.
final class TokenReader implements AutoCloseable {
    private static final int BUFFERED_BYTES = 1 << 18;
    private static final int HEAD_BYTES = 12;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private final Path file;
    private final InputStream in;
    private final TokensByRequest instants = new TokensByRequest();
    private byte[] buffer = new byte[BUFFERED_BYTES];
    private int at;
    private int end;
    private long position;
    private long leftOutBytes;

    private TokenReader(Path file) throws IOException {
        this.file = file;
        this.in = Files.newInputStream(PlainFile.require(file));
    }

    /// @param leftOutBytes bytes at the end that are no complete frame
    record Tokens(TokensByRequest byRequest, long leftOutBytes) {
        /// Of a record without the file.
        static Tokens none() {
            return new Tokens(new TokensByRequest(), 0);
        }

        /// The instants of a request; null where there are none.
        long @Nullable [] of(int request) {
            return byRequest.of(request);
        }
    }

    static Tokens read(Path file) throws IOException {
        try (TokenReader reader = new TokenReader(file)) {
            if (reader.readHeader()) {
                while (reader.readFrame()) {
                    continue;
                }
            }
            return new Tokens(reader.instants, reader.leftOutBytes);
        }
    }

    /// Whether so many bytes lie ahead in the buffer, after reading more where need be. Memory grows as bytes arrive, so that a length
    /// that lies costs nothing.
    private boolean has(int bytes) throws IOException {
        if (end - at >= bytes) {
            return true;
        }
        System.arraycopy(buffer, at, buffer, 0, end - at);
        end -= at;
        at = 0;
        int read;
        while (end < bytes && (read = in.read(buffer, end, buffer.length - end)) > 0) {
            end += read;
            if (end == buffer.length && end < bytes) {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
        }
        return end >= bytes;
    }

    private boolean readHeader() throws IOException {
        boolean complete = has(HEAD_BYTES);
        byte[] magic = TokenFile.magic();
        int compared = Math.min(end - at, magic.length);
        if (!Arrays.equals(buffer, at, at + compared, magic, 0, compared)) {
            throw fault("this is no token file: it does not begin with IFMTOKEN.");
        }
        if (!complete) {
            leftOutBytes = end - at;
            return false;
        }
        int head = (int) INTS.get(buffer, at + 8);
        int version = head & 0xffff;
        if (version != TokenFile.VERSION) {
            throw fault("the token file has version " + version + "; this program reads version " + TokenFile.VERSION
                    + ". Open it with the Inferometer that wrote it, or a newer one.");
        }
        int wordBytes = head >>> 16;
        boolean described = has(HEAD_BYTES + wordBytes);
        int skipped = Math.min(end - at, HEAD_BYTES + wordBytes);
        at += skipped;
        position = skipped;
        return described;
    }

    private boolean readFrame() throws IOException {
        if (!has(4)) {
            leftOutBytes = end - at;
            return false;
        }
        int bodyBytes = (int) INTS.get(buffer, at);
        if (bodyBytes == 0 && onlyZerosFollow()) {
            return false;
        }
        if (bodyBytes < TokenFile.BODY_HEAD_BYTES || bodyBytes > TokenFile.MAX_BODY_BYTES) {
            throw fault("the frame has a length of " + Integer.toUnsignedString(bodyBytes) + " bytes, which no frame has.");
        }
        if (!has(8 + bodyBytes)) {
            leftOutBytes = end - at;
            return false;
        }
        decode(at + 4, bodyBytes);
        at += 8 + bodyBytes;
        position += 8L + bodyBytes;
        return true;
    }

    private void decode(int body, int bodyBytes) throws ResultFormatException {
        int bodyEnd = body + bodyBytes;
        if (TokenFile.checksum(buffer, body, bodyBytes) != (int) INTS.get(buffer, bodyEnd)) {
            throw fault("the frame's checksum does not match: the file is damaged. Restore it from a copy.");
        }
        int request = (int) INTS.get(buffer, body);
        int count = (int) INTS.get(buffer, body + 4);
        if (request < 0 || count < 1 || count - 1 > bodyBytes - 8) {
            throw fault("the frame says request " + Integer.toUnsignedString(request) + " with " + Integer.toUnsignedString(count)
                    + " tokens, which it cannot hold.");
        }
        long[] nanos = new long[count];
        long now = (long) LONGS.get(buffer, body + 8);
        requireNear(now);
        nanos[0] = now;
        int next = body + TokenFile.BODY_HEAD_BYTES;
        for (int i = 1; i < count; i++) {
            long gap = 0;
            int shift = 0;
            byte b;
            do {
                if (next == bodyEnd) {
                    throw fault("the frame ends within a gap.");
                }
                if (shift == 63) {
                    throw fault("a gap between tokens is longer than 73 years.");
                }
                b = buffer[next++];
                gap |= (long) (b & 0x7f) << shift;
                shift += 7;
            } while (b < 0);
            requireNear(gap);
            now += gap;
            requireNear(now);
            nanos[i] = now;
        }
        if (next != bodyEnd) {
            throw fault("the frame of request " + request + " is longer than its tokens.");
        }
        if (!instants.put(request, nanos)) {
            throw fault("request " + request + " has two frames.");
        }
    }

    private void requireNear(long nanos) throws ResultFormatException {
        if (nanos > TokenFile.FARTHEST_NANOS || nanos < -TokenFile.FARTHEST_NANOS) {
            throw fault("an instant lies farther than 73 years from the run's start.");
        }
    }

    /// A power loss can leave a tail of zeros: space that was reserved and never written.
    private boolean onlyZerosFollow() throws IOException {
        long zeros = 0;
        while (has(1)) {
            while (at < end) {
                if (buffer[at++] != 0) {
                    throw fault("the frame is empty, which no frame is.");
                }
                zeros++;
            }
        }
        leftOutBytes = zeros;
        return true;
    }

    private ResultFormatException fault(String sentence) {
        return new ResultFormatException(file, "at byte " + position + ", " + sentence);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
