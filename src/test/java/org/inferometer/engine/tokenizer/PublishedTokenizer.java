package org.inferometer.engine.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A small byte-pair tokenizer as GPT-2 published it: `tokenizer.json`, and an encoding by the published rules.
///
/// Bytes are ids 0 to 255 in the order of their letters' table; merges follow; the last two are special.
public final class PublishedTokenizer {
    public static final List<String[]> MERGES = List.of(pair("t", "h"), pair("th", "e"), pair("Ġ", "the"),
            pair("i", "n"), pair("o", "u"), pair("ä", "¸"), pair("Ġ", "in"));
    public static final String BEGIN = "<|begin|>";
    public static final String END = "<|end|>";

    private final Map<String, Integer> vocabulary = new LinkedHashMap<>();
    private final char[] letters = new char[256];

    public PublishedTokenizer() {
        int shifted = 0;
        for (int b = 0; b < 256; b++) {
            boolean shown = b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE;
            letters[b] = (char) (shown ? b : 256 + shifted++);
            vocabulary.put(String.valueOf(letters[b]), b);
        }
        MERGES.forEach(merge -> vocabulary.put(merge[0] + merge[1], vocabulary.size()));
    }

    private static String[] pair(String left, String right) {
        return new String[]{left, right};
    }

    /// The texts of all ids.
    public List<String> tokens() {
        List<String> tokens = new ArrayList<>(vocabulary.keySet());
        tokens.addAll(List.of(BEGIN, END));
        return tokens;
    }

    /// Ids with the special ones.
    public int size() {
        return vocabulary.size() + 2;
    }

    public int begin() {
        return vocabulary.size();
    }

    public int end() {
        return vocabulary.size() + 1;
    }

    /// Words are letters, digits or others with the blank before them; the pairs of a word merge in the order of the table.
    public int[] encode(String text) {
        List<Integer> ids = new ArrayList<>();
        for (String word : text.split("(?=(?<! ) )|(?<=\\pL)(?=[^\\pL])|(?<=[^\\pL ])(?=\\pL)")) {
            List<String> parts = new ArrayList<>();
            for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
                parts.add(String.valueOf(letters[Byte.toUnsignedInt(b)]));
            }
            for (String[] merge : MERGES) {
                for (int i = 0; i + 1 < parts.size(); i++) {
                    if (parts.get(i).equals(merge[0]) && parts.get(i + 1).equals(merge[1])) {
                        parts.set(i, merge[0] + merge[1]);
                        parts.remove(i + 1);
                    }
                }
            }
            parts.forEach(part -> ids.add(vocabulary.get(part)));
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /// The text of `tokenizer.json`; a text begins with the special token [#BEGIN].
    public String json() {
        String words = vocabulary.entrySet().stream().map(entry -> quoted(entry.getKey()) + ":" + entry.getValue())
                .collect(Collectors.joining(","));
        String merges =
                MERGES.stream().map(merge -> quoted(merge[0] + " " + merge[1])).collect(Collectors.joining(","));
        String special = "{\"id\":%d,\"content\":\"%s\",\"single_word\":false,\"lstrip\":false,\"rstrip\":false,"
                + "\"normalized\":false,\"special\":true}";
        String bytes = "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true,\"use_regex\":true}";
        return "{\"version\":\"1.0\",\"truncation\":null,\"padding\":null,\"added_tokens\":["
                + special.formatted(begin(), BEGIN) + "," + special.formatted(end(), END)
                + "],\"normalizer\":null,\"pre_tokenizer\":" + bytes
                + ",\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\""
                + BEGIN
                + "\",\"type_id\":0}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],\"pair\":[],\"special_tokens\":{\""
                + BEGIN + "\":{\"id\":\"" + BEGIN + "\",\"ids\":[" + begin() + "],\"tokens\":[\"" + BEGIN
                + "\"]}}},\"decoder\":" + bytes
                + ",\"model\":{\"type\":\"BPE\",\"dropout\":null,\"unk_token\":null,\"continuing_subword_prefix\":\"\","
                + "\"end_of_word_suffix\":\"\",\"fuse_unk\":false,\"vocab\":{" + words + "},\"merges\":[" + merges
                + "]}}";
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
