package org.inferometer.ui.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.inferometer.units.Clock;
import org.junit.jupiter.api.Test;

class ProcessorShareTest {
    private final long[] nanos = {1_000_000_000L};
    private final Duration[] cpu = {Duration.ofSeconds(3)};
    private final ProcessorShare share = new ProcessorShare(new Clock() {
        @Override
        public long nanos() {
            return nanos[0];
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    }, () -> cpu[0]);

    @Test
    void eachReadingCountsFromTheOneBefore() {
        nanos[0] += 1000;
        assertThat(share.read()).isEmpty();
        nanos[0] += 4_999_999_000L;
        cpu[0] = cpu[0].plusMillis(60);
        assertThat(share.read()).hasValue(1.2);
        nanos[0] += 1_000_000_000L;
        assertThat(share.read()).hasValue(0);
    }

    @Test
    void unknownCpuTimeIsNoShare() {
        cpu[0] = Duration.ZERO;
        nanos[0] += 5_000_000_000L;
        assertThat(share.read()).isEmpty();
    }
}
