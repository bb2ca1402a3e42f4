package org.inferometer.run.server;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the lines of a server's output as a terminal shows them: without colours, of a progress bar its last state.
///
/// Of a long output it reads the beginning and the end. Lines are cut at 2000 characters. The caller closes it.
final class LogLines implements AutoCloseable {
    private static final int LONGEST_LINE = 2000;
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]{0,20}[A-Za-z]");

    private final FileChannel file;
    private final BufferedReader reader;

    /// @param from byte where to begin; the whole output if it has become shorter since
    /// @param most bytes to read
    LogLines(Path log, long from, long most) throws IOException {
        file = FileChannel.open(log);
        long size = file.size();
        long begin = from > size ? 0 : from;
        InputStream all = size - begin <= most ? part(begin, size)
                : new SequenceInputStream(Collections.enumeration(List.of(part(begin, begin + most / 2),
                        leftOut(size - begin - most / 2 * 2), part(size - most / 2, size))));
        reader = new BufferedReader(new InputStreamReader(all, StandardCharsets.UTF_8));
    }

    /// The line that stands for what is left out.
    static ByteArrayInputStream leftOut(long bytes) {
        return new ByteArrayInputStream(("\n[" + bytes + " bytes left out]\n").getBytes(StandardCharsets.US_ASCII));
    }

    private InputStream part(long begin, long end) {
        return new InputStream() {
            private long at = begin;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 1 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                if (at >= end) {
                    return -1;
                }
                int read = file.read(ByteBuffer.wrap(bytes, offset, (int) Math.min(length, end - at)), at);
                at += Math.max(read, 0);
                return read;
            }
        };
    }

    /// The next line, cut; null at the end.
    @Nullable
    String next() throws IOException {
        StringBuilder line = new StringBuilder();
        int c = reader.read();
        if (c < 0) {
            return null;
        }
        boolean returned = false;
        for (; c >= 0 && c != '\n'; c = reader.read()) {
            if (returned) {
                // What follows is written over it.
                line.setLength(0);
            }
            returned = c == '\r';
            if (!returned && line.length() < LONGEST_LINE) {
                line.append((char) c);
            } else if (!returned && line.length() == LONGEST_LINE) {
                line.append('…');
            }
        }
        return COLOUR.matcher(line).replaceAll("");
    }

    @Override
    public void close() throws IOException {
        try (file) {
            reader.close();
        }
    }
}
