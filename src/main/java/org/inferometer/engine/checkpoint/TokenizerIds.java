package org.inferometer.engine.checkpoint;

import java.nio.file.Path;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// Reads how many token ids a `tokenizer.json` has, without building its tree.
final class TokenizerIds {
    private static final String REMEDY = "Copy the checkpoint again, or remove the file.";
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int LONGEST_NAME = 1 << 16;
    private static final int DEEPEST = 64;
    private static final JsonFactory JSON = JsonFactory.builder().streamReadConstraints(StreamReadConstraints.builder()
            .maxStringLength(LONGEST_TEXT).maxNameLength(LONGEST_NAME).maxNestingDepth(DEEPEST).build()).build();

    private TokenizerIds() {}

    /// The largest id and one.
    ///
    /// @param origin for messages
    /// @throws EngineFormatException if it is no tokenizer
    static int count(byte[] json, Path origin) throws EngineFormatException {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), json)) {
            return count(in);
        } catch (JacksonException e) {
            throw new EngineFormatException(origin, "It is no tokenizer: " + OneLine.of(e) + ".", REMEDY, e);
        }
    }

    private static int count(JsonParser in) {
        int largest = -1;
        if (in.nextToken() != JsonToken.START_OBJECT) {
            return 0;
        }
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            if (name.equals("added_tokens") && value == JsonToken.START_ARRAY) {
                largest = Math.max(largest, added(in));
            } else if (name.equals("model") && value == JsonToken.START_OBJECT) {
                largest = Math.max(largest, model(in));
            } else {
                in.skipChildren();
            }
        }
        return largest + 1;
    }

    private static int added(JsonParser in) {
        int largest = -1;
        while (in.nextToken() == JsonToken.START_OBJECT) {
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (name.equals("id") && value == JsonToken.VALUE_NUMBER_INT) {
                    largest = Math.max(largest, in.getIntValue());
                } else {
                    in.skipChildren();
                }
            }
        }
        return largest;
    }

    /// A vocabulary is a map of texts to ids, or a list of texts with their scores.
    private static int model(JsonParser in) {
        int largest = -1;
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            if (name.equals("vocab") && value == JsonToken.START_OBJECT) {
                while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                    in.nextToken();
                    largest = Math.max(largest, in.getIntValue());
                }
            } else if (name.equals("vocab") && value == JsonToken.START_ARRAY) {
                while (in.nextToken() == JsonToken.START_ARRAY) {
                    in.skipChildren();
                    largest++;
                }
            } else {
                in.skipChildren();
            }
        }
        return largest;
    }
}
