package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.target.NullTarget;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private final Clock clock = new SystemClock();

    @Test
    void anOpenLoopIntendsExactlyWhatWasDrawnAndNeverSendsEarly() {
        List<RequestOutcome> ended = drive(new ArrivalProcess.Poisson(500), i -> new Arrival.At(2_000_000L * i), 50);
        long first = ended.getFirst().intendedNanos();
        assertThat(ended).extracting(request -> request.intendedNanos() - first)
                .containsExactlyElementsOf(IntStream.range(0, 50).mapToObj(i -> 2_000_000L * i).toList());
        assertThat(ended).allMatch(request -> request.sentNanos() >= request.intendedNanos());
    }

    @Test
    void closedLoopIntendsTheInstantASlotIsFree() {
        List<RequestOutcome> ended = drive(new ArrivalProcess.ClosedLoop(4), i -> new Arrival.WhenFree(0), 200);
        assertThat(ended).hasSize(200);
        for (RequestOutcome request : ended) {
            long inFlight = ended.stream()
                    .filter(other -> other.sentNanos() <= request.sentNanos() && other.endNanos() > request.sentNanos())
                    .count();
            assertThat(inFlight).isBetween(1L, 4L);
        }
        List<Long> ends = ended.stream().map(RequestOutcome::endNanos).toList();
        assertThat(ended.subList(4, 200)).allMatch(request -> ends.contains(request.intendedNanos()));
    }

    private List<RequestOutcome> drive(ArrivalProcess arrivals, java.util.function.IntFunction<Arrival> arrival,
            int count) {
        List<Request> requests = IntStream.range(0, count)
                .mapToObj(i -> new Request(new RequestId(i), new int[]{1}, 2, arrival.apply(i), Sampling.GREEDY))
                .toList();
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, arrivals);
        List<RequestOutcome> ended = new ArrayList<>();
        LoadGenerator generator = new LoadGenerator(clock, new AtomicBoolean());
        RequestRecorder recorder = new RequestRecorder(phase, new LiveCounters(), outcome -> {
            ended.add(outcome);
            generator.requestEnded(outcome.id(), outcome.endNanos(), outcome.status());
        });
        try (Target target = NullTarget.start(clock, recorder)) {
            assertThat(generator.run(phase, target, recorder)).isTrue();
        }
        return ended;
    }
}
