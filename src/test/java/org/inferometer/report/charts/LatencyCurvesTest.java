package org.inferometer.report.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatencyCurvesTest {
    @Test
    void fewRanksAreAllDrawn() {
        assertThat(LatencyCurves.ranks(5)).containsExactly(0, 1, 2, 3, 4);
        assertThat(LatencyCurves.ranks(0)).isEmpty();
    }

    @Test
    void manyRanksKeepBothEndsAndEqualSteps() {
        int n = 1_000_003;
        int[] ranks = LatencyCurves.ranks(n);
        assertThat(ranks).hasSize(LatencyCurves.MOST_RANKS).isSorted();
        assertThat(Arrays.copyOf(ranks, LatencyCurves.TAIL))
                .containsExactly(IntStream.range(0, LatencyCurves.TAIL).toArray());
        assertThat(Arrays.copyOfRange(ranks, ranks.length - LatencyCurves.TAIL, ranks.length))
                .containsExactly(IntStream.range(n - LatencyCurves.TAIL, n).toArray());
        assertThat(IntStream.range(1, ranks.length).map(i -> ranks[i] - ranks[i - 1]).max().orElse(0)).isBetween(16,
                19);
        assertThat(Arrays.stream(ranks).distinct().count()).isEqualTo(ranks.length);
    }

}
