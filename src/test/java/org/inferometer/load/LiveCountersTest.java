package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveCountersTest {
    @Test
    void theWorstLatenessIsTakenOnce() {
        LiveCounters counters = new LiveCounters();
        assertThat(counters.takeLateNanos()).isEqualTo(-1);
        counters.requestSent(5);
        counters.requestSent(9);
        counters.requestSent(0);
        assertThat(counters.takeLateNanos()).isEqualTo(9);
        assertThat(counters.takeLateNanos()).isEqualTo(-1);
        counters.requestSent(0);
        assertThat(counters.takeLateNanos()).isZero();
    }
}
