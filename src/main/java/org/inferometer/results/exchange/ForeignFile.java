package org.inferometer.results.exchange;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.OneLine;
import org.inferometer.units.PlainText;
import org.inferometer.units.SpreadsheetText;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/// A result file of another tool: JSON documents one after another, or a table as CSV, Markdown or SQL.
///
/// @param bytes the content
/// @param documents its JSON documents in order, elements of an array one by one; empty for a table
/// @param table its rows of fields, the header first; empty for JSON
record ForeignFile(Path path, byte[] bytes, List<JsonNode> documents, List<List<String>> table) {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_STRING = 16 << 20;
    private static final int MAX_DIGITS = 100;
    private static final int ROWS_BETWEEN_CHECKS = 256;
    private static final int MAX_ROWS = 1_000_000;
    private static final JsonMapper MAPPER = JsonMapper
            .builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH)
                            .maxStringLength(MAX_STRING).maxNumberLength(MAX_DIGITS).build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build())
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    /// Reads a file.
    ///
    /// @throws ResultFormatException if it is not a regular file, too large, or neither JSON nor CSV
    static ForeignFile read(Path path) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new ResultFormatException(path, Files.exists(path)
                    ? "this is not a regular file. Give the result file itself." : "the file does not exist.");
        }
        byte[] bytes = HeapLimit.read(path);
        int first = firstCharacter(bytes);
        if (first == '{' || first == '[') {
            return new ForeignFile(path, bytes, documents(path, bytes), List.of());
        }
        return new ForeignFile(path, bytes, List.of(), table(path, bytes));
    }

    /// A fault of this file.
    ResultFormatException fault(String sentence) {
        return new ResultFormatException(path, sentence);
    }

    /// Whether the last line has no line end: the file may be truncated.
    boolean endsOpen() {
        return bytes.length > 0 && bytes[bytes.length - 1] != '\n' && bytes[bytes.length - 1] != ']';
    }

    /// The extension of its name: "json"; "txt" for an unusual one.
    String ending() {
        String name = String.valueOf(path.getFileName());
        int dot = name.lastIndexOf('.');
        String ending = dot < 0 ? "" : name.substring(dot + 1);
        return ending.matches("[A-Za-z0-9]{1,8}") ? ending : "txt";
    }

    private static int firstCharacter(byte[] bytes) {
        int at = bytes.length >= 3 && (bytes[0] & 0xff) == 0xef && (bytes[1] & 0xff) == 0xbb
                && (bytes[2] & 0xff) == 0xbf ? 3 : 0;
        while (at < bytes.length && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
        return at < bytes.length ? bytes[at] : -1;
    }

    private static List<JsonNode> documents(Path path, byte[] bytes) throws IOException {
        List<JsonNode> documents = new ArrayList<>();
        try (MappingIterator<JsonNode> each = MAPPER.readerFor(JsonNode.class).readValues(bytes)) {
            while (each.hasNext()) {
                if (documents.size() % ROWS_BETWEEN_CHECKS == 0) {
                    HeapLimit.requireRoom(path);
                }
                documents.add(each.next());
            }
        } catch (JacksonException e) {
            TokenStreamLocation where = e.getLocation();
            String reason = OneLine.of(e).replaceAll(" at \\[.*", "");
            String sentence = "this is not a result in JSON: " + reason + " Export it again, or give another file.";
            throw where == null || where.getLineNr() < 1 ? new ResultFormatException(path, sentence)
                    : new ResultFormatException(path, where.getLineNr(), sentence);
        }
        return List.copyOf(documents);
    }

    private static List<List<String>> table(Path path, byte[] bytes) throws IOException {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new ResultFormatException(path,
                    "this is neither JSON nor UTF-8 text. Give a result file of a supported tool.");
        }
        text = text.startsWith("\ufeff") ? text.substring(1) : text;
        List<List<String>> rows = new ArrayList<>();
        if (WrittenTables.read(path, text, row -> addRow(path, rows, row))) {
            return List.copyOf(rows);
        }
        try (CsvReader<CsvRecord> csv = CsvReader.builder().missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE).ofCsvRecord(text)) {
            for (CsvRecord row : csv) {
                addRow(path, rows, row.getFields().stream().map(SpreadsheetText::original).toList());
            }
        } catch (CsvParseException e) {
            throw new ResultFormatException(path, rows.size() + 1L,
                    "this row is not valid CSV: " + OneLine.of(String.valueOf(e.getMessage())));
        }
        return List.copyOf(rows);
    }

    private static void addRow(Path path, List<List<String>> rows, List<String> row) throws IOException {
        if (rows.size() % ROWS_BETWEEN_CHECKS == 0) {
            HeapLimit.requireRoom(path);
        }
        if (row.size() == 1 && row.getFirst().isBlank()) {
            return;
        }
        if (!rows.isEmpty() && row.size() != rows.getFirst().size()) {
            throw new ResultFormatException(path, rows.size() + 1L,
                    "the row has " + row.size() + " fields where the header has " + rows.getFirst().size() + ".");
        }
        if (rows.size() >= MAX_ROWS) {
            throw new ResultFormatException(path, rows.size() + 1L,
                    "there are more than " + MAX_ROWS + " rows, the limit of a summary.");
        }
        rows.add(row.stream().map(PlainText::of).toList());
    }
}
