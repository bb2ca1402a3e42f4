package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.record.EngineEvent;
import org.inferometer.record.RunEvent;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class EngineEventsTest {
    @Test
    void admissionsAndPreemptionsAreFoundInTheirOrder() {
        assertThat(EngineEvents.of(List.of(new RunEvent(1, "phase", "measure", "9 requests"),
                new RunEvent(2, "admitted", "7", "lane=1 cached=32"), new RunEvent(3, "preempted", "7", "41"),
                new RunEvent(4, "moved", "7", "from=0 to=1 positions=5 bytes=6 nanos=7"),
                new RunEvent(5, "readmitted", "7", "lane=0 cached=16"))))
                .containsExactly(new EngineEvent.Admitted(new RequestId(7), 2, false, 32),
                        new EngineEvent.Preempted(new RequestId(7), 3, 41),
                        new EngineEvent.Admitted(new RequestId(7), 5, true, 16));
    }

    @Test
    void peaksOfMemoryThatAToolTellsAreFoundByItsNames() {
        assertThat(EngineEvents.of(List.of(new RunEvent(1, "gauge", "peak_gpu_memory_bytes", Double.toString(1 << 30)),
                new RunEvent(2, "gauge", "peak_unified_memory_bytes", "5.36870912E8"),
                new RunEvent(3, "gauge", "peak_cpu_memory_bytes", "1024"),
                new RunEvent(4, "gauge", "peak_gpu_memory_bytes", "NaN"),
                new RunEvent(4, "gauge", "peak_gpu_memory_bytes", "-1.0"),
                new RunEvent(4, "gauge", "peak_gpu_memory_bytes", "1.0E60"),
                new RunEvent(5, "gauge", "vllm:num_requests_running", "3.0"))))
                .containsExactly(new EngineEvent.MemoryPeak(1, false, 1 << 30),
                        new EngineEvent.MemoryPeak(2, false, 1 << 29), new EngineEvent.MemoryPeak(3, true, 1024));
    }

    @Test
    void detailsThatDoNotFitTellNothing() {
        assertThat(EngineEvents.of(List.of(new RunEvent(1, "admitted", "", "lane=0 cached=0"),
                new RunEvent(1, "admitted", "-3", "lane=0 cached=0"), new RunEvent(1, "admitted", "3", "lane=0"),
                new RunEvent(1, "admitted", "3", "cached=-1"), new RunEvent(1, "admitted", "3", "cached=99999999999"),
                new RunEvent(1, "preempted", "3", "many"), new RunEvent(1, "preempted", "3", "99999999999"),
                new RunEvent(1, "preempted", "9999999999", "1")))).isEmpty();
    }
}
