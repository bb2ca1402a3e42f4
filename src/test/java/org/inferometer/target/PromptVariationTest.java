package org.inferometer.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromptVariationTest {
    @Test
    void idsAreExchangedOneForOne() {
        int[] all = IntStream.range(0, 1000).toArray();
        int[] varied = PromptVariation.of(7, 1000).of(all);
        assertThat(varied).isNotEqualTo(all);
        assertThat(Arrays.stream(varied).sorted().toArray()).isEqualTo(all);
        assertThat(PromptVariation.of(7, 1000).of(all)).isEqualTo(varied);
    }

    @Test
    void runsDifferFromTheFirstWordsOn() {
        int[] prompt = {3, 1, 4, 1, 5, 9, 2, 6};
        WordTokenizer words = new WordTokenizer(32_000);
        long different = IntStream.range(0, 200)
                .mapToObj(seed -> words.decode(PromptVariation.of(seed, 32_000).of(prompt))).distinct().count();
        assertThat(different).isEqualTo(200);
    }

    @Test
    void whatPromptsOfARunShareTheyShareStill() {
        PromptVariation run = PromptVariation.of(1, 256);
        assertThat(Arrays.copyOf(run.of(new int[]{5, 6, 7, 8}), 3))
                .isEqualTo(Arrays.copyOf(run.of(new int[]{5, 6, 7, 200}), 3));
    }

    @Test
    void idsBeyondTheVocabularyBeginAgain() {
        int[] drawn = {-1, 255, 256, 300};
        assertThat(PromptVariation.NONE.of(drawn)).isEqualTo(drawn);
        assertThat(PromptVariation.within(256).of(drawn)).containsExactly(-1, 255, 0, 44);
        assertThat(PromptVariation.of(1, 256).of(drawn))
                .isEqualTo(PromptVariation.of(1, 256).of(new int[]{-1, 255, 0, 44}));
    }
}
