package org.inferometer.engine.build;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.engine.DescriptorFile;
import org.inferometer.units.QuantityText;
import org.jspecify.annotations.Nullable;

/// The file `journal` beside weights that are being written: a line for each block that is complete, with the bytes of weights so
/// far and its checksum.
///
/// The next build of the engine keeps the blocks of an interrupted one from the first on, as long as their checksums are right. One
/// thread.
final class BuildJournal implements AutoCloseable {
    static final String FILE = "journal";
    /// Changes with the blocks, and when quantisers give other bytes for the same weights.
    private static final String HEADER = "inferometer build 2 ";
    private static final Pattern LINE = Pattern.compile("(\\d{1,18}) ([0-9a-f]{8})");
    private static final long MOST_BYTES = 64L << 20;

    private final Path file;
    private final String key;
    private final List<Long> writtenBytes;
    private final Consumer<String> notes;
    private final List<Integer> checksums = new ArrayList<>();
    private @Nullable FileChannel lines;

    /// Computes the checksum of a block that is in the file.
    interface BlockChecksum {
        int of(int block) throws IOException;
    }

    private BuildJournal(Path file, String key, List<Long> writtenBytes, Consumer<String> notes) {
        this.file = file;
        this.key = key;
        this.writtenBytes = writtenBytes;
        this.notes = notes;
    }

    /// Reads what an earlier build of the engine left; removes it if the weights or formats are others. The caller closes it.
    ///
    /// @param key names weights and formats; empty if builds cannot go on
    /// @param writtenBytes for each block, the bytes of weights once it and those before it are written
    /// @param notes receives a sentence if there was a build
    static BuildJournal open(BuildFolder folder, String key, List<Long> writtenBytes, Consumer<String> notes)
            throws IOException {
        Path file = folder.path().resolve(FILE);
        List<String> lines = lines(file);
        BuildJournal journal = new BuildJournal(file, key, writtenBytes, notes);
        if (!key.isEmpty() && !lines.isEmpty() && lines.getFirst().equals(HEADER + key)) {
            folder.clear(FILE, DescriptorFile.WEIGHTS);
            List<Matcher> marks = marks(lines);
            for (int i = 0; i < marks.size() && i < writtenBytes.size()
                    && Long.parseLong(marks.get(i).group(1)) == writtenBytes.get(i); i++) {
                journal.checksums.add(Integer.parseUnsignedInt(marks.get(i).group(2), 16));
            }
            return journal;
        }
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            notes.accept(
                    "An interrupted build of other weights or settings was removed; this one starts from the beginning.");
        }
        folder.clear();
        return journal;
    }

    /// Bytes of weights that an interrupted build completed, as its journal says; 0 if it has none.
    ///
    /// @param folder of the build
    static long writtenBytes(Path folder) throws IOException {
        List<Matcher> marks = marks(lines(folder.resolve(FILE)));
        return marks.isEmpty() ? 0 : Long.parseLong(marks.getLast().group(1));
    }

    private static List<String> lines(Path file) throws IOException {
        boolean found = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= MOST_BYTES;
        return found ? Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList() : List.of();
    }

    private static List<Matcher> marks(List<String> lines) {
        return lines.stream().skip(1).map(LINE::matcher).takeWhile(Matcher::matches).toList();
    }

    /// Bytes of weights that are complete, and that the next build can keep.
    long keptBytes() {
        return checksums.isEmpty() ? 0 : writtenBytes.get(checksums.size() - 1);
    }

    /// Checks what an earlier build wrote and goes on with the blocks before the first that is not as the journal says.
    ///
    /// @return how many are kept, [#keptBytes] bytes
    int resume(BlockChecksum written) throws IOException {
        long claimed = keptBytes();
        int right = 0;
        while (right < checksums.size() && checksums.get(right) == written.of(right)) {
            right++;
        }
        checksums.subList(right, checksums.size()).clear();
        if (keptBytes() < claimed) {
            notes.accept(keptBytes() == 0 ? "The interrupted build is damaged; this one starts from the beginning."
                    : "The interrupted build is damaged after " + QuantityText.bytes(keptBytes())
                            + "; what follows is built again.");
        } else if (claimed > 0) {
            notes.accept("Continues an interrupted build: " + QuantityText.bytes(claimed) + " are kept.");
        }
        begin();
        return right;
    }

    private void begin() throws IOException {
        if (key.isEmpty()) {
            return;
        }
        lines = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
        append(HEADER + key + "\n");
        for (int block = 0; block < checksums.size(); block++) {
            append(line(block, checksums.get(block)));
        }
    }

    private String line(int block, int checksum) {
        return writtenBytes.get(block) + " " + HexFormat.of().toHexDigits(checksum) + "\n";
    }

    /// The next block is complete.
    void mark(int checksum) throws IOException {
        if (lines != null) {
            append(line(checksums.size(), checksum));
            // An interrupt closes the file before the line is written; then the next build does not have the block.
            checksums.add(checksum);
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
