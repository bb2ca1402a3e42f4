package org.inferometer.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.record.RecordFiles;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestColumnsBuilder;
import org.inferometer.units.FileTooLargeException;
import org.inferometer.units.HeapLimit;
import org.jspecify.annotations.Nullable;

/// Reads the requests of a run from `requests.csv` and `tokens.bin`. Large files are read in parallel parts.
///
/// The parts of a valid file give the same requests as the whole. At any fault the file is read as one, to report the place of the
/// first fault.
final class RequestReader {
    private final Path folder;
    private final long partBytes;
    private final List<String> notes;
    private TokenReader.Tokens tokens = TokenReader.Tokens.none();

    /// @param partBytes size of the parallel parts
    /// @param notes receives a sentence for each missing piece
    RequestReader(Path folder, long partBytes, List<String> notes) {
        this.folder = folder;
        this.partBytes = partBytes;
        this.notes = notes;
    }

    /// The requests in order of their numbers.
    ///
    /// @throws ResultFormatException if a file is invalid
    RequestColumns read() throws IOException {
        readTokens();
        Path file = folder.resolve(RecordFiles.REQUESTS);
        if (RegularFile.isMissing(file, notes)) {
            return RequestColumns.NONE;
        }
        try {
            return read(file);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
    }

    private RequestColumns read(Path file) throws IOException {
        List<Rows> parts = readRows(file);
        int withoutTokens = parts.stream().mapToInt(part -> part.withoutTokens).sum();
        if (parts.getLast().torn) {
            notes.add("The last row of " + RecordFiles.REQUESTS + " is incomplete and was skipped.");
        }
        if (withoutTokens > 0) {
            notes.add(withoutTokens + " requests were skipped: their token instants are missing in "
                    + RecordFiles.TOKENS + ".");
        }
        return inOrder(RequestColumns.joined(parts.stream().map(part -> part.requests.build()).toList()));
    }

    private void readTokens() throws IOException {
        Path file = folder.resolve(RecordFiles.TOKENS);
        if (RegularFile.isMissing(file, notes)) {
            return;
        }
        try {
            tokens = TokenReader.read(file, partBytes);
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        }
        if (tokens.leftOutBytes() > 0) {
            notes.add("The last " + tokens.leftOutBytes() + " bytes of " + RecordFiles.TOKENS
                    + " are an incomplete request and were skipped.");
        }
    }

    private List<Rows> readRows(Path file) throws IOException {
        try (CsvReader in = new CsvReader(file, RequestRows.COLUMNS, RequestRows.FIRST_COLUMNS, RequestRows.MAX_ROWS)) {
            List<Rows> parts = inParallel(in, FileParts.ofLines(file, partBytes));
            return parts.isEmpty() ? List.of(new Rows(new ParallelParts(Long.MAX_VALUE)).read(in)) : parts;
        }
    }

    /// The rows of each part; empty with a single part or after a fault.
    private List<Rows> inParallel(CsvReader in, List<FileParts.Part> parts) throws FileTooLargeException {
        if (parts.size() < 2) {
            return List.of();
        }
        ParallelParts together = new ParallelParts(RequestRows.MAX_ROWS);
        List<Rows> read = parts.parallelStream().map(part -> new Rows(together).readPart(in, part)).toList();
        boolean sound = !together.stopped();
        long rows = 0;
        for (Rows part : read) {
            if (part.tooLarge != null) {
                throw part.tooLarge;
            }
            sound &= !part.torn || part == read.getLast();
            rows += part.requests.size() + (long) part.withoutTokens;
        }
        return sound && rows <= RequestRows.MAX_ROWS ? read : List.of();
    }

    /// The rows of a file or a part of one.
    private final class Rows {
        private final ParallelParts together;
        private final RequestColumnsBuilder requests = RequestRows.builder(tokens);
        private int withoutTokens;
        private boolean torn;
        private @Nullable FileTooLargeException tooLarge;

        Rows(ParallelParts together) {
            this.together = together;
        }

        Rows read(CsvReader in) throws IOException {
            RequestRows rows = new RequestRows();
            for (long n = 1; together.goOn(n) && in.next(); n++) {
                withoutTokens += rows.read(in, tokens, requests) ? 0 : 1;
            }
            torn = in.torn();
            return this;
        }

        Rows readPart(CsvReader whole, FileParts.Part part) {
            try (CsvReader in = whole.part(part)) {
                read(in);
            } catch (FileTooLargeException e) {
                tooLarge = e;
                together.stop();
            } catch (IOException e) {
                // The file is then read as one, to report the place of the first fault.
                together.stop();
            }
            return this;
        }
    }

    private RequestColumns inOrder(RequestColumns read) throws ResultFormatException {
        RequestColumns ordered = read.byNumber();
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.number(i) == ordered.number(i - 1)) {
                throw new ResultFormatException(folder.resolve(RecordFiles.REQUESTS),
                        "request " + ordered.number(i) + " is listed twice.");
            }
        }
        return ordered;
    }
}
