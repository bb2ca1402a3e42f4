package org.inferometer.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/// Reads small YAML and JSON files of strangers into nodes with line numbers: size, depth and lengths are limited, and
/// aliases, tags, doubled keys and second documents are refused.
final class DocumentParser {
    static final int LARGEST_BYTES = 64 * 1024;
    private static final int DEEPEST = 8;

    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder().maxNestingDepth(DEEPEST)
            .maxNameLength(200).maxStringLength(2000).maxNumberLength(60).build();

    private final JsonParser parser;
    private final Faults faults;

    private DocumentParser(JsonParser parser, Faults faults) {
        this.parser = parser;
        this.faults = faults;
    }

    /// The fields of a YAML file. Faults that leave it readable go to `faults`.
    ///
    /// @throws EngineFormatException when it cannot be read at all, with all faults found until there
    static DocumentNode.Mapping yaml(Path file, Faults faults) throws EngineFormatException {
        return parse(YAMLFactory.builder().streamReadConstraints(LIMITS).build(), file, faults);
    }

    /// The fields of a JSON file, as [#yaml].
    static DocumentNode.Mapping json(Path file, Faults faults) throws EngineFormatException {
        return parse(JsonFactory.builder().streamReadConstraints(LIMITS).build(), file, faults);
    }

    private static DocumentNode.Mapping parse(TokenStreamFactory factory, Path file, Faults faults)
            throws EngineFormatException {
        String text = text(file);
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            return new DocumentParser(parser, faults).document();
        } catch (JacksonException malformed) {
            int line = Math.max(1, malformed.getLocation() == null ? 1 : malformed.getLocation().getLineNr());
            faults.add(line, "Not readable: "
                    + OneLine.of(malformed.getOriginalMessage().lines().findFirst().orElse("malformed")) + ".");
            throw faults.exception();
        }
    }

    private static String text(Path file) throws EngineFormatException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new EngineFormatException(file, "It is no regular file.", "Put a text file in its place.");
            }
            byte[] bytes;
            try (InputStream in = Files.newInputStream(file)) {
                bytes = in.readNBytes(LARGEST_BYTES + 1);
            }
            if (bytes.length > LARGEST_BYTES) {
                throw new EngineFormatException(file, "It is larger than 64 KiB.",
                        "Such a file of ours never is: put the right one there.");
            }
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (NoSuchFileException missing) {
            throw new EngineFormatException(file, "The file is missing.", "Put it there, or build the engine.",
                    missing);
        } catch (CharacterCodingException notUtf8) {
            throw new EngineFormatException(file, "It is not UTF-8 text.", "Save it as UTF-8.", notUtf8);
        } catch (IOException unreadable) {
            throw new EngineFormatException(file, "Cannot be read (" + unreadable.getMessage() + ").",
                    "Check its permissions.", unreadable);
        }
    }

    private DocumentNode.Mapping document() throws EngineFormatException {
        parser.nextToken();
        DocumentNode root = parser.currentToken() == null ? new DocumentNode.Mapping(1, Map.of()) : node();
        if (parser.nextToken() != null) {
            faults.add(line(), "Something follows the first document.");
        }
        if (root instanceof DocumentNode.Mapping mapping) {
            return mapping;
        }
        faults.add(root.line(), "Expected fields, found " + root.kind() + ".");
        throw faults.exception();
    }

    private DocumentNode node() {
        refuseReferences();
        int line = line();
        return switch (parser.currentToken()) {
            case START_OBJECT -> mapping(line);
            case START_ARRAY -> sequence(line);
            case VALUE_NUMBER_INT -> scalar(line, DocumentNode.Scalar.Type.WHOLE);
            case VALUE_NUMBER_FLOAT -> scalar(line, DocumentNode.Scalar.Type.DECIMAL);
            case VALUE_TRUE, VALUE_FALSE -> scalar(line, DocumentNode.Scalar.Type.FLAG);
            case VALUE_NULL -> scalar(line, DocumentNode.Scalar.Type.NULL);
            case VALUE_STRING, VALUE_EMBEDDED_OBJECT, PROPERTY_NAME, END_OBJECT, END_ARRAY, NOT_AVAILABLE ->
                scalar(line, DocumentNode.Scalar.Type.TEXT);
        };
    }

    private void refuseReferences() {
        boolean alias = parser instanceof YAMLParser yaml && yaml.isCurrentAlias();
        if (alias || parser.getObjectId() != null) {
            faults.add(line(), "Anchors and aliases (& and *) are not used here; write the value out.");
        }
        if (parser.getTypeId() != null) {
            faults.add(line(), "Tags (!) are not used here.");
        }
    }

    private DocumentNode.Mapping mapping(int line) {
        Map<String, DocumentNode.Field> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            refuseReferences();
            String name = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            if (fields.putIfAbsent(name, new DocumentNode.Field(keyLine, node())) != null) {
                faults.add(keyLine, "\"" + name + "\" stands here a second time.");
            }
        }
        return new DocumentNode.Mapping(line, fields);
    }

    private DocumentNode.Sequence sequence(int line) {
        List<DocumentNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY && parser.currentToken() != null) {
            items.add(node());
        }
        return new DocumentNode.Sequence(line, items);
    }

    private DocumentNode.Scalar scalar(int line, DocumentNode.Scalar.Type type) {
        String text = parser.getString();
        return new DocumentNode.Scalar(line, type, text == null ? "" : text);
    }

    private int line() {
        return Math.max(1, parser.currentTokenLocation().getLineNr());
    }
}
