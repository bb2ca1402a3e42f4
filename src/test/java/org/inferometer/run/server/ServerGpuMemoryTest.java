package org.inferometer.run.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.inferometer.telemetry.GpuMonitor.GpuProcess;
import org.junit.jupiter.api.Test;

class ServerGpuMemoryTest {
    private static final List<List<GpuProcess>> GPUS =
            List.of(List.of(new GpuProcess(10, 100L), new GpuProcess(99, 7L)),
                    List.of(new GpuProcess(10, 20L), new GpuProcess(11, 3L), new GpuProcess(12, null)));

    @Test
    void memoryOfAllProcessesOnAllGpusIsAdded() {
        assertThat(ServerGpuMemory.bytes(GPUS, Set.of(10L, 11L, 12L))).isEqualTo(OptionalLong.of(123));
    }

    @Test
    void unknownIsNotZero() {
        assertThat(ServerGpuMemory.bytes(GPUS, Set.of(12L))).isEmpty();
        assertThat(ServerGpuMemory.bytes(GPUS, Set.of(5L))).isEmpty();
        assertThat(ServerGpuMemory.bytes(List.of(), Set.of(10L))).isEmpty();
    }
}
