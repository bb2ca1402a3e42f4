package org.inferometer.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.MemoryUsage;
import org.junit.jupiter.api.Test;

class JavaRuntimeMemoryTest {
    @Test
    void heapCountsItsLargestUseThatIsStillCommitted() {
        assertThat(JavaRuntimeMemory.resident(usage(10, 100), usage(70, 100))).isEqualTo(70);
        assertThat(JavaRuntimeMemory.resident(usage(10, 40), usage(70, 100))).isEqualTo(40);
    }

    @Test
    void runtimeIsAPartOfTheProcess() {
        try (HostProcess process = HostProcess.open()) {
            assertThat(process.runtimeBytes()).isPositive().isLessThan(process.residentBytes());
        }
    }

    private static MemoryUsage usage(long used, long committed) {
        return new MemoryUsage(0, used, committed, 1000);
    }
}
