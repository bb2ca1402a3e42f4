package org.inferometer.engine.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The native library ends the process at these files, or runs without end: they never reach it.
class TokenizerPartsTest {
    private static final String MODEL = """
            "model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": []}}""";

    private static byte[] file(String parts) {
        return ("{\"version\": \"1.0\", " + parts + ", " + MODEL).getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
            "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}",
            "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*",
            " ?[^(\\s|[.,!?])]+", "\\p{N}{1,3}(?=(?:\\p{N}{3})(?!\\p{N}))", "[0-9][0-9][0-9]", " {2,}"})
    void publishedPatternsAreBounded(String pattern) {
        assertThat(SplitPattern.isBounded(pattern)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a+)+b", "(a|a)*b", "a*a*b", "a*a*a*", "(?:a{1,1000}){1,1000}b", "(a*)\\1", "(a?){100}b",
            "a**", "(a", "[a", "(?<x>a)\\k<x>", "(?R)", "a{1,99999999999}", "\\p{L", "(?=a*a*b)c*", "a{0,16}a{0,16}b",
            "(?:a{1,3}+)b", "a{3}?", "[[:x:](?:a|a)]", "[](?:a|a)]"})
    void patternsThatMayTakeLongAreNotBounded(String pattern) {
        assertThat(SplitPattern.isBounded(pattern)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?:a|a)", "a?", "(?=a|a)"})
    void choicesInARowAreNotBounded(String choice) {
        assertThat(SplitPattern.isBounded(choice.repeat(30) + "b")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "^", "(?!\\S)", "a?", "a|", "a{0,3}", "\\b", "(?:a?|b)"})
    void patternsThatMatchNothingAreNotBounded(String pattern) {
        assertThat(SplitPattern.isBounded(pattern)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
            "\"normalizer\": {\"type\": \"Precompiled\", \"precompiled_charsmap\": \"\"}; The normalizer of the tokenizer has a step of the type \"Precompiled\", which is not supported.",
            "\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"aaaaaaaa\"}, {\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"aaaaaaaaa\"}]}; The normalizer of the tokenizer can make a text more than 64 times longer.",
            "\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": {\"id\": \"q\", \"type_id\": 0}}, {\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}], \"pair\": [], \"special_tokens\": {}}; The post_processor of the tokenizer does not describe the special token \"q\".",
            "\"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": \"(a+)+b\"}, \"behavior\": \"Isolated\", \"invert\": false}; The pre_tokenizer of the tokenizer has a pattern that may take too long or match an empty string: (a+)+b.",
            "\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"Sequence\": {\"id\": \"B\", \"type_id\": 0}}], \"pair\": [], \"special_tokens\": {}}; The post_processor of the tokenizer has a template that does not take exactly one text.",
            "\"post_processor\": {\"type\": \"Sequence\", \"processors\": [{\"type\": \"TemplateProcessing\", \"single\": [{\"Sequence\": {\"id\": \"A\", \"type_id\": 0}}], \"pair\": [], \"special_tokens\": {}}, {\"type\": \"ByteLevel\"}]}; The post_processor of the tokenizer has a step after \"TemplateProcessing\", which is not supported.",
            "\"decoder\": {\"type\": \"Strip\", \"content\": \"a\", \"start\": 0, \"stop\": 1}; The decoder of the tokenizer strips the end of tokens, which is not supported.",
            "\"normalizer\": {\"type\": \"Strip\", \"strip_left\": true, \"strip_right\": false}; The normalizer of the tokenizer has a step of the type \"Strip\", which is not supported.",
            "\"normalizer\": {\"type\": \"Replace\", \"pattern\": {\"Regex\": \"^\"}, \"content\": \"x\"}; The normalizer of the tokenizer lacks the string \"String\".",
            "\"normalizer\": {\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"\"}; The normalizer of the tokenizer lacks the string \"content\".",
            "\"normalizer\": {\"type\": \"Prepend\", \"prepend\": \"\"}; The normalizer of the tokenizer lacks the string \"prepend\".",
            "\"pre_tokenizer\": {\"type\": \"Metaspace\", \"replacement\": \"a\"}; The pre_tokenizer of the tokenizer replaces spaces with another character than \"\u2581\", which is not supported.",
            "\"added_tokens\": {}; The added_tokens of the tokenizer are not a list.",
            "\"added_tokens\": [{\"id\": 0, \"content\": \"\"}]; The added token \"\" is empty or a single word, which is not supported.",
            "\"added_tokens\": [{\"id\": 0, \"content\": \"\\n\", \"lstrip\": true, \"rstrip\": true, \"normalized\": false}]; strips the white space beside it, which another token or the normalizer changes.",
            "\"added_tokens\": [{\"id\": 0, \"content\": \"A\", \"lstrip\": true, \"normalized\": true}], \"normalizer\": {\"type\": \"NFC\"}; The added token \"A\" strips the white space beside it, which another token or the normalizer changes.",
            "\"decoder\": null, \"decoder\": {\"type\": \"Fuse\"}; The tokenizer has \"decoder\" twice.",
            "\"decoder\": {\"type\": \"Unknown\"}; The decoder of the tokenizer has a step of the type \"Unknown\", which is not supported."})
    void stepThatEndsTheProcessIsRefused(String parts, String sentence) {
        assertThatThrownBy(() -> TrainedTokenizer.check(file(parts), Path.of("tokenizer.json")))
                .isInstanceOf(EngineFormatException.class).hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`',
            value = {"\"continuing_subword_prefix\": \"##\"; continuing_subword_prefix",
                    "\"end_of_word_suffix\": \"b\"; end_of_word_suffix", "\"dropout\": 0.5; dropout",
                    "\"type\": \"WordPiece\"; type", "\"vocab\": [[\"a\", 0.0]]; vocab",
                    "\"merges\": [], \"merges\": []; merges", "\"unk_id\": 0; unk_id"})
    void modelsThatAreNoPlainPairTablesAreRefused(String field, String name) {
        byte[] json = ("{\"version\": \"1.0\", \"model\": {" + field + "}}").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> TrainedTokenizer.check(json, Path.of("tokenizer.json")))
                .hasMessageContaining("The model of the tokenizer is not supported: \"" + name
                        + "\" differs from that of a byte-pair table.");
    }

    /// As chat models have them: a role strips the white space behind it.
    @Test
    void tokensThatTakeWhiteSpaceAreReadBesideOthers() throws IOException, EngineFormatException {
        byte[] json = file("""
                "added_tokens": [
                  {"id": 2, "content": "<|user|>", "single_word": false, "lstrip": false, "rstrip": true, "normalized": false,
                   "special": true},
                  {"id": 3, "content": "<s>", "single_word": false, "lstrip": true, "rstrip": false, "normalized": false,
                   "special": true}],
                "normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "\u2581"},
                  {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
                "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"},
                  {"type": "Strip", "content": " ", "start": 1, "stop": 0}]}""");
        TrainedTokenizer.check(json, Path.of("tokenizer.json"));
        assertThat(TrainedTokenizer.encode(json, 4, "a <|user|> \n <s><|user|>b")).containsExactly(0, 2, 3, 2, 1);
    }

    @Test
    void knownStepsReachTheLibrary() {
        assertThatCode(() -> TrainedTokenizer.check(file("""
                "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
                "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                  {"type": "Split", "pattern": {"Regex": "\\\\s+(?!\\\\S)|\\\\s+"}, "behavior": "Isolated", "invert": false},
                  {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false}]},
                "post_processor": null, "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true,
                  "use_regex": true}"""), Path.of("tokenizer.json"))).doesNotThrowAnyException();
    }
}
