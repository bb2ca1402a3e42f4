package org.inferometer.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.benchmark.RunEvent;
import org.inferometer.measurement.EngineEvent;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class EngineEventsTest {
    @Test
    void admissionsAndPreemptionsAreFoundInTheirOrder() {
        assertThat(EngineEvents.of(List.of(
                        new RunEvent(1, "phase", "measure", "9 requests"),
                        new RunEvent(2, "admitted", "7", "lane=1 cached=32"),
                        new RunEvent(3, "preempted", "7", "41"),
                        new RunEvent(4, "moved", "7", "from=0 to=1 positions=5 bytes=6 nanos=7"),
                        new RunEvent(5, "readmitted", "7", "lane=0 cached=16"))))
                .containsExactly(
                        new EngineEvent.Admitted(new RequestId(7), 2, false, 32),
                        new EngineEvent.Preempted(new RequestId(7), 3, 41),
                        new EngineEvent.Admitted(new RequestId(7), 5, true, 16));
    }

    @Test
    void detailsThatDoNotFitTellNothing() {
        assertThat(EngineEvents.of(List.of(
                        new RunEvent(1, "admitted", "", "lane=0 cached=0"),
                        new RunEvent(1, "admitted", "-3", "lane=0 cached=0"),
                        new RunEvent(1, "admitted", "3", "lane=0"),
                        new RunEvent(1, "admitted", "3", "cached=-1"),
                        new RunEvent(1, "admitted", "3", "cached=99999999999"),
                        new RunEvent(1, "preempted", "3", "many"),
                        new RunEvent(1, "preempted", "3", "99999999999"),
                        new RunEvent(1, "preempted", "9999999999", "1"))))
                .isEmpty();
    }
}
