package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelPartsTest {
    private static final int STRIDE = ParallelParts.STRIDE;

    /// Reads a part; how many rows it read before it was to end.
    private static long rows(ParallelParts together, int ofPart) {
        return IntStream.rangeClosed(1, ofPart).takeWhile(together::goOn).count();
    }

    @Test
    void rowsOfAllPartsCountAgainstOneLimit() {
        ParallelParts together = new ParallelParts(3 * STRIDE);
        assertThat(rows(together, 2 * STRIDE)).isEqualTo(2 * STRIDE);
        assertThat(rows(together, STRIDE)).isEqualTo(STRIDE);
        assertThat(together.stopped()).isFalse();
        assertThat(rows(together, 5 * STRIDE)).isEqualTo(STRIDE - 1);
        assertThat(together.stopped()).isTrue();
    }

    @Test
    void faultOfOnePartEndsTheOthers() {
        ParallelParts together = new ParallelParts(Long.MAX_VALUE);
        assertThat(together.goOn(1)).isTrue();
        together.stop();
        assertThat(together.goOn(2)).isFalse();
    }
}
