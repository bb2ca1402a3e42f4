package org.inferometer.execution.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PoolBlocksTest {
    @Test
    void blocksAreSharedOutWithoutLosingAny() {
        assertThat(PoolBlocks.split(10, List.of(1.0))).containsExactly(10);
        assertThat(PoolBlocks.split(11, List.of(0.5, 0.5))).containsExactly(6, 5);
        assertThat(PoolBlocks.split(100, List.of(1 / 3.0, 1 / 3.0, 1 / 3.0))).containsExactly(33, 34, 33);
        assertThat(PoolBlocks.split(1, List.of(0.3, 0.3, 0.4))).containsExactly(0, 1, 0);
    }
}
