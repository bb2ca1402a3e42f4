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
import java.util.Optional;
import java.util.Set;
import org.inferometer.results.ResultFormatException;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.LetterCase;
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
import tools.jackson.databind.node.MissingNode;

/// A result file of another tool: JSON documents one after another, a document in YAML, LoadGen's log, or a table as CSV, Markdown or SQL.
/// Lines of a log may stand before and after.
///
/// @param bytes the content as UTF-8, unpacked
/// @param documents its JSON documents in order, elements of an array one by one; empty for a table
/// @param table its rows of fields, the header first; empty for JSON
/// @param logged whether lines around the result were left out
record ForeignFile(Path path, byte[] bytes, List<JsonNode> documents, List<List<String>> table, boolean logged) {
    private static final Set<String> YAML = Set.of("yaml", "yml");
    private static final int MAX_DEPTH = 64;
    private static final int MAX_STRING = 16 << 20;
    private static final int MAX_DIGITS = 100;
    private static final int ROWS_BETWEEN_CHECKS = 256;
    private static final int MAX_ROWS = 1_000_000;
    /// A first line of words with fewer fields, and other than the next one, is no header.
    private static final int LEAST_COLUMNS = 4;
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
        ForeignBytes content = ForeignBytes.read(path);
        int json = content.jsonFrom(0);
        if (json >= 0 && content.isBlankBefore(json)) {
            return ofJson(path, content, json);
        }
        String text = text(path, content);
        if (YAML.contains(LetterCase.lower(ending(path)))) {
            return new ForeignFile(path, content.utf8(), List.of(ForeignYaml.document(path, text)), List.of(), false);
        }
        Optional<JsonNode> log = LoadGenFormat.document(text);
        if (log.isPresent()) {
            return new ForeignFile(path, content.utf8(), List.of(log.get()), List.of(), false);
        }
        List<List<String>> written = new ArrayList<>();
        if (WrittenTables.read(path, text, row -> addRow(path, written, row))) {
            return new ForeignFile(path, content.utf8(), List.of(), List.copyOf(written), false);
        }
        return json >= 0 ? ofJson(path, content, json) : ofCsv(path, content, text);
    }

    /// The first document of another file of its folder, which says more of the run; no fields without a readable one.
    ForeignFields beside(String name) {
        try {
            ForeignFile other = read(path.resolveSibling(name));
            return new ForeignFields(other, "",
                    other.documents.isEmpty() ? MissingNode.getInstance() : other.documents.getFirst());
        } catch (IOException e) {
            return new ForeignFields(this, "", MissingNode.getInstance());
        }
    }

    /// A fault of this file.
    ResultFormatException fault(String sentence) {
        return new ResultFormatException(path, sentence);
    }

    /// Whether the last line has no line end: the file may be truncated.
    boolean endsOpen() {
        return !logged && bytes.length > 0 && bytes[bytes.length - 1] != '\n' && bytes[bytes.length - 1] != ']';
    }

    /// The extension of its name: "json"; "txt" for an unusual one.
    String ending() {
        return ending(path);
    }

    private static String ending(Path path) {
        String name = String.valueOf(path.getFileName()).replaceFirst("\\.gz$", "");
        int dot = name.lastIndexOf('.');
        String ending = dot < 0 ? "" : name.substring(dot + 1);
        return ending.matches("[A-Za-z0-9]{1,8}") ? ending : "txt";
    }

    /// @param from where the first document begins
    private static ForeignFile ofJson(Path path, ForeignBytes content, int from) throws IOException {
        byte[] bytes = content.utf8();
        List<JsonNode> documents = new ArrayList<>();
        boolean logged = !content.isBlankBefore(from);
        try (MappingIterator<JsonNode> each =
                MAPPER.readerFor(JsonNode.class).readValues(bytes, from, bytes.length - from)) {
            try {
                while (each.hasNext()) {
                    if (documents.size() % ROWS_BETWEEN_CHECKS == 0) {
                        HeapLimit.requireRoom(path);
                    }
                    documents.add(each.next());
                }
            } catch (JacksonException e) {
                TokenStreamLocation where = e.getLocation();
                boolean between = !documents.isEmpty() && each.parser().streamReadContext().inRoot() && where != null;
                if (!between || content.jsonFrom(content.lineAfter(from + (int) where.getByteOffset())) >= 0) {
                    throw e;
                }
                logged = true;
            }
        } catch (JacksonException e) {
            TokenStreamLocation where = e.getLocation();
            String reason = OneLine.of(e).replaceAll(" at \\[.*", "").replaceAll("(?<!\\.)$", ".");
            String sentence = "this is not a result in JSON: " + reason + " Export it again, or give another file.";
            throw where == null || where.getLineNr() < 1 ? new ResultFormatException(path, sentence)
                    : new ResultFormatException(path, content.linesBefore(from) + where.getLineNr(), sentence);
        }
        return new ForeignFile(path, bytes, List.copyOf(documents), List.of(), logged);
    }

    private static String text(Path path, ForeignBytes content) throws ResultFormatException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.utf8())).toString();
        } catch (CharacterCodingException e) {
            throw new ResultFormatException(path,
                    "this is neither JSON nor UTF-8 text. Give a result file of a supported tool.");
        }
    }

    private static ForeignFile ofCsv(Path path, ForeignBytes content, String text) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean logged = false;
        try (CsvReader<CsvRecord> csv = CsvReader.builder().missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE).ofCsvRecord(text)) {
            for (CsvRecord row : csv) {
                if (rows.size() == 1 && rows.getFirst().size() < LEAST_COLUMNS
                        && rows.getFirst().size() != row.getFieldCount()
                        && rows.getFirst().stream().anyMatch(name -> name.strip().contains(" "))) {
                    rows.clear();
                    logged = true;
                }
                addRow(path, rows, row.getFields().stream().map(SpreadsheetText::original).toList());
            }
        } catch (CsvParseException e) {
            throw new ResultFormatException(path, rows.size() + 1L,
                    "this row is not valid CSV: " + OneLine.of(String.valueOf(e.getMessage())));
        }
        return new ForeignFile(path, content.utf8(), List.of(), List.copyOf(rows), logged);
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
