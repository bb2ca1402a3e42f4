package org.inferometer.engine.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ByteTokenizerTest {
    private final ByteTokenizer tokenizer = new ByteTokenizer(512);

    @Test
    void tokensAreTheBytesOfUtf8() {
        assertThat(tokenizer.encode("aé€")).containsExactly(0x61, 0xC3, 0xA9, 0xE2, 0x82, 0xAC);
        assertThat(tokenizer.encode("")).isEmpty();
    }

    @Property(tries = 200, seed = "42")
    void textComesBack(@ForAll String text) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(tokenizer.decode(tokenizer.encode(text))).isEqualTo(whole);
    }

    @Test
    void idsThatStandForNoTextShowAsReplacement() {
        assertThat(tokenizer.decode(new int[]{'a', 256, 511, -1, 'b'})).isEqualTo("a\uFFFD\uFFFD\uFFFDb");
        assertThat(tokenizer.decode(new int[]{0xFF, 'x'})).isEqualTo("\uFFFDx");
    }

    @Test
    void halfASurrogatePairDoesNotFail() {
        assertThat(tokenizer.encode("\ud800")).containsExactly('?');
    }

    @Test
    void aVocabularyWithoutRoomForBytesIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new ByteTokenizer(255));
    }
}
