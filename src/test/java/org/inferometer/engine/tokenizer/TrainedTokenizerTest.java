package org.inferometer.engine.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.inferometer.engine.files.EngineFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainedTokenizerTest {
    private static final PublishedTokenizer PUBLISHED = new PublishedTokenizer();

    @TempDir
    Path folder;

    private TrainedTokenizer tokenizer(String json, int vocabulary) throws IOException {
        return new TrainedTokenizer(Files.writeString(folder.resolve("tokenizer.json"), json), vocabulary);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"the other in the inn", "Grüße, 中文 ~!", "a\n\tb  c", "", "\u0000\u007f", "🙂 family 👨‍👩‍👧"})
    void textIsEncodedByThePublishedRulesAndComesBack(String text) throws IOException {
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), PUBLISHED.size())) {
            assertThat(tokenizer.decode(tokenizer.encodeRendered(text))).isEqualTo(text);
            int[] ids = tokenizer.encode(text);
            assertThat(ids).startsWith(PUBLISHED.begin());
            assertThat(Arrays.copyOfRange(ids, 1, ids.length)).isEqualTo(tokenizer.encodeRendered(text));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"the other in the inn", "in thou", "Then the hen", "中文"})
    void pairsMergeInTheOrderOfTheirTable(String text) throws IOException {
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), PUBLISHED.size())) {
            assertThat(tokenizer.encodeRendered(text)).isEqualTo(PUBLISHED.encode(text));
        }
    }

    @Test
    void specialTokensInATextAreTokens() throws IOException {
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), PUBLISHED.size())) {
            assertThat(tokenizer.encodeRendered("a" + PublishedTokenizer.END)).containsExactly('a', PUBLISHED.end());
            assertThat(tokenizer.decode(new int[]{'a', PUBLISHED.end()})).isEqualTo("a" + PublishedTokenizer.END);
        }
    }

    @Test
    void longTextsAreNotCut() throws IOException {
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), PUBLISHED.size())) {
            assertThat(tokenizer.encodeRendered("x".repeat(20_000))).hasSize(20_000);
        }
    }

    @Test
    void tokenizersOfAnotherModelAreNotUsed() throws IOException {
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), 256)) {
            assertThat(tokenizer.encodeRendered("abc")).hasSize(3);
            assertThatThrownBy(() -> tokenizer.encodeRendered("the")).rootCause()
                    .hasMessage("The tokenizer made the token 257, the model has 256. It belongs to another model.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{}", "null", "[1]", "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":-1},\"merges\":[]}}"})
    void brokenFilesAreOneSentence(String json) {
        assertThatThrownBy(
                () -> TrainedTokenizer.check(json.getBytes(StandardCharsets.UTF_8), folder.resolve("x.gguf")))
                .isInstanceOf(EngineFormatException.class).hasMessageContaining("x.gguf")
                .hasMessageContaining("The tokenizer cannot be loaded: ");
    }

    @Test
    void streamedTextHasWholeCharacters() throws IOException {
        String text = "the 中文 in 🙂 thou";
        try (TrainedTokenizer tokenizer = tokenizer(PUBLISHED.json(), PUBLISHED.size())) {
            TextStream stream = new TextStream(tokenizer);
            StringBuilder shown = new StringBuilder();
            for (int id : tokenizer.encodeRendered(text)) {
                String next = stream.next(id);
                assertThat(next).doesNotContain("\uFFFD");
                shown.append(next);
            }
            assertThat(shown.append(stream.rest())).hasToString(text);
        }
    }

    @Test
    void brokenCharactersAreShownAtTheEnd() {
        TextStream stream = new TextStream(new ByteTokenizer(256));
        assertThat(stream.next('a')).isEqualTo("a");
        assertThat(stream.next(0xE4)).isEmpty();
        assertThat(stream.rest()).isEqualTo("\uFFFD");
        assertThat(stream.rest()).isEmpty();
        TextStream endless = new TextStream(new ByteTokenizer(256));
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            shown.append(endless.next(0x80));
        }
        assertThat(shown).hasSizeGreaterThan(80);
    }
}
