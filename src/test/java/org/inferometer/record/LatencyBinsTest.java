package org.inferometer.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyBinsTest {
    @Test
    void everyLatencyLiesBetweenTheEdgesOfItsBin() {
        for (long nanos = 10_001; nanos < 100_000_000_000L; nanos += nanos / 37 + 1) {
            int bin = LatencyBins.of(nanos);
            assertThat((double) nanos).isBetween(LatencyBins.edge(bin) - 1, LatencyBins.edge(bin + 1) + 1);
        }
    }

    @Test
    void theOutermostBinsTakeWhatLiesBeyond() {
        assertThat(LatencyBins.of(-5)).isZero();
        assertThat(LatencyBins.of(1)).isZero();
        assertThat(LatencyBins.of(Long.MAX_VALUE)).isEqualTo(LatencyBins.COUNT - 1);
    }
}
