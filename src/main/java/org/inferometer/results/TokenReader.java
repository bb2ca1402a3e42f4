package org.inferometer.results;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Reads `tokens.bin`. A frame that was cut off ends the file and is left out; a frame that is complete and wrong is a fault.
final class TokenReader implements AutoCloseable {
    private final Path file;
    private final InputStream in;
    private final Map<Integer, long[]> instants = new HashMap<>();
    private long position;
    private long leftOutBytes;

    private TokenReader(Path file) throws IOException {
        this.file = file;
        this.in = new BufferedInputStream(Files.newInputStream(PlainFile.require(file)), 1 << 17);
    }

    /// @param byRequest instants of each request that has tokens
    /// @param leftOutBytes bytes at the end that are no complete frame
    record Tokens(Map<Integer, long[]> byRequest, long leftOutBytes) {}

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

    private boolean readHeader() throws IOException {
        byte[] fixed = in.readNBytes(12);
        byte[] magic = TokenFile.magic();
        int compared = Math.min(fixed.length, magic.length);
        if (!Arrays.equals(fixed, 0, compared, magic, 0, compared)) {
            throw fault("this is no token file: it does not begin with IFMTOKEN.");
        }
        if (fixed.length < 12) {
            leftOutBytes = fixed.length;
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(fixed).order(ByteOrder.LITTLE_ENDIAN);
        int version = header.getShort(8) & 0xffff;
        if (version != TokenFile.VERSION) {
            throw fault("the token file has version " + version + "; this program reads version " + TokenFile.VERSION
                    + ". Open it with the Inferometer that wrote it, or a newer one.");
        }
        int wordBytes = header.getShort(10) & 0xffff;
        int skipped = in.readNBytes(wordBytes).length;
        position = 12L + skipped;
        return skipped == wordBytes;
    }

    private boolean readFrame() throws IOException {
        byte[] length = in.readNBytes(4);
        if (length.length < 4) {
            leftOutBytes = length.length;
            return false;
        }
        int bodyBytes = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (bodyBytes == 0 && onlyZerosFollow()) {
            return false;
        }
        if (bodyBytes < TokenFile.BODY_HEAD_BYTES || bodyBytes > TokenFile.MAX_BODY_BYTES) {
            throw fault("the frame has a length of " + Integer.toUnsignedString(bodyBytes) + " bytes, which no frame has.");
        }
        // readNBytes takes memory as bytes arrive, so that a length that lies costs nothing.
        byte[] frame = in.readNBytes(bodyBytes + 4);
        if (frame.length < bodyBytes + 4) {
            leftOutBytes = 4L + frame.length;
            return false;
        }
        decode(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN), bodyBytes);
        position += 8L + bodyBytes;
        return true;
    }

    private void decode(ByteBuffer frame, int bodyBytes) throws ResultFormatException {
        if (TokenFile.checksum(frame.array(), 0, bodyBytes) != frame.getInt(bodyBytes)) {
            throw fault("the frame's checksum does not match: the file is damaged. Restore it from a copy.");
        }
        frame.limit(bodyBytes);
        int request = frame.getInt();
        int count = frame.getInt();
        if (request < 0 || count < 1 || count - 1 > frame.remaining()) {
            throw fault("the frame says request " + Integer.toUnsignedString(request) + " with " + Integer.toUnsignedString(count)
                    + " tokens, which it cannot hold.");
        }
        long[] nanos = new long[count];
        nanos[0] = frame.getLong();
        for (int i = 1; i < count; i++) {
            nanos[i] = nanos[i - 1] + varint(frame);
            requireNear(nanos[i]);
        }
        requireNear(nanos[0]);
        if (frame.hasRemaining()) {
            throw fault("the frame of request " + request + " is longer than its tokens.");
        }
        if (instants.put(request, nanos) != null) {
            throw fault("request " + request + " has two frames.");
        }
    }

    private long varint(ByteBuffer frame) throws ResultFormatException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (!frame.hasRemaining()) {
                throw fault("the frame ends within a gap.");
            }
            byte b = frame.get();
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                requireNear(value);
                return value;
            }
        }
        throw fault("a gap between tokens is longer than 73 years.");
    }

    private void requireNear(long nanos) throws ResultFormatException {
        if (nanos > TokenFile.FARTHEST_NANOS || nanos < -TokenFile.FARTHEST_NANOS) {
            throw fault("an instant lies farther than 73 years from the run's start.");
        }
    }

    /// A power loss can leave a tail of zeros: space that was reserved and never written.
    private boolean onlyZerosFollow() throws IOException {
        long zeros = 4;
        byte[] chunk = new byte[1 << 12];
        int read;
        while ((read = in.read(chunk)) > 0) {
            for (int i = 0; i < read; i++) {
                if (chunk[i] != 0) {
                    throw fault("the frame is empty, which no frame is.");
                }
            }
            zeros += read;
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
