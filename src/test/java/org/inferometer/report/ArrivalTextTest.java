package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.workload.ArrivalProcess;
import org.junit.jupiter.api.Test;

class ArrivalTextTest {
    @Test
    void everyArrivalProcessHasAText() {
        List<String> written = List.of("closed:concurrency=8", "constant:rate=0.5", "poisson:rate=16",
                "gamma:rate=4,burstiness=0.5", "ramp:from=1,to=8,seconds=60",
                "ramp:from=1,to=8,seconds=60,gaps=constant", "trace:speed=1", "trace:speed=2", "offline");
        assertThat(written).extracting(text -> ArrivalText.of(ArrivalProcess.parse(text))).containsExactly(
                "Closed loop, 8 in flight", "Constant, 0.5 req/s", "Poisson, 16 req/s",
                "Gamma, 4 req/s, burstiness 0.5", "Ramp, 1 to 8 req/s in 60 s", "Ramp, 1 to 8 req/s in 60 s, even gaps",
                "Trace", "Trace, 2× speed", "Offline");
        assertThat(written).extracting(text -> text.replaceFirst(":.*", "")).as("all of them")
                .containsAll(ArrivalProcess.NAMES);
    }
}
