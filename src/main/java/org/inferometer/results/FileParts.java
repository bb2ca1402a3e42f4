package org.inferometer.results;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A large file in parts that begin at a row, for several threads to read in parallel.
///
/// Parts end at line ends. A line end inside a quoted field does not end a row: a part then ends in mid-row, and the file must be read as one.
final class FileParts {
    /// Large enough to make the start of a part negligible, small enough that threads end together.
    private static final long MOST_BYTES = 4 << 20;
    private static final long LEAST_BYTES = 1 << 17;

    private static final int LONGEST_SEARCH_BYTES = 1 << 16;

    private FileParts() {}

    /// The usual size of a part. All threads together hold at most a sixteenth of the heap.
    static long usualBytes() {
        Runtime runtime = Runtime.getRuntime();
        return Math.clamp(runtime.maxMemory() / 16 / runtime.availableProcessors(), LEAST_BYTES, MOST_BYTES);
    }

    /// A range of bytes.
    ///
    /// @param to exclusive; `Long.MAX_VALUE` for the end of the file
    record Part(long from, long to) {
        /// A stream of these bytes; the caller closes it and reads large pieces.
        InputStream open(Path file) throws IOException {
            FileChannel channel = FileChannel.open(RegularFile.require(file)).position(from);
            InputStream rest = Channels.newInputStream(channel);
            return to == Long.MAX_VALUE ? rest : new First(rest, to - from);
        }
    }

    /// The first bytes of a stream.
    private static final class First extends FilterInputStream {
        private long left;

        First(InputStream in, long bytes) {
            super(in);
            this.left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            int read = left == 0 ? -1 : in.read(into, at, (int) Math.min(left, length));
            left -= Math.max(0, read);
            return read;
        }
    }

    /// Cuts a file after line ends, every `partBytes` or a little later. A short file, or one with very long lines, is one part.
    static List<Part> ofLines(Path file, long partBytes) throws IOException {
        long size = Files.size(RegularFile.require(file));
        List<Part> parts = new ArrayList<>();
        long from = 0;
        while (size - from >= 2 * partBytes) {
            long cut = afterLineEnd(file, from + partBytes);
            if (cut < 0) {
                break;
            }
            parts.add(new Part(from, cut));
            from = cut;
        }
        parts.add(new Part(from, Long.MAX_VALUE));
        return parts;
    }

    private static long afterLineEnd(Path file, long from) throws IOException {
        try (InputStream in = new Part(from, from + LONGEST_SEARCH_BYTES).open(file)) {
            byte[] bytes = in.readNBytes(LONGEST_SEARCH_BYTES);
            for (int i = 0; i < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return from + i + 1;
                }
            }
            return -1;
        }
    }
}
