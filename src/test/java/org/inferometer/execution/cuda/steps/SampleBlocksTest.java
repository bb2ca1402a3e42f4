package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import org.inferometer.execution.cuda.steps.TokenSampler.SampleBlocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleBlocksTest {
    @ParameterizedTest
    @CsvSource({"1, 75", "2, 75", "4, 66", "16, 16", "64, 4", "100, 2", "133, 1", "256, 1"})
    void fewRowsFillTheGpu(int rows, int blocks) {
        assertThat(new SampleBlocks(132, 151_936).of(rows)).isEqualTo(blocks);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2048, 1", "2049, 2", "50257, 25"})
    void smallVocabulariesTakeFewBlocks(int vocabulary, int blocks) {
        assertThat(new SampleBlocks(132, vocabulary).of(1)).isEqualTo(blocks);
    }

    @Test
    void scratchMemoryHoldsEveryNumberOfRows() {
        SampleBlocks blocks = new SampleBlocks(132, 151_936);
        assertThat(blocks.most(1)).isEqualTo(75);
        assertThat(blocks.most(4)).isEqualTo(264);
        assertThat(blocks.most(300)).isEqualTo(300);
    }
}
