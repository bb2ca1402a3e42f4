package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.inferometer.record.Phase;
import org.inferometer.target.WordTokenizer;
import org.inferometer.units.Seed;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

/// How far a phase is.
class RunPhaseTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void aPhaseOfACountIsAsFarAsItsRequests() {
        RunPhase phase = new RunPhase(Phase.MEASURE, requests(20), new ArrivalProcess.ClosedLoop(2));
        assertThat(phase.total()).isEqualTo(20);
        assertThat(phase.share(5, 900 * SECOND)).isEqualTo(0.25);
        assertThat(new RunPhase(Phase.WARM_UP, List.of(), new ArrivalProcess.ClosedLoop(2)).share(0, SECOND)).isZero();
    }

    @Test
    void aClosedLoopByTheClockIsAsFarAsItsTimeAndHasNoTotal() throws IOException {
        RunPhase phase = byTheClock(0);
        assertThat(phase.total()).isZero();
        assertThat(phase.share(2_500, 5 * SECOND)).isEqualTo(0.25);
        assertThat(phase.share(2_500, 25 * SECOND)).isEqualTo(1);
    }

    @Test
    void ofACountAndATimeTheOneThatIsFartherTells() throws IOException {
        RunPhase phase = byTheClock(100);
        assertThat(phase.total()).isEqualTo(100);
        assertThat(phase.share(90, 5 * SECOND)).isEqualTo(0.9);
        assertThat(phase.share(10, 15 * SECOND)).isEqualTo(0.75);
    }

    private static RunPhase byTheClock(int requests) throws IOException {
        WorkloadSpec basic = new WorkloadPresets().find("basic");
        WorkloadSpec spec = basic.withRequests(requests).withArrivals(new ArrivalProcess.ClosedLoop(4))
                .withRefinements(basic.refinements().withDuration(20 * SECOND));
        return RunPhase.measured(new WorkloadDraw(new WordTokenizer(512)).draw(spec, 0, new Seed(1)), spec);
    }

    private static List<Request> requests(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Request(new RequestId(i), new int[]{1}, 2, new Arrival.At(0), Sampling.GREEDY))
                .toList();
    }
}
