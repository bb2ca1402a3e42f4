package org.inferometer.engine.tokenizer;

import java.util.HashSet;
import java.util.Set;
import org.inferometer.units.OneLine;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Refuses a `model` of a `tokenizer.json` that is no byte-pair table as decoder models have them, without building its tree.
final class TokenizerModel {
    private TokenizerModel() {}

    /// Reads to the end of the value at which the parser stands.
    static void check(JsonParser in) throws TokenizerParts.RefusedException {
        require(in.currentToken() == JsonToken.START_OBJECT, "model");
        Set<String> seen = new HashSet<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            boolean isNull = value == JsonToken.VALUE_NULL;
            boolean isText = value == JsonToken.VALUE_STRING;
            require(seen.add(name) && switch (name) {
                case "type" -> isText && in.getString().equals("BPE");
                case "vocab" -> value == JsonToken.START_OBJECT;
                case "merges" -> value == JsonToken.START_ARRAY;
                case "unk_token" -> isNull || isText;
                case "dropout" -> isNull;
                // The library cuts the second text of a pair by the length of the prefix, wherever it falls.
                case "continuing_subword_prefix", "end_of_word_suffix" ->
                    isNull || (isText && in.getString().isEmpty());
                case "fuse_unk", "byte_fallback", "ignore_merges" -> isNull || value.isBoolean();
                default -> false;
            }, name);
            in.skipChildren();
        }
    }

    private static void require(boolean holds, String name) throws TokenizerParts.RefusedException {
        if (!holds) {
            throw new TokenizerParts.RefusedException(
                    "The model of the tokenizer is no byte-pair table that is read: \"" + OneLine.of(name) + "\".");
        }
    }
}
