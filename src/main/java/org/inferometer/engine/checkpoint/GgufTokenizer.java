package org.inferometer.engine.checkpoint;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.engine.gguf.GgufMetadata;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The tokenizer of a GGUF header as a `tokenizer.json` of Hugging Face's library.
///
/// Source of the rules: the published conversions between SentencePiece models, byte-pair tables and that library's files.
final class GgufTokenizer {
    private static final JsonMapper JSON = JsonMapper.builder().build();
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
    static Optional<byte[]> json(GgufMetadata values) {
        GgufTokenizer tokenizer = new GgufTokenizer(values);
        String kind = values.text("tokenizer.ggml.model").orElse("");
        if (tokenizer.tokens.isEmpty()) {
            return Optional.empty();
        }
        Optional<ObjectNode> root = switch (kind) {
            case "gpt2" -> tokenizer.bytePairs();
            case "llama" -> Optional.of(tokenizer.sentencePiece());
            default -> Optional.empty();
        };
        return root.map(json -> JSON.writeValueAsString(json).getBytes(StandardCharsets.UTF_8));
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

    private Optional<ObjectNode> bytePairs() {
        return Splitting.of(values.text("tokenizer.ggml.pre").orElse("")).map(splitting -> {
            ObjectNode root = begun();
            if (splitting.composed) {
                root.putObject("normalizer").put("type", "NFC");
            }
            ArrayNode steps = root.putObject("pre_tokenizer").put("type", "Sequence").putArray("pretokenizers");
            if (splitting.singleDigits) {
                steps.addObject().put("type", "Digits").put("individual_digits", true);
            }
            if (!splitting.pattern.isEmpty()) {
                ObjectNode split = steps.addObject().put("type", "Split");
                split.putObject("pattern").put("Regex", splitting.pattern);
                split.put("behavior", "Isolated").put("invert", false);
            }
            bytes(steps.addObject(), splitting.pattern.isEmpty());
            bytes(root.putObject("decoder"), true);
            ObjectNode model = model(root, false);
            model.putNull("unk_token").put("byte_fallback", false).put("ignore_merges", splitting.wholeWords);
            ArrayNode merges = model.putArray("merges");
            values.texts("tokenizer.ggml.merges").forEach(merges::add);
            return root;
        });
    }

    private static void bytes(ObjectNode step, boolean words) {
        step.put("type", "ByteLevel").put("add_prefix_space", false).put("trim_offsets", true).put("use_regex", words);
    }

    /// Pieces with scores: two pieces merge if their whole is a piece, the best score first.
    private ObjectNode sentencePiece() {
        ObjectNode root = begun();
        ArrayNode steps = root.putObject("normalizer").put("type", "Sequence").putArray("normalizers");
        boolean blankFirst = values.flag("tokenizer.ggml.add_space_prefix", true);
        if (blankFirst) {
            steps.addObject().put("type", "Prepend").put("prepend", BLANK);
        }
        replace(steps.addObject(), " ", BLANK);
        ArrayNode decoders = root.putObject("decoder").put("type", "Sequence").putArray("decoders");
        replace(decoders.addObject(), BLANK, " ");
        decoders.addObject().put("type", "ByteFallback");
        decoders.addObject().put("type", "Fuse");
        if (blankFirst) {
            decoders.addObject().put("type", "Strip").put("content", " ").put("start", 1).put("stop", 0);
        }
        ObjectNode model = model(root, true);
        int unknown = (int) values.whole("tokenizer.ggml.unknown_token_id").orElse(0);
        model.put("unk_token", unknown >= 0 && unknown < tokens.size() ? tokens.get(unknown) : tokens.getFirst())
                .put("byte_fallback", true).put("ignore_merges", false);
        ArrayNode merges = model.putArray("merges");
        merges().forEach(merge -> merges.addArray().add(merge.left).add(merge.right));
        return root;
    }

    private static void replace(ObjectNode step, String from, String to) {
        step.put("type", "Replace").put("content", to);
        step.putObject("pattern").put("String", from);
    }

    private record Merge(String left, String right, double score) {}

    private List<Merge> merges() {
        double[] scores = values.numbers("tokenizer.ggml.scores");
        List<Merge> merges = new ArrayList<>();
        for (int id = 0; id < Math.min(tokens.size(), scores.length); id++) {
            String piece = tokens.get(id);
            for (int at = 1; at < piece.length(); at++) {
                String left = piece.substring(0, at);
                String right = piece.substring(at);
                if (ids.containsKey(left) && ids.containsKey(right)) {
                    merges.add(new Merge(left, right, scores[id]));
                }
            }
        }
        merges.sort(Comparator.comparingDouble((Merge merge) -> -merge.score)
                .thenComparing(merge -> -merge.left.length()).thenComparing(merge -> -merge.right.length()));
        return merges;
    }

    private ObjectNode begun() {
        ObjectNode root = JSON.createObjectNode().put("version", "1.0");
        root.putNull("truncation").putNull("padding");
        ArrayNode added = root.putArray("added_tokens");
        for (int id = 0; id < Math.min(tokens.size(), types.length); id++) {
            long type = types[id];
            if (type == CONTROL || type == USER_DEFINED) {
                added.addObject().put("id", id).put("content", tokens.get(id)).put("single_word", false)
                        .put("lstrip", false).put("rstrip", false).put("normalized", false)
                        .put("special", type == CONTROL);
            }
        }
        putBegin(root);
        return root;
    }

    /// The begin of sequence, where the model wants one before each text.
    private void putBegin(ObjectNode root) {
        long begin = values.whole("tokenizer.ggml.bos_token_id").orElse(-1);
        boolean wanted = values.flag("tokenizer.ggml.add_bos_token",
                values.text("tokenizer.ggml.model").filter("llama"::equals).isPresent());
        if (!wanted || begin < 0 || begin >= tokens.size()) {
            return;
        }
        String text = tokens.get((int) begin);
        ObjectNode template = root.putObject("post_processor").put("type", "TemplateProcessing");
        ArrayNode single = template.putArray("single");
        single.addObject().putObject("SpecialToken").put("id", text).put("type_id", 0);
        single.addObject().putObject("Sequence").put("id", "A").put("type_id", 0);
        template.putArray("pair");
        ObjectNode special = template.putObject("special_tokens").putObject(text).put("id", text);
        special.putArray("ids").add(begin);
        special.putArray("tokens").add(text);
    }

    private ObjectNode model(ObjectNode root, boolean fused) {
        ObjectNode model = root.putObject("model").put("type", "BPE").put("fuse_unk", fused);
        model.putNull("dropout").putNull("continuing_subword_prefix").putNull("end_of_word_suffix");
        ObjectNode vocabulary = model.putObject("vocab");
        for (int id = 0; id < tokens.size(); id++) {
            // Texts that stand twice keep their first id.
            if (!vocabulary.has(tokens.get(id))) {
                vocabulary.put(tokens.get(id), id);
            }
        }
        return model;
    }
}
