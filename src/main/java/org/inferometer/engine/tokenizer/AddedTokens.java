package org.inferometer.engine.tokenizer;

import org.inferometer.units.OneLine;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Refuses `added_tokens` of a `tokenizer.json` that the native library may cut a text with where no part begins.
///
/// A token that takes the white space beside it cuts wrongly where that space is a token, or is made by a normalizer.
final class AddedTokens {
    private String stripping = "";
    private boolean strippingIsNormalized;
    private boolean blank;

    /// Reads to the end of the value at which the parser stands.
    void read(JsonParser in, JsonMapper mapper) throws TokenizerParts.RefusedException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw new TokenizerParts.RefusedException("The added_tokens of the tokenizer are not a list.");
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            JsonNode token = mapper.readTree(in);
            String content = token.path("content").asString("");
            if (content.isEmpty() || token.path("single_word").asBoolean(false)) {
                throw new TokenizerParts.RefusedException("The added token \"" + OneLine.of(content)
                        + "\" is empty or a single word, which is not supported.");
            }
            blank |= isBlank(content.codePointAt(0)) || isBlank(content.codePointBefore(content.length()));
            if (token.path("lstrip").asBoolean(false) || token.path("rstrip").asBoolean(false)) {
                stripping = content;
                strippingIsNormalized |= token.path("normalized").asBoolean(true);
            }
        }
    }

    private static boolean isBlank(int letter) {
        return Character.isWhitespace(letter) || Character.isSpaceChar(letter) || letter == 0x85;
    }

    /// @param normalizes whether texts are changed before tokens of the kind "normalized" are looked for
    void check(boolean normalizes) throws TokenizerParts.RefusedException {
        if (!stripping.isEmpty() && (blank || (strippingIsNormalized && normalizes))) {
            throw new TokenizerParts.RefusedException("The added token \"" + OneLine.of(stripping)
                    + "\" strips the white space beside it, which another token or the normalizer changes.");
        }
    }
}
