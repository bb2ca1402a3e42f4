package org.inferometer.results;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A large file in parts that begin at a row, for several threads to read in parallel.
///
/// Whether a line end really ends a row only reading tells: a part that ends in mid-row shows that the cut after it was wrong, and then the
/// file must be read as one.
final class FileParts {
    /// Large enough that starting on a part costs nothing, small enough that threads end together.
    static final long USUAL_BYTES = 4 << 20;

    private static final int LONGEST_SEARCH_BYTES = 1 << 16;

    private FileParts() {}

    /// A stretch of a file.
    ///
    /// @param to beyond its last byte
    record Part(long from, long to) {
        /// A stream of these bytes alone, which ends sooner where the file does; the caller closes it.
        InputStream open(Path file) throws IOException {
            InputStream in = Files.newInputStream(RegularFile.require(file));
            try {
                in.skipNBytes(from);
            } catch (IOException e) {
                in.close();
                throw e;
            }
            return new Bounded(in, to - from);
        }
    }

    /// The file cut behind line ends, every `partBytes` or a little later; one part where it is short or its lines are not.
    static List<Part> ofLines(Path file, long partBytes) throws IOException {
        long size = Files.size(RegularFile.require(file));
        List<Part> parts = new ArrayList<>();
        long from = 0;
        while (size - from >= 2 * partBytes) {
            long cut = behindLineEnd(file, from + partBytes);
            if (cut < 0) {
                break;
            }
            parts.add(new Part(from, cut));
            from = cut;
        }
        parts.add(new Part(from, Long.MAX_VALUE));
        return parts;
    }

    private static long behindLineEnd(Path file, long from) throws IOException {
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

    /// As many bytes of another stream.
    private static final class Bounded extends FilterInputStream {
        private long left;

        Bounded(InputStream in, long bytes) {
            super(in);
            this.left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (left <= 0) {
                return -1;
            }
            int read = super.read(into, offset, (int) Math.min(length, left));
            left -= Math.max(0, read);
            return read;
        }
    }
}
