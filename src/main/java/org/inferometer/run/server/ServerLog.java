package org.inferometer.run.server;

import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainText;

/// Reads the output of a server.
final class ServerLog {

    private static final System.Logger LOG = System.getLogger(ServerLog.class.getName());
    private static final long MOST_BYTES = 64L << 20;
    private static final long LAST_BYTES = 64L << 10;

    /// What ends a server: no memory, no port, a crash. Each part is bounded.
    private static final Pattern FATAL =
            Pattern.compile("(?i:out of memory|cannot allocate memory|address already in use|CUDA error"
                    + "|segmentation fault|core dumped|terminate called|error while loading shared libraries"
                    + "|failed to load model|unable to load model)|\\b(?:FATAL|CRITICAL|panic)\\b");
    /// What may end a server, or only a request of it: exceptions, missing files.
    private static final Pattern ERROR = Pattern.compile("(?i:command not found|no such file or directory)"
            + "|\\b(?:[A-Z][A-Za-z]{0,60}(?:Error|Exception)|SystemExit|KeyboardInterrupt): ");
    /// A line whose level says that the server goes on; Python's warnings name their class.
    private static final Pattern HARMLESS = Pattern
            .compile("^.{0,60}\\b(?:DEBUG|INFO|WARN|WARNING|debug|info|warn|warning|[A-Z][a-z]{0,30}Warning)\\b");

    private ServerLog() {}

    /// How an output ends.
    ///
    /// @param line the first fatal line, else the first error, else the last line that says something; empty without any
    /// @param fatal whether it tells an error
    record Ending(String line, boolean fatal) {
        /// To follow a message: ": CUDA out of memory", ". Its last line: loading".
        String describe() {
            return line.isEmpty() ? "" : (fatal ? ": " : ". Its last line: ") + line.replaceFirst("\\.$", "");
        }
    }

    /// How the output ends.
    ///
    /// @param from byte where to begin
    static Ending ending(Path log, long from) {
        String error = "";
        String last = "";
        try (LogLines lines = new LogLines(log, from, MOST_BYTES)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                last = line.isBlank() ? last : line;
                boolean harmless = HARMLESS.matcher(line).find();
                if (!harmless && FATAL.matcher(line).find()) {
                    return new Ending(OneLine.of(line), true);
                }
                error = error.isEmpty() && !harmless && ERROR.matcher(line).find() ? line : error;
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "The log cannot be read to its end", e);
        }
        return new Ending(OneLine.of(error.isEmpty() ? last : error), !error.isEmpty());
    }

    /// The last line that says something; empty without any.
    static String lastLine(Path log) {
        String last = "";
        try (LogLines lines = new LogLines(log, Math.max(0, size(log) - LAST_BYTES), LAST_BYTES)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                last = line.isBlank() ? last : line;
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "The log cannot be read to its end", e);
        }
        return OneLine.of(last);
    }

    /// Its size; 0 if there is none.
    static long size(Path log) {
        try {
            return Files.size(log);
        } catch (IOException e) {
            return 0;
        }
    }

    /// Copies a part, without control characters and secrets. Of more than 64 MiB it copies the beginning and the end.
    ///
    /// @param mask removes secrets from a line
    static void copy(Path log, long from, Path to, UnaryOperator<String> mask) throws IOException {
        try (LogLines lines = new LogLines(log, from, MOST_BYTES); Writer writer = Files.newBufferedWriter(to)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                writer.write(mask.apply(PlainText.of(line)));
                writer.write('\n');
            }
        }
    }

    /// Keeps only the end of an output that has grown too long. The server must append to it.
    ///
    /// @param most bytes above which it is shortened
    /// @param kept bytes of its end that stay
    static void shorten(Path log, long most, int kept) throws IOException {
        long size = size(log);
        if (size <= most) {
            return;
        }
        byte[] end;
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            end = Channels.newInputStream(file.position(size - kept)).readNBytes(kept);
            file.truncate(0);
        }
        Files.write(log, LogLines.leftOut(size - kept).readAllBytes(), StandardOpenOption.APPEND);
        Files.write(log, end, StandardOpenOption.APPEND);
    }
}
