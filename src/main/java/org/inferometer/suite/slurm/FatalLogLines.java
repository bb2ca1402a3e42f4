package org.inferometer.suite.slurm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.inferometer.units.OneLine;

/// Finds lines at the end of log files after which a job cannot go on: its workers wait for each other until the time limit.
///
/// @param patterns a line is fatal if one is found in it
/// @param tailBytes of a file that are read
public record FatalLogLines(List<Pattern> patterns, int tailBytes) {
    /// The framework's patterns, a traceback in MPI's allgather and a truncated pickle, in the last 100 KiB.
    public static final FatalLogLines DEFAULT =
            new FatalLogLines(List.of(Pattern.compile("\\bin (mpi4py\\.MPI\\.Comm\\.|mpi_)allgather\\b"),
                    Pattern.compile("pickle data was truncated")), 100 << 10);
    private static final int LONGEST_LINE = 4096;

    /// "3_output_GEN_0.log: _pickle.UnpicklingError: pickle data was truncated" of the first fatal line. Files that are missing, or are
    /// no ordinary files, are skipped.
    Optional<String> first(List<Path> files) {
        for (Path file : files) {
            Optional<String> line = tail(file).lines()
                    .map(text -> text.substring(0, Math.min(text.length(), LONGEST_LINE)))
                    .filter(text -> patterns.stream().anyMatch(pattern -> pattern.matcher(text).find())).findFirst();
            if (line.isPresent()) {
                return line.map(text -> file.getFileName() + ": " + OneLine.of(text));
            }
        }
        return Optional.empty();
    }

    private String tail(Path file) {
        try {
            return Files.isRegularFile(file) ? end(file, tailBytes) : "";
        } catch (IOException e) {
            // The next look may succeed; the job itself goes on.
            return "";
        }
    }

    /// The last bytes of a file as text.
    ///
    /// @throws IOException if it cannot be read
    public static String end(Path file, int mostBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            channel.position(Math.max(0, channel.size() - mostBytes));
            ByteBuffer bytes = ByteBuffer.allocate(mostBytes);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads until the buffer is full or the file ends.
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }
}
