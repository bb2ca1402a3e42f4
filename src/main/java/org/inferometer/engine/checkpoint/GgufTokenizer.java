package org.inferometer.engine.checkpoint;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.inferometer.engine.files.EngineFormatException;
import org.inferometer.engine.gguf.GgufFile;
import org.inferometer.engine.gguf.GgufMetadata;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// The tokenizer of a GGUF header as a `tokenizer.json` of Hugging Face's library.
///
/// Source of the rules: the published conversions between SentencePiece models, byte-pair tables and that library's files.
final class GgufTokenizer {
    private static final JsonFactory JSON = new JsonFactory();
    /// Published models of 262,000 pieces have 580,000 pairs.
    private static final int MOST_MERGES = 1_000_000;
    private static final int MOST_MERGED_CHARACTERS = 1 << 24;
    /// Characters of all pairs into which tokens divide; 256,000 tokens of published models have 30 million.
    private static final long MOST_PAIR_CHARACTERS = 1 << 27;
    private static final String WORDS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|%s"
            + "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
    private static final int CONTROL = 3;
    private static final int USER_DEFINED = 4;
    private static final String BLANK = "\u2581";

    private final GgufMetadata values;
    private final List<String> tokens;
    private final long[] types;
    private final Map<String, Integer> ids = new HashMap<>();

    private GgufTokenizer(GgufMetadata values) {
        this.values = values;
        tokens = values.texts("tokenizer.ggml.tokens");
        types = values.wholes("tokenizer.ggml.token_type");
        for (int i = 0; i < tokens.size(); i++) {
            ids.putIfAbsent(tokens.get(i), i);
        }
    }

    /// Tokens of the header.
    static int count(GgufMetadata values) {
        return values.texts("tokenizer.ggml.tokens").size();
    }

    /// The file's content; empty if the header's tokenizer is none of those that are read.
    ///
    /// @throws EngineFormatException if it has too many pairs of pieces
    static Optional<byte[]> json(GgufFile file) throws EngineFormatException {
        GgufTokenizer tokenizer = new GgufTokenizer(file.metadata());
        if (tokenizer.tokens.isEmpty()) {
            return Optional.empty();
        }
        return switch (tokenizer.kind()) {
            case "gpt2" ->
                Splitting.of(tokenizer.values.text("tokenizer.ggml.pre").orElse("")).map(tokenizer::bytePairs);
            case "llama" -> Optional.of(tokenizer.sentencePiece(tokenizer.merges(file.path())));
            default -> Optional.empty();
        };
    }

    private String kind() {
        return values.text("tokenizer.ggml.model").orElse("");
    }

    /// What a kind of tokenizer does before pairs merge.
    ///
    /// @param pattern of words; empty for GPT-2's own
    /// @param wholeWords whether a word that is a token is not split
    private record Splitting(String pattern, boolean singleDigits, boolean composed, boolean wholeWords) {
        static Optional<Splitting> of(String name) {
            return switch (name) {
                case "gpt-2", "" -> Optional.of(new Splitting("", false, false, false));
                case "llama-bpe" -> Optional.of(new Splitting(WORDS.formatted("\\p{N}{1,3}"), false, false, true));
                case "qwen2" -> Optional.of(new Splitting(WORDS.formatted("\\p{N}"), false, true, false));
                case "smollm" -> Optional.of(new Splitting("", true, false, false));
                default -> Optional.empty();
            };
        }
    }

    private byte[] bytePairs(Splitting splitting) {
        return written(json -> {
            if (splitting.composed) {
                json.writeObjectPropertyStart("normalizer").writeStringProperty("type", "NFC").writeEndObject();
            }
            json.writeObjectPropertyStart("pre_tokenizer").writeStringProperty("type", "Sequence")
                    .writeArrayPropertyStart("pretokenizers");
            if (splitting.singleDigits) {
                json.writeStartObject().writeStringProperty("type", "Digits")
                        .writeBooleanProperty("individual_digits", true).writeEndObject();
            }
            if (!splitting.pattern.isEmpty()) {
                json.writeStartObject().writeStringProperty("type", "Split").writeObjectPropertyStart("pattern")
                        .writeStringProperty("Regex", splitting.pattern).writeEndObject()
                        .writeStringProperty("behavior", "Isolated").writeBooleanProperty("invert", false)
                        .writeEndObject();
            }
            bytes(json.writeStartObject(), splitting.pattern.isEmpty());
            json.writeEndArray().writeEndObject();
            bytes(json.writeObjectPropertyStart("decoder"), true);
            model(json, false);
            json.writeNullProperty("unk_token").writeBooleanProperty("byte_fallback", false)
                    .writeBooleanProperty("ignore_merges", splitting.wholeWords).writeArrayPropertyStart("merges");
            values.texts("tokenizer.ggml.merges").forEach(json::writeString);
            json.writeEndArray().writeEndObject();
        });
    }

    private static void bytes(JsonGenerator step, boolean words) {
        step.writeStringProperty("type", "ByteLevel").writeBooleanProperty("add_prefix_space", false)
                .writeBooleanProperty("trim_offsets", true).writeBooleanProperty("use_regex", words).writeEndObject();
    }

    /// Pieces with scores: two pieces merge if their whole is a piece, the best score first.
    private byte[] sentencePiece(List<Merge> pairs) {
        boolean blankFirst = values.flag("tokenizer.ggml.add_space_prefix", true);
        int unknown = (int) values.whole("tokenizer.ggml.unknown_token_id").orElse(0);
        return written(json -> {
            json.writeObjectPropertyStart("normalizer").writeStringProperty("type", "Sequence")
                    .writeArrayPropertyStart("normalizers");
            if (blankFirst) {
                json.writeStartObject().writeStringProperty("type", "Prepend").writeStringProperty("prepend", BLANK)
                        .writeEndObject();
            }
            replace(json, " ", BLANK);
            json.writeEndArray().writeEndObject();
            json.writeObjectPropertyStart("decoder").writeStringProperty("type", "Sequence")
                    .writeArrayPropertyStart("decoders");
            replace(json, BLANK, " ");
            json.writeStartObject().writeStringProperty("type", "ByteFallback").writeEndObject();
            json.writeStartObject().writeStringProperty("type", "Fuse").writeEndObject();
            if (blankFirst) {
                json.writeStartObject().writeStringProperty("type", "Strip").writeStringProperty("content", " ")
                        .writeNumberProperty("start", 1).writeNumberProperty("stop", 0).writeEndObject();
            }
            json.writeEndArray().writeEndObject();
            model(json, true);
            json.writeStringProperty("unk_token", tokens.get(unknown >= 0 && unknown < tokens.size() ? unknown : 0))
                    .writeBooleanProperty("byte_fallback", true).writeBooleanProperty("ignore_merges", false)
                    .writeArrayPropertyStart("merges");
            pairs.forEach(pair -> json.writeStartArray().writeString(tokens.get(pair.left))
                    .writeString(tokens.get(pair.right)).writeEndArray());
            json.writeEndArray().writeEndObject();
        });
    }

    private static void replace(JsonGenerator json, String from, String to) {
        json.writeStartObject().writeStringProperty("type", "Replace").writeStringProperty("content", to)
                .writeObjectPropertyStart("pattern").writeStringProperty("String", from).writeEndObject()
                .writeEndObject();
    }

    /// @param left and right ids of the pieces
    private record Merge(int left, int right, double score) {}

    private List<Merge> merges(Path file) throws EngineFormatException {
        double[] scores = values.numbers("tokenizer.ggml.scores");
        // Below 2^52: a header has 2^26 characters at most.
        if (tokens.stream().mapToLong(token -> (long) token.length() * token.length()).sum() > MOST_PAIR_CHARACTERS) {
            throw new EngineFormatException(file, "The tokens of its tokenizer are too long to be divided into pairs.",
                    "Give another model.");
        }
        List<Merge> merges = new ArrayList<>();
        long characters = 0;
        for (int id = 0; id < Math.min(tokens.size(), scores.length); id++) {
            String piece = tokens.get(id);
            for (int at = 1; at < piece.length(); at++) {
                Integer left = ids.get(piece.substring(0, at));
                Integer right = left == null ? null : ids.get(piece.substring(at));
                if (left == null || right == null) {
                    continue;
                }
                characters += piece.length();
                if (merges.size() == MOST_MERGES || characters > MOST_MERGED_CHARACTERS) {
                    throw new EngineFormatException(file, "Its tokenizer has more than " + MOST_MERGES
                            + " pairs of pieces, or " + MOST_MERGED_CHARACTERS + " characters in them.",
                            "Give another model.");
                }
                merges.add(new Merge(left, right, scores[id]));
            }
        }
        merges.sort(Comparator.comparingDouble((Merge merge) -> -merge.score)
                .thenComparingInt(merge -> -tokens.get(merge.left).length())
                .thenComparingInt(merge -> -tokens.get(merge.right).length()));
        return merges;
    }

    /// Writes what all kinds have, and the rest. A tree of it would take gigabytes for a hostile header.
    private byte[] written(Consumer<JsonGenerator> rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject().writeStringProperty("version", "1.0").writeNullProperty("truncation")
                    .writeNullProperty("padding").writeArrayPropertyStart("added_tokens");
            for (int id = 0; id < Math.min(tokens.size(), types.length); id++) {
                long type = types[id];
                if (type == CONTROL || type == USER_DEFINED) {
                    json.writeStartObject().writeNumberProperty("id", id).writeStringProperty("content", tokens.get(id))
                            .writeBooleanProperty("single_word", false).writeBooleanProperty("lstrip", false)
                            .writeBooleanProperty("rstrip", false).writeBooleanProperty("normalized", false)
                            .writeBooleanProperty("special", type == CONTROL).writeEndObject();
                }
            }
            json.writeEndArray();
            writeBegin(json);
            rest.accept(json);
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    /// The begin of sequence, where the model wants one before each text.
    private void writeBegin(JsonGenerator json) {
        long begin = values.whole("tokenizer.ggml.bos_token_id").orElse(-1);
        boolean wanted = values.flag("tokenizer.ggml.add_bos_token", kind().equals("llama"));
        if (!wanted || begin < 0 || begin >= tokens.size()) {
            return;
        }
        String text = tokens.get((int) begin);
        json.writeObjectPropertyStart("post_processor").writeStringProperty("type", "TemplateProcessing")
                .writeArrayPropertyStart("single");
        json.writeStartObject().writeObjectPropertyStart("SpecialToken").writeStringProperty("id", text)
                .writeNumberProperty("type_id", 0).writeEndObject().writeEndObject();
        json.writeStartObject().writeObjectPropertyStart("Sequence").writeStringProperty("id", "A")
                .writeNumberProperty("type_id", 0).writeEndObject().writeEndObject();
        json.writeEndArray().writeArrayPropertyStart("pair").writeEndArray();
        json.writeObjectPropertyStart("special_tokens").writeObjectPropertyStart(text).writeStringProperty("id", text);
        json.writeArrayPropertyStart("ids").writeNumber(begin).writeEndArray();
        json.writeArrayPropertyStart("tokens").writeString(text).writeEndArray();
        json.writeEndObject().writeEndObject().writeEndObject();
    }

    /// Begins the model and leaves it open.
    private void model(JsonGenerator json, boolean fused) {
        json.writeObjectPropertyStart("model").writeStringProperty("type", "BPE")
                .writeBooleanProperty("fuse_unk", fused).writeNullProperty("dropout")
                .writeNullProperty("continuing_subword_prefix").writeNullProperty("end_of_word_suffix")
                .writeObjectPropertyStart("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            // Texts that stand twice keep their first id.
            if (Objects.equals(ids.get(tokens.get(id)), id)) {
                json.writeNumberProperty(tokens.get(id), id);
            }
        }
        json.writeEndObject();
    }
}
