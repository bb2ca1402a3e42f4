package org.inferometer.engine.safetensors;

import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.safetensors.TensorSpec.TensorEntry;
import org.inferometer.units.OneLine;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/// Reads a safetensors header; accepts and rejects the same files as the reference reader.
///
/// In addition it rejects duplicate names, as the format's description requires.
public record SafetensorsHeader(List<TensorEntry> entries, Map<String, String> metadata) {
    private static final String METADATA = "__metadata__";
    // The limit of the reference's JSON reader: 128 levels.
    private static final int DEEPEST = 127;

    /// @param header the bytes between the length and the data
    /// @param dataBytes size of the data after the header
    /// @return the tensors in file order
    static SafetensorsHeader parse(Path file, byte[] header, long dataBytes) throws EngineFormatException {
        try (JsonParser parser = factory().createParser(ObjectReadContext.empty(), strictReader(header))) {
            SafetensorsHeader parsed = new Parsing(parser).header();
            parsed.checkCover(dataBytes);
            return parsed;
        } catch (HeaderFault fault) {
            throw damaged(file, String.valueOf(fault.getMessage()), fault);
        } catch (JacksonException notJson) {
            throw damaged(file, "the header is not valid JSON (" + firstLine(notJson.getOriginalMessage()) + ")",
                    notJson);
        }
    }

    static EngineFormatException damaged(Path file, String fault, @Nullable Throwable cause) {
        String problem = "Not a usable safetensors file: " + fault + ".";
        String remedy = "Copy the file again; a file of an engine is made by building the engine again.";
        return cause == null ? new EngineFormatException(file, problem, remedy)
                : new EngineFormatException(file, problem, remedy, cause);
    }

    private static String firstLine(String message) {
        return OneLine.of(message.lines().findFirst().orElse("unreadable"));
    }

    private static JsonFactory factory() {
        StreamReadConstraints limits = StreamReadConstraints.builder().maxNestingDepth(DEEPEST)
                .maxNameLength(Integer.MAX_VALUE).maxStringLength(Integer.MAX_VALUE).build();
        // Names are untrusted and used once: no symbol table.
        return JsonFactory.builder().streamReadConstraints(limits)
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .disable(TokenStreamFactory.Feature.INTERN_PROPERTY_NAMES).build();
    }

    /// A UTF-8 reader, because the JSON library would guess UTF-16 from zero bytes.
    private static Reader strictReader(byte[] header) {
        return new InputStreamReader(new ByteArrayInputStream(header), StandardCharsets.UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT));
    }

    /// Tensors must be contiguous, have the size of their type and shape, and fill the file.
    private void checkCover(long dataBytes) {
        long expected = 0;
        for (TensorEntry entry : entries) {
            if (entry.begin() != expected || entry.end() < entry.begin()) {
                throw new HeaderFault("tensor " + shown(entry.spec().name()) + " begins at " + entry.begin()
                        + " and ends at " + entry.end() + " where " + expected + " was due");
            }
            long bytes = entry.spec().bytes().orElseThrow(() -> new HeaderFault(
                    "the size of tensor " + shown(entry.spec().name()) + " overflows or ends inside a byte"));
            if (bytes != entry.bytes()) {
                throw new HeaderFault("tensor " + shown(entry.spec().name()) + " has " + entry.bytes()
                        + " bytes where its shape needs " + bytes);
            }
            expected = entry.end();
        }
        if (expected != dataBytes) {
            throw new HeaderFault(
                    "the tensors take " + expected + " bytes, the file has " + dataBytes + " behind the header");
        }
    }

    /// A name for messages: names may be long or unprintable.
    public static String shown(String name) {
        String printable = name.replaceAll("[^\\x20-\\x7E]", "?");
        return "\"" + (printable.length() > 80 ? printable.substring(0, 80) + "…" : printable) + "\"";
    }

    private static final class HeaderFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        HeaderFault(String fault) {
            super(fault, null, false, false);
        }
    }

    private record Parsing(JsonParser parser) {
        SafetensorsHeader header() {
            require(parser.nextToken() == JsonToken.START_OBJECT, "the header is not a JSON object");
            List<TensorEntry> entries = new ArrayList<>();
            Set<String> names = new HashSet<>();
            Map<String, String> metadata = Map.of();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = text(parser.currentName());
                require(names.add(name), "the name " + shown(name) + " appears twice");
                if (name.equals(METADATA)) {
                    metadata = metadata();
                } else {
                    entries.add(entry(name));
                }
            }
            require(parser.nextToken() == null, "data follows the header's JSON object");
            entries.sort(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end));
            return new SafetensorsHeader(List.copyOf(entries), metadata);
        }

        private Map<String, String> metadata() {
            Map<String, String> metadata = new LinkedHashMap<>();
            JsonToken first = parser.nextToken();
            if (first == JsonToken.VALUE_NULL) {
                return Map.of();
            }
            require(first == JsonToken.START_OBJECT, METADATA + " is not an object of strings");
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = text(parser.currentName());
                require(parser.nextToken() == JsonToken.VALUE_STRING, METADATA + " has a value that is not a string");
                require(metadata.put(key, text(parser.getString())) == null,
                        METADATA + " names " + shown(key) + " twice");
            }
            return Map.copyOf(metadata);
        }

        private TensorEntry entry(String name) {
            require(parser.nextToken() == JsonToken.START_OBJECT,
                    "tensor " + shown(name) + " is not described by an object");
            Map<String, Object> fields = new HashMap<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String field = parser.currentName();
                switch (field) {
                    case "dtype" -> once(name, field, fields.put(field, dtype(name)));
                    case "shape", "data_offsets" -> once(name, field, fields.put(field, wholes(name, field)));
                    default -> {
                        parser.nextToken();
                        parser.skipChildren();
                    }
                }
            }
            if (fields.get("dtype") instanceof SafetensorsDtype dtype
                    && fields.get("shape") instanceof Wholes(List<Long> shape)
                    && fields.get("data_offsets") instanceof Wholes(List<Long> offsets)) {
                require(offsets.size() == 2,
                        "tensor " + shown(name) + " has " + offsets.size() + " data_offsets instead of 2");
                return new TensorEntry(new TensorSpec(name, dtype, shape), offsets.getFirst(), offsets.getLast());
            }
            throw new HeaderFault("tensor " + shown(name) + " lacks dtype, shape or data_offsets");
        }

        private static void once(String name, String field, @Nullable Object earlier) {
            require(earlier == null, "tensor " + shown(name) + " has two fields " + field);
        }

        private SafetensorsDtype dtype(String name) {
            require(parser.nextToken() == JsonToken.VALUE_STRING,
                    "the dtype of tensor " + shown(name) + " is not a string");
            String word = parser.getString();
            return SafetensorsDtype.named(word).orElseThrow(
                    () -> new HeaderFault("tensor " + shown(name) + " has the unknown dtype " + shown(word)));
        }

        private Wholes wholes(String name, String field) {
            require(parser.nextToken() == JsonToken.START_ARRAY,
                    field + " of tensor " + shown(name) + " is not a list");
            List<Long> values = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String digits = parser.currentToken() == JsonToken.VALUE_NUMBER_INT ? parser.getString() : "";
                // 18 digits stay below 2^63; larger sizes are impossible.
                require(!digits.isEmpty() && digits.length() <= 18 && digits.charAt(0) != '-',
                        field + " of tensor " + shown(name) + " has an invalid size");
                values.add(Long.parseLong(digits));
            }
            return new Wholes(List.copyOf(values));
        }

        /// Rejects unpaired surrogates, which UTF-8 text cannot contain.
        private static String text(String text) {
            require(StandardCharsets.UTF_8.newEncoder().canEncode(text), "a name has an unpaired surrogate");
            return text;
        }

        private static void require(boolean holds, String fault) {
            if (!holds) {
                throw new HeaderFault(fault);
            }
        }
    }

    private record Wholes(List<Long> values) {}
}
