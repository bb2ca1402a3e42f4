package org.inferometer.results;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.inferometer.units.HeapLimit;
import org.inferometer.units.PlainJson;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// Writes manifests as JSON, and reads them with all constraints of their types checked.
///
/// Refuses other format versions; ignores unknown fields. Texts are plain in files and after reading, see [PlainJson].
public final class ManifestJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private ManifestJson() {}

    /// The text of a manifest as UTF-8.
    public static byte[] bytes(Object manifest) {
        // writeValueAsBytes refuses an unpaired surrogate, which a server may send.
        byte[] bytes = MAPPER.writeValueAsString(manifest).getBytes(StandardCharsets.UTF_8);
        if (PlainJson.isPlain(bytes, 0, bytes.length)) {
            return bytes;
        }
        JsonNode plain = PlainJson.of(MAPPER.valueToTree(manifest));
        return MAPPER.writeValueAsString(plain).getBytes(StandardCharsets.UTF_8);
    }

    /// The content of a manifest file.
    static byte[] text(Path file) throws IOException {
        return HeapLimit.read(RegularFile.require(file));
    }

    /// The manifest with every text changed.
    static <R extends Record> R withTexts(R manifest, Class<R> type, UnaryOperator<String> change) throws IOException {
        try {
            return MAPPER.treeToValue(PlainJson.withTexts(MAPPER.valueToTree(manifest), change), type);
        } catch (JacksonException e) {
            throw new IOException("The manifest cannot be anonymized: " + e.getOriginalMessage(), e);
        }
    }

    /// Reads a manifest of a type in a format version.
    public static <R extends Record> R read(Path file, Class<R> type, int version) throws IOException {
        return parse(file, text(file), type, version);
    }

    static <R extends Record> R parse(Path file, byte[] bytes, Class<R> type, int version) throws IOException {
        try {
            JsonNode read = MAPPER.readTree(bytes);
            JsonNode tree = PlainJson.isPlain(bytes, 0, bytes.length) ? read : PlainJson.of(read);
            requireVersion(file, tree, version);
            R manifest = MAPPER.treeToValue(tree, type);
            Optional<String> broken = RecordValidator.firstFault(manifest);
            if (broken.isPresent()) {
                throw new ResultFormatException(file, broken.get());
            }
            return manifest;
        } catch (OutOfMemoryError e) {
            throw HeapLimit.exceeded(file);
        } catch (JacksonException e) {
            TokenStreamLocation where = e.getLocation();
            String sentence = "this is not a record in JSON: " + CsvReader.shortened(e.getOriginalMessage());
            throw where == null || where.getLineNr() < 1 ? new ResultFormatException(file, sentence)
                    : new ResultFormatException(file, where.getLineNr(), sentence);
        }
    }

    private static void requireVersion(Path file, JsonNode tree, int known) throws ResultFormatException {
        JsonNode version = tree.path("formatVersion");
        if (!version.isInt() || version.intValue() < 1) {
            throw new ResultFormatException(file, "\"formatVersion\" is missing; this is not a record of Inferometer.");
        }
        if (version.intValue() != known) {
            throw new ResultFormatException(file,
                    "the record has format " + version.intValue() + "; this version reads " + known + ". "
                            + (version.intValue() < known ? "Measure again." : "Use a newer Inferometer."));
        }
    }
}
