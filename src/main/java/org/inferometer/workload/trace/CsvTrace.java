package org.inferometer.workload.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads the traces that are CSV files with a header: one line a request, an instant and two lengths.
final class CsvTrace {
    private static final int MOST_CHARACTERS = 1 << 12;
    private static final int MOST_COLUMNS = 64;
    private static final int MOST_QUOTED = 40;
    private static final int MOST_TOKENS = 100_000_000;
    private static final double MOST_SECONDS = 1e9;
    private static final long[] NO_BLOCKS = {};
    // "2023-11-16 18:17:03.9799600", with a zone or a T in some copies.
    private static final DateTimeFormatter STAMP =
            new DateTimeFormatterBuilder().append(DateTimeFormatter.ISO_LOCAL_DATE).appendPattern("[' ']['T']")
                    .append(DateTimeFormatter.ISO_LOCAL_TIME).appendPattern("[XXX]").toFormatter(Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    private final Path file;
    private final String instant;
    private final String prompt;
    private final String output;
    private final InstantReader instants;

    /// Turns a cell into nanoseconds from any one origin.
    @FunctionalInterface
    private interface InstantReader {
        long nanos(String cell, BoundedLines lines) throws IOException;
    }

    private CsvTrace(Path file, String instant, String prompt, String output, InstantReader instants) {
        this.file = file;
        this.instant = instant;
        this.prompt = prompt;
        this.output = output;
        this.instants = instants;
    }

    static CsvTrace azure(Path file) {
        return new CsvTrace(file, "TIMESTAMP", "ContextTokens", "GeneratedTokens", CsvTrace::stamp);
    }

    static CsvTrace burstGpt(Path file) {
        return new CsvTrace(file, "Timestamp", "Request tokens", "Response tokens", CsvTrace::seconds);
    }

    void read(TraceFile.Visitor visitor) throws IOException {
        try (BoundedLines lines = new BoundedLines(file, MOST_CHARACTERS)) {
            String header = lines.next();
            List<String> names = cells(header == null ? "" : header, lines);
            int instantColumn = column(names, instant, lines);
            int promptColumn = column(names, prompt, lines);
            int outputColumn = column(names, output, lines);
            int modelColumn = names.indexOf("model");
            AscendingInstants ascending = new AscendingInstants();
            boolean wanted = true;
            for (String line = lines.next(); wanted && line != null; line = lines.next()) {
                if (line.isBlank()) {
                    continue;
                }
                List<String> cells = cells(line, lines);
                if (cells.size() != names.size()) {
                    throw new IOException(lines.where() + cells.size() + " columns, and the header has " + names.size()
                            + ". Repair or remove the line.");
                }
                wanted = visitor.row(new TraceRow.Lengths(lines.lineNumber(),
                        ascending.sinceFirst(instants.nanos(cells.get(instantColumn), lines), lines),
                        tokens(cells.get(promptColumn), prompt, lines), tokens(cells.get(outputColumn), output, lines),
                        NO_BLOCKS, modelColumn < 0 ? "" : cells.get(modelColumn)));
            }
        }
    }

    private static int column(List<String> names, String wanted, BoundedLines lines) throws IOException {
        int column = names.indexOf(wanted.toLowerCase(Locale.ROOT));
        if (column < 0) {
            throw new IOException(lines.where() + "no column \"" + wanted + "\", only "
                    + quoted(String.join(", ", names)) + ". Is this the file that was meant?");
        }
        return column;
    }

    /// The cells of a line; those of the header, the first line, in lower case.
    private static List<String> cells(String line, BoundedLines lines) throws IOException {
        List<String> cells = new ArrayList<>();
        int start = 0;
        while (start <= line.length()) {
            int comma = line.indexOf(',', start);
            int end = comma < 0 ? line.length() : comma;
            String cell = line.substring(start, end).strip();
            String bare = cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"")
                    ? cell.substring(1, cell.length() - 1) : cell;
            cells.add(lines.lineNumber() == 1 ? bare.toLowerCase(Locale.ROOT) : bare);
            if (cells.size() > MOST_COLUMNS) {
                throw new IOException(
                        lines.where() + "more than " + MOST_COLUMNS + " columns. Is this the file that was meant?");
            }
            start = end + 1;
        }
        return cells;
    }

    private static int tokens(String cell, String name, BoundedLines lines) throws IOException {
        try {
            int tokens = Integer.parseInt(cell);
            if (tokens >= 0 && tokens <= MOST_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException e) {
            throw new IOException(lines.where() + noLength(name, cell), e);
        }
        throw new IOException(lines.where() + noLength(name, cell));
    }

    private static String noLength(String name, String cell) {
        return name + " is " + quoted(cell) + "; expected a whole number from 0 to " + MOST_TOKENS + ".";
    }

    /// As much of a cell as a sentence bears.
    private static String quoted(String cell) {
        String plain = cell.replaceAll("\\p{Cntrl}", "?");
        return '"' + (plain.length() <= MOST_QUOTED ? plain : plain.substring(0, MOST_QUOTED) + "...") + '"';
    }

    private static long stamp(String cell, BoundedLines lines) throws IOException {
        try {
            TemporalAccessor parsed = STAMP.parse(cell);
            LocalDateTime time = LocalDateTime.from(parsed);
            ZoneOffset offset =
                    parsed.isSupported(ChronoField.OFFSET_SECONDS) ? ZoneOffset.from(parsed) : ZoneOffset.UTC;
            if (time.getYear() < 1970 || time.getYear() > 2200) {
                throw new IOException(
                        lines.where() + "TIMESTAMP is " + quoted(cell) + ", which is no year of a trace.");
            }
            return time.toEpochSecond(offset) * 1_000_000_000L + time.getNano();
        } catch (DateTimeException e) {
            throw new IOException(lines.where() + "TIMESTAMP is " + quoted(cell)
                    + "; expected a form such as 2023-11-16 18:17:03.9799600.", e);
        }
    }

    private static long seconds(String cell, BoundedLines lines) throws IOException {
        double seconds;
        try {
            seconds = Double.parseDouble(cell);
        } catch (NumberFormatException e) {
            throw new IOException(lines.where() + noSeconds(cell), e);
        }
        if (!(seconds >= 0 && seconds <= MOST_SECONDS)) {
            throw new IOException(lines.where() + noSeconds(cell));
        }
        return Math.round(seconds * 1e9);
    }

    private static String noSeconds(String cell) {
        return "Timestamp is " + quoted(cell) + "; expected seconds since the start of the trace.";
    }
}
