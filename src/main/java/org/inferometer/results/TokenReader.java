package org.inferometer.results;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.EventPages;
import org.inferometer.units.HeapLimit;
import org.inferometer.workload.Refinements;

/// Reads `tokens.bin`. An incomplete frame at the end is skipped; an invalid complete frame is a fault.
final class TokenReader implements AutoCloseable {
    private static final int BUFFERED_BYTES = 1 << 18;
    private static final int HEAD_BYTES = 12;
    private static final FileParts.Part WHOLE = new FileParts.Part(0, Long.MAX_VALUE);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private final Path file;
    private final InputStream in;
    private final Frames frames;
    private final EventPages.Writer events = new EventPages.Writer();
    private byte[] buffer = new byte[BUFFERED_BYTES];
    private int at;
    private int end;
    private long position;
    private long leftOutBytes;
    private int version;
    private int next; // in the buffer, while a frame is decoded

    private TokenReader(Path file, FileParts.Part part, Frames frames) throws IOException {
        this.file = file;
        this.in = part.open(file);
        this.position = part.from();
        this.frames = frames;
    }

    /// Receives the places of events; returns false if the request already has some.
    private interface Frames {
        boolean put(int request, int place);
    }

    /// @param pages the events
    /// @param version of the layout
    /// @param leftOutBytes bytes of an incomplete frame at the end
    record Tokens(TokensByRequest byRequest, EventPages pages, int version, long leftOutBytes) {
        /// Of a record without `tokens.bin`.
        static Tokens none() {
            return new Tokens(new TokensByRequest(), EventPages.joined(List.of()), TokenFile.VERSION, 0);
        }

        /// The place of a request's events; [EventPages#NONE] if there are none.
        int of(int request) {
            return byRequest.of(request);
        }
    }

    static Tokens read(Path file) throws IOException {
        TokensByRequest instants = new TokensByRequest();
        try (TokenReader reader = new TokenReader(file, WHOLE, instants::put)) {
            if (reader.readHeader()) {
                reader.readFrames(new ParallelParts(Long.MAX_VALUE));
            }
            return new Tokens(instants, reader.events.pages(), reader.version, reader.leftOutBytes);
        }
    }

    /// Reads a large file in parallel parts. A small or faulty file is read as one, to report the place of the first fault.
    static Tokens read(Path file, long partBytes) throws IOException {
        // Events take almost as many bytes on the heap as in the file.
        long bytes = Files.size(RegularFile.require(file));
        if (bytes > Runtime.getRuntime().maxMemory()) {
            throw HeapLimit.exceeded(file);
        }
        int version = bytes < 2 * partBytes ? 0 : version(file);
        List<FileParts.Part> parts = version == 0 ? List.of() : parts(file, partBytes);
        if (parts.size() < 2) {
            return read(file);
        }
        ParallelParts together = new ParallelParts(Long.MAX_VALUE);
        List<PartFrames> read =
                parts.parallelStream().map(part -> PartFrames.of(file, part, version, together)).toList();
        TokensByRequest instants = new TokensByRequest();
        int pages = 0;
        for (PartFrames frames : read) {
            if (together.stopped() || !frames.putAll(instants, pages)) {
                return read(file);
            }
            pages += frames.pages.size();
        }
        return new Tokens(instants, EventPages.joined(read.stream().map(part -> part.pages).toList()), version,
                read.getLast().leftOutBytes);
    }

    /// The version of the layout; 0 for a file without a complete header.
    private static int version(Path file) throws IOException {
        try (TokenReader reader = new TokenReader(file, WHOLE, (request, place) -> true)) {
            return reader.readHeader() ? reader.version : 0;
        }
    }

    /// Cuts the file into parts at frames. From the first invalid length on, all bytes are in the last part.
    private static List<FileParts.Part> parts(Path file, long partBytes) throws IOException {
        List<FileParts.Part> parts = new ArrayList<>();
        try (TokenReader reader = new TokenReader(file, WHOLE, (request, place) -> true)) {
            if (!reader.readHeader()) {
                return List.of();
            }
            long from = reader.position;
            while (reader.skipFrame()) {
                if (reader.position - from >= partBytes) {
                    parts.add(new FileParts.Part(from, reader.position));
                    from = reader.position;
                }
            }
            parts.add(new FileParts.Part(from, Long.MAX_VALUE));
        }
        return parts;
    }

    /// The frames of a part, in order.
    private static final class PartFrames {
        private int[] requests = new int[1 << 10];
        private int[] places = new int[1 << 10];
        private int count;
        private EventPages pages = EventPages.joined(List.of());
        private long leftOutBytes;

        static PartFrames of(Path file, FileParts.Part part, int version, ParallelParts together) {
            PartFrames frames = new PartFrames();
            try (TokenReader reader = new TokenReader(file, part, frames::add)) {
                reader.version = version;
                reader.readFrames(together);
                frames.pages = reader.events.pages();
                frames.leftOutBytes = reader.leftOutBytes;
            } catch (IOException e) {
                together.stop();
            }
            return frames;
        }

        private boolean add(int request, int place) {
            if (count == requests.length) {
                requests = Arrays.copyOf(requests, 2 * count);
                places = Arrays.copyOf(places, 2 * count);
            }
            requests[count] = request;
            places[count++] = place;
            return true;
        }

        /// @param pagesBefore pages of the parts before this one
        boolean putAll(TokensByRequest instants, int pagesBefore) {
            for (int i = 0; i < count; i++) {
                if (!instants.put(requests[i], EventPages.moved(places[i], pagesBefore))) {
                    return false;
                }
            }
            return true;
        }
    }

    private void readFrames(ParallelParts together) throws IOException {
        for (long n = 1; together.goOn(n) && readFrame(); n++) {

        }
    }

    /// Fills the buffer with this many bytes; false at the end of the file. It grows with the bytes read, so that a false length
    /// allocates no memory.
    private boolean has(int bytes) throws IOException {
        if (end - at >= bytes) {
            return true;
        }
        HeapLimit.requireRoom(file);
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
            throw fault("this is not a token file: it does not begin with IFMTOKEN.");
        }
        if (!complete) {
            leftOutBytes = (long) end - at;
            return false;
        }
        int head = (int) INTS.get(buffer, at + 8);
        version = head & 0xffff;
        if (version < 1 || version > TokenFile.VERSION) {
            throw fault("the token file has version " + version + "; this program reads versions 1 to "
                    + TokenFile.VERSION + ". Open it with the Inferometer that wrote it, or a newer one.");
        }
        int textBytes = head >>> 16;
        boolean described = has(HEAD_BYTES + textBytes);
        int skipped = Math.min(end - at, HEAD_BYTES + textBytes);
        at += skipped;
        position = skipped;
        return described;
    }

    private boolean readFrame() throws IOException {
        if (!has(4)) {
            leftOutBytes = (long) end - at;
            return false;
        }
        int bodyBytes = (int) INTS.get(buffer, at);
        if (bodyBytes == 0 && onlyZerosFollow()) {
            return false;
        }
        if (bodyBytes < TokenFile.BODY_HEAD_BYTES || bodyBytes > TokenFile.MAX_BODY_BYTES) {
            throw fault("the frame has a length of " + Integer.toUnsignedString(bodyBytes)
                    + " bytes, which is out of range.");
        }
        if (!has(8 + bodyBytes)) {
            leftOutBytes = (long) end - at;
            return false;
        }
        decode(at + 4, bodyBytes);
        at += 8 + bodyBytes;
        position += 8L + bodyBytes;
        return true;
    }

    /// Skips a frame without decoding it; false if its length is invalid or it is incomplete.
    private boolean skipFrame() throws IOException {
        if (!has(4)) {
            return false;
        }
        int bodyBytes = (int) INTS.get(buffer, at);
        if (bodyBytes < TokenFile.BODY_HEAD_BYTES || bodyBytes > TokenFile.MAX_BODY_BYTES || !has(8 + bodyBytes)) {
            return false;
        }
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
            throw fault("the frame claims request " + Integer.toUnsignedString(request) + " with "
                    + Integer.toUnsignedString(count) + " tokens, more than it can hold.");
        }
        long first = (long) LONGS.get(buffer, body + 8);
        int gaps = body + TokenFile.BODY_HEAD_BYTES;
        next = gaps;
        checkInstants(first, count, bodyEnd);
        int tokens = next;
        boolean split = false;
        if (version > 1 && next != bodyEnd) {
            for (int i = 0; i < count; i++) {
                split |= bounded(request, bodyEnd, Integer.MAX_VALUE, "tokens") != 1;
            }
        }
        int answers = next;
        if (version > 2 && next != bodyEnd) {
            for (int i = 0; i < count; i++) {
                bounded(request, bodyEnd, Refinements.MOST_ANSWERS, "as its answer");
            }
        }
        if (next != bodyEnd) {
            throw fault("the frame of request " + request + " is longer than its tokens.");
        }
        // Events of one token each are kept without their tokens.
        int place = split || answers == tokens ? events.put(count, first, buffer, gaps, tokens, answers, bodyEnd)
                : events.putWithoutTokens(count, first, buffer, gaps, tokens, answers, bodyEnd);
        if (!frames.put(request, place)) {
            throw fault("request " + request + " has two frames.");
        }
    }

    private void checkInstants(long first, int count, int bodyEnd) throws ResultFormatException {
        long now = first;
        requireNear(now);
        for (int i = 1; i < count; i++) {
            long gap = varint(bodyEnd);
            requireNear(gap);
            now += gap;
            requireNear(now);
        }
    }

    private long bounded(int request, int bodyEnd, int most, String noun) throws ResultFormatException {
        long each = varint(bodyEnd);
        if (each < 0 || each > most) {
            throw fault("an event of request " + request + " has " + each + " " + noun + ".");
        }
        return each;
    }

    /// The number at `next`, which moves behind it.
    private long varint(int bodyEnd) throws ResultFormatException {
        long number = 0;
        int shift = 0;
        byte b;
        do {
            if (next == bodyEnd) {
                throw fault("the frame ends inside a number.");
            }
            if (shift == 63) {
                throw fault("a gap between tokens is longer than 73 years.");
            }
            b = buffer[next++];
            number |= (long) (b & 0x7f) << shift;
            shift += 7;
        } while (b < 0);
        return number;
    }

    private void requireNear(long nanos) throws ResultFormatException {
        if (nanos > TokenFile.FARTHEST_NANOS || nanos < -TokenFile.FARTHEST_NANOS) {
            throw fault("an instant is more than 73 years from the run's start.");
        }
    }

    /// A power loss can leave zeros at the end: space that was reserved but not written.
    private boolean onlyZerosFollow() throws IOException {
        long zeros = 0;
        while (has(1)) {
            while (at < end) {
                if (buffer[at++] != 0) {
                    throw fault("the frame is empty.");
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
