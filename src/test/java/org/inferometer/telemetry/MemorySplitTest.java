package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.inferometer.record.MemoryOwner;
import org.junit.jupiter.api.Test;

class MemorySplitTest {
    private static MemoryAccount books(long weights, long kv, long activations, long workspace) {
        Map<MemoryOwner, Long> bytes = Map.of(MemoryOwner.WEIGHTS, weights, MemoryOwner.KV_CACHE, kv,
                MemoryOwner.ACTIVATIONS, activations, MemoryOwner.WORKSPACE, workspace, MemoryOwner.JAVA_RUNTIME, 3L);
        return bytes::get;
    }

    @Test
    void whatTheBooksDoNotExplainIsUnattributed() {
        assertThat(MemorySplit.of(books(50, 20, 10, 5), 100)).containsExactly(50, 20, 10, 5, 3, 12);
    }

    @Test
    void weightsThatAreNotResidentAreCutFirst() {
        assertThat(MemorySplit.of(books(500, 20, 10, 5), 100)).containsExactly(62, 20, 10, 5, 3, 0);
    }

    @Test
    void untouchedPoolsAreCutNext() {
        assertThat(MemorySplit.of(books(500, 200, 10, 5), 100)).containsExactly(0, 85, 10, 5, 0, 0);
    }

    @Property(tries = 500)
    void partsAlwaysAddUpToTheTotal(@ForAll @LongRange(min = -5, max = 1L << 50) long weights,
            @ForAll @LongRange(max = 1L << 50) long kv, @ForAll @LongRange(max = 1L << 50) long activations,
            @ForAll @LongRange(max = 1L << 50) long total) {
        long[] parts = MemorySplit.of(books(weights, kv, activations, 1), total);
        assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
        assertThat(Arrays.stream(parts)).allMatch(part -> part >= 0);
    }
}
