package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.engine.Sha256;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The file `journal` beside weights that are being written: a line for each tensor that is complete, with the length and the hash of the
/// weights' file up to its end.
///
/// The next build of the engine keeps the longest part of an interrupted one whose hash is still right. One thread.
final class BuildJournal implements AutoCloseable {
    static final String FILE = "journal";
    /// Changes when quantisers give other bytes for the same weights.
    private static final String HEADER = "inferometer build 1 ";
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) ([0-9a-f]{64})");
    private static final long MOST_BYTES = 64L << 20;
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path file;
    private final String key;
    private final Consumer<String> notes;
    private List<Mark> marks;
    private @Nullable FileChannel lines;

    /// @param sha256 hex digest of the file's bytes so far
    private record Mark(long bytes, String sha256) {
        String line() {
            return bytes + " " + sha256 + "\n";
        }
    }

    private BuildJournal(Path file, String key, Consumer<String> notes, List<Mark> marks) {
        this.file = file;
        this.key = key;
        this.notes = notes;
        this.marks = marks;
    }

    /// Reads what an earlier build of the engine left; removes it if the weights or formats are others. The caller closes it.
    ///
    /// @param key names weights and formats; empty if builds cannot go on
    /// @param ends of tensors in the file of weights
    /// @param notes receives a sentence if there was a build
    static BuildJournal open(BuildFolder folder, String key, Set<Long> ends, Consumer<String> notes)
            throws IOException {
        Path file = folder.path().resolve(FILE);
        boolean found = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= MOST_BYTES;
        List<String> lines = found ? Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList() : List.of();
        boolean continued = !key.isEmpty() && !lines.isEmpty() && lines.getFirst().equals(HEADER + key);
        if (continued) {
            folder.clear(FILE, DescriptorFile.WEIGHTS);
            return new BuildJournal(file, key, notes, marks(lines.subList(1, lines.size()), ends));
        }
        if (found) {
            notes.accept("An interrupted build of other weights or settings was removed; this one starts anew.");
        }
        folder.clear();
        return new BuildJournal(file, key, notes, List.of());
    }

    private static List<Mark> marks(List<String> lines, Set<Long> ends) {
        List<Mark> marks = new ArrayList<>();
        for (String line : lines) {
            Matcher parts = LINE.matcher(line);
            if (!parts.matches() || !ends.contains(Long.parseLong(parts.group(1)))) {
                break;
            }
            marks.add(new Mark(Long.parseLong(parts.group(1)), parts.group(2)));
        }
        return marks;
    }

    /// Bytes of the weights' file that the next build can keep.
    long keptBytes() {
        return marks.isEmpty() ? 0 : marks.getLast().bytes;
    }

    /// Hashes what an earlier build wrote, cuts off what is not as the journal says, and goes on with it.
    ///
    /// @param weights is at its end afterwards
    /// @return the digest of what is kept, [#keptBytes] bytes
    MessageDigest resume(FileChannel weights) throws IOException {
        long claimed = keptBytes();
        List<Mark> right = new ArrayList<>();
        MessageDigest kept = Sha256.digest();
        MessageDigest digest = Sha256.digest();
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long position = 0;
        for (Mark mark : marks) {
            position = hash(weights, position, mark.bytes, buffer, digest);
            if (position < mark.bytes || !Sha256.soFar(digest).equals(mark.sha256)) {
                break;
            }
            right.add(mark);
            kept = Sha256.copy(digest);
        }
        marks = right;
        weights.truncate(keptBytes()).position(keptBytes());
        if (keptBytes() < claimed) {
            notes.accept(keptBytes() == 0 ? "The interrupted build is damaged; this one starts anew."
                    : "The interrupted build is damaged after " + QuantityText.bytes(keptBytes())
                            + "; what follows is built again.");
        } else if (claimed > 0) {
            notes.accept("Continues an interrupted build: " + QuantityText.bytes(claimed) + " are kept.");
        }
        begin();
        return kept;
    }

    /// @return the end of what could be read
    private static long hash(FileChannel weights, long from, long to, ByteBuffer buffer, MessageDigest digest)
            throws IOException {
        long position = from;
        while (position < to) {
            buffer.clear().limit((int) Math.min(BUFFER_BYTES, to - position));
            int read = weights.read(buffer, position);
            if (read < 0) {
                return position;
            }
            digest.update(buffer.flip());
            position += read;
        }
        return position;
    }

    private void begin() throws IOException {
        if (key.isEmpty()) {
            return;
        }
        lines = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        append(HEADER + key + "\n" + marks.stream().map(Mark::line).collect(Collectors.joining()));
    }

    /// A tensor is complete.
    ///
    /// @param bytes of the weights' file so far
    /// @param digest of them
    void mark(long bytes, MessageDigest digest) throws IOException {
        if (lines != null) {
            Mark mark = new Mark(bytes, Sha256.soFar(digest));
            append(mark.line());
            marks.add(mark);
        }
    }

    private void append(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (lines != null && bytes.hasRemaining()) {
            lines.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        if (lines != null) {
            lines.close();
        }
    }
}
