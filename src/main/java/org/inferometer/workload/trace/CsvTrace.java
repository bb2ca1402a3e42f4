package org.inferometer.workload.trace;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.FieldModifiers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.LetterCase;
import org.inferometer.units.OneLine;

/// Reads the traces that are CSV files with a header: one record a request, with an instant and two lengths.
final class CsvTrace {
    private static final int MAX_RECORD_CHARACTERS = 1 << 12;
    private static final int LINES_BETWEEN_CHECKS = 1024;
    private static final int MAX_COLUMNS = 64;
    private static final int MAX_QUOTED_CHARACTERS = 40;
    private static final int MAX_TOKENS = 100_000_000;
    private static final double MAX_SECONDS = 1e9;
    private static final long[] NO_BLOCKS = {};
    private static final Pattern RECORD_LINE = Pattern.compile("line (\\d+)");
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

    /// Converts a field to nanoseconds from any origin.
    @FunctionalInterface
    private interface InstantReader {
        long nanos(String field, FileLine line) throws IOException;
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
        try (CsvReader<CsvRecord> records = open()) {
            read(records.iterator(), visitor);
        } catch (CsvParseException e) {
            Matcher line = RECORD_LINE.matcher(String.valueOf(e.getMessage()));
            throw new FileLine(file, line.find() ? Long.parseLong(line.group(1)) : 1)
                    .fault("Not a valid CSV record: " + reason(e) + ". Repair or remove it.", e);
        } catch (UncheckedIOException e) {
            throw e.getCause() instanceof CharacterCodingException ? notUtf8(e) : e.getCause();
        } catch (CharacterCodingException e) {
            throw notUtf8(e);
        }
    }

    /// The parser wraps some faults in one that only says that there is one.
    private static String reason(CsvParseException fault) {
        Throwable inner = fault.getCause() == null ? fault : fault.getCause();
        return OneLine.of(String.valueOf(inner.getMessage()));
    }

    private IOException notUtf8(Exception e) {
        return new IOException(file + ": The text is not UTF-8. Save the file as UTF-8.", e);
    }

    private CsvReader<CsvRecord> open() throws IOException {
        Reader text = new BufferedReader(new InputStreamReader(BoundedLines.unpacked(file),
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)));
        text.mark(1);
        if (text.read() != '\uFEFF') {
            text.reset();
        }
        return CsvReader.builder().extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE).trimWhitespacesAroundQuotes(true).build(
                        CsvRecordHandler
                                .of(handler -> handler.maxFields(MAX_COLUMNS).maxFieldSize(MAX_RECORD_CHARACTERS)
                                        .maxRecordSize(MAX_RECORD_CHARACTERS).fieldModifier(FieldModifiers.TRIM)),
                        text);
    }

    private void read(Iterator<CsvRecord> records, TraceFile.Visitor visitor) throws IOException {
        List<String> names = records.hasNext()
                ? records.next().getFields().stream().map(name -> LetterCase.lower(name)).toList() : List.of();
        int instantColumn = column(names, instant);
        int promptColumn = column(names, prompt);
        int outputColumn = column(names, output);
        int modelColumn = names.indexOf("model");
        AscendingInstants ascending = new AscendingInstants();
        boolean wanted = true;
        while (wanted && records.hasNext()) {
            CsvRecord fields = records.next();
            if (fields.getStartingLineNumber() % LINES_BETWEEN_CHECKS == 0) {
                HeapLimit.requireRoom(file);
            }
            if (fields.getFieldCount() == 1 && fields.getField(0).isEmpty()) {
                continue;
            }
            FileLine line = new FileLine(file, fields.getStartingLineNumber());
            if (fields.getFieldCount() != names.size()) {
                throw line.fault("The record has " + fields.getFieldCount() + " columns, the header has " + names.size()
                        + ". Repair or remove it.");
            }
            wanted = visitor.row(new TraceRow.Lengths(line.number(),
                    ascending.sinceFirst(instants.nanos(fields.getField(instantColumn), line), line),
                    tokens(fields.getField(promptColumn), prompt, line),
                    tokens(fields.getField(outputColumn), output, line), NO_BLOCKS, 1,
                    modelColumn < 0 ? "" : fields.getField(modelColumn)));
        }
    }

    private int column(List<String> names, String wanted) throws IOException {
        int column = names.indexOf(LetterCase.lower(wanted));
        if (column < 0) {
            throw new FileLine(file, 1).fault("There is no column \"" + wanted + "\", only "
                    + quoted(String.join(", ", names)) + ". Check that this is the right file.");
        }
        return column;
    }

    private static int tokens(String field, String name, FileLine line) throws IOException {
        try {
            // Other programs write columns with gaps as decimals.
            int tokens = Integer.parseInt(field.endsWith(".0") ? field.substring(0, field.length() - 2) : field);
            if (tokens >= 0 && tokens <= MAX_TOKENS) {
                return tokens;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw line.fault(name + " is " + quoted(field) + "; expected a whole number from 0 to " + MAX_TOKENS + ".");
    }

    private static String quoted(String field) {
        String plain = field.replaceAll("\\p{Cntrl}", "?");
        return '"'
                + (plain.length() <= MAX_QUOTED_CHARACTERS ? plain : plain.substring(0, MAX_QUOTED_CHARACTERS) + "...")
                + '"';
    }

    private static long stamp(String field, FileLine line) throws IOException {
        try {
            TemporalAccessor parsed = STAMP.parse(field);
            LocalDateTime time = LocalDateTime.from(parsed);
            ZoneOffset offset =
                    parsed.isSupported(ChronoField.OFFSET_SECONDS) ? ZoneOffset.from(parsed) : ZoneOffset.UTC;
            if (time.getYear() < 1970 || time.getYear() > 2200) {
                throw line.fault("TIMESTAMP is " + quoted(field) + "; expected a year from 1970 to 2200.");
            }
            return time.toEpochSecond(offset) * 1_000_000_000L + time.getNano();
        } catch (DateTimeException e) {
            throw line.fault("TIMESTAMP is " + quoted(field) + "; expected a form such as 2023-11-16 18:17:03.9799600.",
                    e);
        }
    }

    private static long seconds(String field, FileLine line) throws IOException {
        try {
            double seconds = Double.parseDouble(field);
            if (seconds >= 0 && seconds <= MAX_SECONDS) {
                return Math.round(seconds * 1e9);
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw line.fault("Timestamp is " + quoted(field) + "; expected seconds since the start of the trace.");
    }
}
