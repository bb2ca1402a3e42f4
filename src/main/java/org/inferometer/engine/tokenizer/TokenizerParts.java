package org.inferometer.engine.tokenizer;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.units.OneLine;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Refuses a `tokenizer.json` with steps that could end the process or run without end.
///
/// The native library aborts the process where a step has a fault that it does not expect: a character map that it cannot read, a special
/// token that is not described, a pattern that backtracks too often. So only known steps with known values pass.
final class TokenizerParts {
    private static final Set<String> PARTS = Set.of("normalizer", "pre_tokenizer", "post_processor", "decoder");
    private static final Map<String, Set<String>> TYPES = Map.of("normalizer",
            Set.of("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Strip", "Prepend", "Replace",
                    "BertNormalizer", "ByteLevel"),
            "pre_tokenizer",
            Set.of("ByteLevel", "Whitespace", "WhitespaceSplit", "Split", "Digits", "Punctuation", "Metaspace",
                    "BertPreTokenizer", "CharDelimiterSplit", "UnicodeScripts"),
            "post_processor", Set.of("ByteLevel", "TemplateProcessing", "BertProcessing", "RobertaProcessing"),
            "decoder",
            Set.of("ByteLevel", "ByteFallback", "Fuse", "Strip", "Replace", "Metaspace", "WordPiece", "BPEDecoder"));
    private static final List<String> LISTS = List.of("normalizers", "pretokenizers", "processors", "decoders");
    private static final int MOST_BYTES = 1 << 18;
    private static final int MOST_STEPS = 64;
    private static final int MOST_GROWTH = 64;
    private static final int DEEPEST = 64;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build()).build();
    private static final JsonMapper MAPPER = JsonMapper.builder(JSON).build();

    private final String part;
    private int steps;
    private long growth = 1;

    private TokenizerParts(String part) {
        this.part = part;
    }

    /// A step that is not accepted; the message is a sentence.
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private RefusedException(String sentence) {
            super(sentence, null, false, false);
        }
    }

    /// Checks the content of a file.
    ///
    /// @throws RefusedException if it is no JSON object, or has a step that is not accepted
    static void check(byte[] json) throws RefusedException {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new RefusedException("The tokenizer cannot be loaded: it is no JSON object.");
            }
            Set<String> seen = new HashSet<>();
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                in.nextToken();
                long from = in.currentTokenLocation().getByteOffset();
                in.skipChildren();
                long to = in.currentLocation().getByteOffset();
                if (!seen.add(name)) {
                    throw new RefusedException("The tokenizer has \"" + OneLine.of(name) + "\" twice.");
                }
                if (PARTS.contains(name) && in.currentToken() != JsonToken.VALUE_NULL) {
                    if (to - from > MOST_BYTES) {
                        throw new RefusedException(
                                "The " + name + " of the tokenizer has more than " + (MOST_BYTES >> 10) + " KiB.");
                    }
                    new TokenizerParts(name).step(MAPPER.readTree(Arrays.copyOfRange(json, (int) from, (int) to)));
                }
            }
        } catch (JacksonException e) {
            throw new RefusedException("The tokenizer cannot be loaded: " + OneLine.of(e.getOriginalMessage()) + ".");
        }
    }

    private RefusedException refused(String what) {
        return new RefusedException("The " + part + " of the tokenizer " + what + ".");
    }

    private void step(JsonNode step) throws RefusedException {
        String type = step.path("type").asString("");
        if (++steps > MOST_STEPS) {
            throw refused("has more than " + MOST_STEPS + " steps");
        }
        if (type.equals("Sequence")) {
            for (String list : LISTS) {
                for (JsonNode each : step.path(list)) {
                    step(each);
                }
            }
            return;
        }
        if (!TYPES.getOrDefault(part, Set.of()).contains(type)) {
            throw refused("has a step of the type \"" + OneLine.of(type) + "\", which is not read");
        }
        switch (type) {
            case "Prepend" -> grow(1, step.path("prepend").asString("").length());
            case "Replace" -> {
                requireLinear(step.path("pattern"));
                grow(step.path("pattern").path("String").asString("x").length(),
                        step.path("content").asString("").length());
            }
            case "Split" -> requireLinear(step.path("pattern"));
            case "TemplateProcessing" -> requireSpecialTokens(step);
            default -> {}
        }
    }

    /// Steps that lengthen a text multiply.
    private void grow(int before, int after) throws RefusedException {
        growth *= Math.max(1, Math.ceilDiv(after, Math.max(1, before)));
        if (growth > MOST_GROWTH) {
            throw refused("can make a text more than " + MOST_GROWTH + " times as long");
        }
    }

    private void requireLinear(JsonNode pattern) throws RefusedException {
        if (pattern.path("Regex").isString() && !SplitPattern.isBounded(pattern.path("Regex").stringValue())) {
            throw refused("has a pattern that may take very long: " + OneLine.of(pattern.path("Regex").stringValue()));
        }
    }

    private void requireSpecialTokens(JsonNode step) throws RefusedException {
        for (String order : List.of("single", "pair")) {
            for (JsonNode each : step.path(order)) {
                String token = each.path("SpecialToken").path("id").asString("");
                JsonNode described = step.path("special_tokens").path(token);
                if (each.has("SpecialToken") && (!described.path("ids").isArray()
                        || described.path("ids").size() != described.path("tokens").size())) {
                    throw refused("does not describe the special token \"" + OneLine.of(token) + "\"");
                }
            }
        }
    }
}
