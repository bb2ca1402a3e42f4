package org.inferometer.workload.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.units.LetterCase;
import org.jspecify.annotations.Nullable;

/// A file of recorded traffic; its format is recognised by its content.
///
/// The file, packed with gzip or not, is read as a stream: at most one line or one conversation is held in memory.
public final class TraceFile {
    private static final int HEAD_BYTES = 1 << 20;

    private final Path file;
    private final TraceFormat format;
    private final JsonRows rows;
    private final boolean timed;

    private TraceFile(Path file, TraceFormat format, JsonRows rows, boolean timed) {
        this.file = file;
        this.format = format;
        this.rows = rows;
        this.timed = timed;
    }

    /// Receives the requests of a file in order.
    @FunctionalInterface
    public interface Visitor {
        /// One request.
        ///
        /// @return whether to continue
        boolean row(TraceRow row);
    }

    /// Reads the beginning of a file to recognise its format.
    ///
    /// @param rows how rows of JSON lines are read
    /// @throws IOException if there is no such file or its format is unknown
    public static TraceFile open(Path file, JsonRows rows) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": There is no such file. Give the path of a trace.");
        }
        byte[] head;
        try (InputStream in = BoundedLines.unpacked(file)) {
            head = in.readNBytes(HEAD_BYTES);
        }
        String text = new String(head, StandardCharsets.UTF_8);
        String begin = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
        String first = begin.lines().findFirst().orElse("");
        TraceFormat format = format(first);
        if (format == null) {
            throw new IOException(file
                    + ": line 1: Unknown trace format. Expected the header of an Azure or BurstGPT CSV file, "
                    + "JSON lines of requests (Mooncake, Bailian, AIPerf) or of conversations, or a ShareGPT JSON array.");
        }
        boolean json = format == TraceFormat.LENGTHS || format == TraceFormat.TEXTS;
        if (!json && !rows.equals(JsonRows.STANDARD)) {
            throw new IOException(
                    file + ": Only JSON lines of requests take unit, block_size and output. Leave them out.");
        }
        return new TraceFile(file, format, rows,
                json ? first.contains("\"timestamp\"") : format != TraceFormat.CONVERSATIONS);
    }

    /// Of text that a row quotes, quotation marks are escaped, so it is not taken for a key.
    private static @Nullable TraceFormat format(String first) {
        if (first.startsWith("[")) {
            return TraceFormat.CONVERSATIONS;
        }
        if (first.startsWith("{")) {
            return first.contains("\"text_input\"") ? TraceFormat.TEXTS
                    : !first.contains("\"input_length\"")
                            && ConversationTrace.KEYS.stream().anyMatch(key -> first.contains('"' + key + '"'))
                            ? TraceFormat.CONVERSATIONS
                    : TraceFormat.LENGTHS;
        }
        String header = LetterCase.lower(first);
        return header.contains("contexttokens") ? TraceFormat.AZURE
                : header.contains("request tokens") ? TraceFormat.BURSTGPT
                : null;
    }

    /// The format of the file.
    public TraceFormat format() {
        return format;
    }

    /// Whether its requests have instants to replay.
    public boolean hasInstants() {
        return timed;
    }

    /// Reads from the start until the visitor stops. Requests with instants come in ascending order.
    ///
    /// @throws IOException with file and line at the first fault
    public void read(Visitor visitor) throws IOException {
        switch (format) {
            case AZURE -> CsvTrace.azure(file).read(visitor);
            case BURSTGPT -> CsvTrace.burstGpt(file).read(visitor);
            case LENGTHS, TEXTS -> new JsonLinesTrace(file, rows, timed).read(visitor);
            case CONVERSATIONS -> new ConversationTrace(file).read(visitor);
        }
    }
}
