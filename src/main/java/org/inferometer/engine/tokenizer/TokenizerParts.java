package org.inferometer.engine.tokenizer;

import java.io.IOException;
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
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Refuses a `tokenizer.json` whose steps could end the process or run without end, or whose model is not a byte-pair table.
///
/// The native library aborts the process where a step has a fault that it does not expect: a character map that it cannot read, a special
/// token that is not described, a pattern that backtracks too often. So only what published tokenizers of decoder models use is accepted.
final class TokenizerParts {
    private static final Set<String> PARTS = Set.of("normalizer", "pre_tokenizer", "post_processor", "decoder");
    private static final Map<String, Set<String>> TYPES =
            Map.of("normalizer", Set.of("NFC", "NFD", "NFKC", "NFKD", "Prepend", "Replace"), "pre_tokenizer",
                    Set.of("ByteLevel", "Whitespace", "WhitespaceSplit", "Split", "Digits", "Punctuation", "Metaspace"),
                    "post_processor", Set.of("ByteLevel", "TemplateProcessing"), "decoder",
                    Set.of("ByteLevel", "ByteFallback", "Fuse", "Strip", "Replace", "Metaspace"));
    private static final Map<String, String> LISTS = Map.of("normalizer", "normalizers", "pre_tokenizer",
            "pretokenizers", "post_processor", "processors", "decoder", "decoders");
    private static final String BLANK = "\u2581";
    private static final int MOST_BYTES = 1 << 18;
    private static final int MOST_STEPS = 64;
    private static final int MOST_GROWTH = 64;
    private static final int DEEPEST = 64;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build()).build();
    private static final JsonMapper MAPPER =
            JsonMapper.builder(JSON).enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                    .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private final String part;
    private int steps;
    private long growth = 1;
    private boolean templated;

    private TokenizerParts(String part) {
        this.part = part;
    }

    /// A step that is not accepted; the message is a sentence.
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String sentence) {
            super(sentence);
        }
    }

    /// Checks the content of a file.
    ///
    /// @throws RefusedException if it is no JSON object, or has a step that is not accepted
    static void check(byte[] json) throws RefusedException {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new RefusedException("The tokenizer cannot be loaded: it is not a JSON object.");
            }
            Set<String> seen = new HashSet<>();
            AddedTokens added = new AddedTokens();
            boolean normalizes = false;
            while (in.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = in.currentName();
                in.nextToken();
                if (!seen.add(name)) {
                    throw new RefusedException("The tokenizer has \"" + OneLine.of(name) + "\" twice.");
                }
                switch (name) {
                    case "added_tokens" -> added.read(in, MAPPER);
                    case "model" -> checkModel(in);
                    default -> normalizes |= part(name, in, json) && name.equals("normalizer");
                }
            }
            added.check(normalizes);
        } catch (JacksonException e) {
            throw new RefusedException("The tokenizer cannot be loaded: " + OneLine.of(e) + ".");
        }
    }

    /// Whether the part is there.
    private static boolean part(String name, JsonParser in, byte[] json) throws RefusedException {
        boolean isThere = PARTS.contains(name) && in.currentToken() != JsonToken.VALUE_NULL;
        long from = in.currentTokenLocation().getByteOffset();
        in.skipChildren();
        long to = in.currentLocation().getByteOffset();
        if (isThere && to - from > MOST_BYTES) {
            throw new RefusedException(
                    "The " + name + " of the tokenizer has more than " + (MOST_BYTES >> 10) + " KiB.");
        }
        if (isThere) {
            new TokenizerParts(name).step(MAPPER.readTree(Arrays.copyOfRange(json, (int) from, (int) to)));
        }
        return isThere;
    }

    /// Refuses a model that is no byte-pair table as decoder models have them, without building its tree. Reads to its end.
    private static void checkModel(JsonParser in) throws RefusedException {
        requireInModel(in.currentToken() == JsonToken.START_OBJECT, "model");
        Set<String> seen = new HashSet<>();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            boolean isNull = value == JsonToken.VALUE_NULL;
            boolean isText = value == JsonToken.VALUE_STRING;
            requireInModel(seen.add(name) && switch (name) {
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

    private static void requireInModel(boolean holds, String name) throws RefusedException {
        if (!holds) {
            throw new RefusedException("The model of the tokenizer is not supported: \"" + OneLine.of(name)
                    + "\" differs from that of a byte-pair table.");
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
            for (JsonNode each : step.path(LISTS.getOrDefault(part, ""))) {
                step(each);
            }
            return;
        }
        if (!TYPES.getOrDefault(part, Set.of()).contains(type)) {
            throw refused("has a step of the type \"" + OneLine.of(type) + "\", which is not supported");
        }
        if (templated) {
            throw refused("has a step after \"TemplateProcessing\", which is not supported");
        }
        switch (type) {
            case "Prepend" -> grow(1, required(step, "prepend").length());
            case "Replace" -> grow(required(step.path("pattern"), "String").length(), part.equals("decoder")
                    ? step.path("content").asString("").length() : required(step, "content").length());
            case "Split" -> requireLinear(step.path("pattern"));
            case "TemplateProcessing" -> requireTemplate(step);
            case "Metaspace" -> {
                if (!required(step, "replacement").equals(BLANK)) {
                    throw refused(
                            "replaces spaces with another character than \"" + BLANK + "\", which is not supported");
                }
            }
            case "Strip" -> {
                if (step.path("stop").asInt(-1) != 0) {
                    throw refused("strips the end of tokens, which is not supported");
                }
            }
            default -> {}
        }
    }

    private String required(JsonNode step, String name) throws RefusedException {
        String text = step.path(name).asString("");
        if (text.isEmpty()) {
            throw refused("lacks the string \"" + name + "\"");
        }
        return text;
    }

    /// Steps that lengthen a text multiply.
    private void grow(int before, int after) throws RefusedException {
        growth *= Math.max(1, Math.ceilDiv(after, Math.max(1, before)));
        if (growth > MOST_GROWTH) {
            throw refused("can make a text more than " + MOST_GROWTH + " times longer");
        }
    }

    private void requireLinear(JsonNode pattern) throws RefusedException {
        String regex = pattern.path("Regex").asString("");
        if (!regex.isEmpty() && pattern.size() == 1) {
            if (!SplitPattern.isBounded(regex)) {
                throw refused("has a pattern that may take too long or match an empty string: " + OneLine.of(regex));
            }
        } else {
            required(pattern, "String");
        }
    }

    /// The library handles a template of one text only where nothing follows it.
    private void requireTemplate(JsonNode step) throws RefusedException {
        templated = true;
        int texts = 0;
        for (JsonNode each : step.path("single")) {
            texts += each.path("Sequence").path("id").asString("").equals("A") ? 1 : each.has("SpecialToken") ? 0 : 2;
        }
        if (texts != 1) {
            throw refused("has a template that does not take exactly one text");
        }
        for (String order : List.of("single", "pair")) {
            for (JsonNode each : step.path(order)) {
                String token = each.path("SpecialToken").path("id").asString("");
                if (each.has("SpecialToken") && !step.path("special_tokens").has(token)) {
                    throw refused("does not describe the special token \"" + OneLine.of(token) + "\"");
                }
            }
        }
        for (Map.Entry<String, JsonNode> each : step.path("special_tokens").properties()) {
            JsonNode described = each.getValue();
            if (!described.path("id").asString("").equals(each.getKey()) || !described.path("ids").isArray()
                    || described.path("ids").size() != described.path("tokens").size()) {
                throw refused("does not describe the special token \"" + OneLine.of(each.getKey()) + "\"");
            }
        }
    }
}
