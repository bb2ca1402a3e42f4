package org.inferometer.engine.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.inferometer.engine.EngineFormatException;
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
            "a**", "(a", "[a", "(?<x>a)\\k<x>", "(?R)", "a{1,99999999999}", "\\p{L", "(?=a*a*b)c*"})
    void patternsThatMayTakeLongAreNotBounded(String pattern) {
        assertThat(SplitPattern.isBounded(pattern)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '`', value = {
            "\"normalizer\": {\"type\": \"Precompiled\", \"precompiled_charsmap\": \"\"}; The normalizer of the tokenizer has a step of the type \"Precompiled\", which is not read.",
            "\"normalizer\": {\"type\": \"Sequence\", \"normalizers\": [{\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"aaaaaaaa\"}, {\"type\": \"Replace\", \"pattern\": {\"String\": \"a\"}, \"content\": \"aaaaaaaaa\"}]}; The normalizer of the tokenizer can make a text more than 64 times as long.",
            "\"post_processor\": {\"type\": \"TemplateProcessing\", \"single\": [{\"SpecialToken\": {\"id\": \"q\", \"type_id\": 0}}], \"pair\": [], \"special_tokens\": {}}; The post_processor of the tokenizer does not describe the special token \"q\".",
            "\"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": {\"Regex\": \"(a+)+b\"}, \"behavior\": \"Isolated\", \"invert\": false}; The pre_tokenizer of the tokenizer has a pattern that may take very long: (a+)+b.",
            "\"decoder\": null, \"decoder\": {\"type\": \"Fuse\"}; The tokenizer has \"decoder\" twice.",
            "\"decoder\": {\"type\": \"Unknown\"}; The decoder of the tokenizer has a step of the type \"Unknown\", which is not read."})
    void stepThatEndsTheProcessIsRefused(String parts, String sentence) {
        assertThatThrownBy(() -> TrainedTokenizer.check(file(parts), Path.of("tokenizer.json")))
                .isInstanceOf(EngineFormatException.class).hasMessageContaining(sentence);
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
