package org.inferometer.workload.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.units.LetterCase;

/// A file of recorded traffic; its format is recognised by its content.
///
/// The file is read as a stream: at most one line or one conversation is held in memory.
public final class TraceFile {
    private static final int HEAD_BYTES = 1 << 12;

    private final Path file;
    private final TraceFormat format;

    private TraceFile(Path file, TraceFormat format) {
        this.file = file;
        this.format = format;
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
    /// @throws IOException if there is no such file or its format is unknown
    public static TraceFile open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": There is no such file. Give the path of a trace.");
        }
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(HEAD_BYTES);
        }
        if (head.length > 1 && (head[0] & 0xff) == 0x1f && (head[1] & 0xff) == 0x8b) {
            throw new IOException(file + ": The file is compressed with gzip. Unpack it first.");
        }
        String text = new String(head, StandardCharsets.UTF_8);
        String begin = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
        if (begin.startsWith("[")) {
            return new TraceFile(file, TraceFormat.SHAREGPT);
        }
        if (begin.startsWith("{")) {
            return new TraceFile(file, TraceFormat.MOONCAKE);
        }
        String header = LetterCase.lower(begin.lines().findFirst().orElse(""));
        if (header.contains("contexttokens")) {
            return new TraceFile(file, TraceFormat.AZURE);
        }
        if (header.contains("request tokens")) {
            return new TraceFile(file, TraceFormat.BURSTGPT);
        }
        throw new IOException(
                file + ": line 1: Unknown trace format. Expected the header of an Azure or BurstGPT CSV file, "
                        + "Mooncake JSON lines or a ShareGPT JSON array.");
    }

    /// The format of the file.
    public TraceFormat format() {
        return format;
    }

    /// Reads from the start until the visitor stops. Requests with instants come in ascending order.
    ///
    /// @throws IOException with file and line at the first fault
    public void read(Visitor visitor) throws IOException {
        switch (format) {
            case AZURE -> CsvTrace.azure(file).read(visitor);
            case BURSTGPT -> CsvTrace.burstGpt(file).read(visitor);
            case MOONCAKE -> new MooncakeTrace(file).read(visitor);
            case SHAREGPT -> new ShareGptTrace(file).read(visitor);
        }
    }
}
