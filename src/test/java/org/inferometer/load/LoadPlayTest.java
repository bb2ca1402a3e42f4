package org.inferometer.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.inferometer.engine.tokenizer.Tokenizer;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.units.Seed;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LaterRequests;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestDeadlines;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.inferometer.workload.StopRule;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadDraw;
import org.inferometer.workload.WorkloadPresets;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The load generator in a time that is played, so that every instant can be said exactly. Phases begin at instant 1000.
class LoadPlayTest {
    private static final PlayedLoad.Answer TEN = new PlayedLoad.Answer(10, RequestStatus.OK);

    @Test
    void anOpenLoopSendsEachRequestAtItsInstantHoweverSlowTheTarget() {
        PlayedLoad load = new PlayedLoad(request -> new PlayedLoad.Answer(1_000_000, RequestStatus.OK));
        assertThat(load.play(open(request(0, new Arrival.At(0)), request(1, new Arrival.At(7)),
                request(2, new Arrival.At(7)), request(3, new Arrival.At(500))))).isTrue();
        assertThat(load.outcomes()).extracting(RequestOutcome::intendedNanos).containsExactly(1000L, 1007L, 1007L,
                1500L);
        assertThat(load.outcomes()).extracting(RequestOutcome::sentNanos).containsExactly(1000L, 1007L, 1007L, 1500L);
        assertThat(load.calls()).containsExactly("arrivals ended at 1500");
    }

    @Test
    void turnWaitsItsThinkTimeAndSessionKeepsItsSlot() {
        PlayedLoad load = new PlayedLoad(request -> TEN);
        assertThat(load.play(closed(1, request(0, new Arrival.WhenFree(0)), turn(1, 100), turn(2, 0),
                request(3, new Arrival.WhenFree(0)), turn(4, 5)))).isTrue();
        assertThat(load.outcomes()).extracting(RequestOutcome::intendedNanos).containsExactly(1000L, 1110L, 1120L,
                1130L, 1145L);
        assertThat(load.outcomes()).extracting(RequestOutcome::endNanos).containsExactly(1010L, 1120L, 1130L, 1140L,
                1155L);
        assertThat(load.mostInFlight()).isEqualTo(1);
        assertThat(load.calls()).containsExactly("arrivals ended at 1145");
    }

    @Test
    void turnsAfterAFailedTurnAreCancelledWithTheReason() {
        PlayedLoad load = new PlayedLoad(
                request -> request.id().index() == 1 ? new PlayedLoad.Answer(10, RequestStatus.FAILED) : TEN);
        assertThat(load.play(closed(1, request(0, new Arrival.WhenFree(0)), turn(1, 5), turn(2, 5), turn(3, 5),
                request(4, new Arrival.WhenFree(0))))).isTrue();
        RequestOutcome unsent = load.outcome(2);
        assertThat(unsent).usingRecursiveComparison().isEqualTo(
                new RequestOutcome(new RequestId(2), false, 1, 1, RequestOutcome.ABSENT, RequestOutcome.ABSENT,
                        RequestOutcome.ABSENT, RequestOutcome.ABSENT, 1025, RequestStatus.CANCELLED,
                        "Not sent: request 1, an earlier turn of its session, ended as failed.", new long[0]));
        assertThat(load.outcome(3).status()).isEqualTo(RequestStatus.CANCELLED);
        assertThat(load.outcome(4).intendedNanos()).isEqualTo(1025);
    }

    @Test
    void requestIsCancelledAtItsTimeoutAndCountsAsTimedOut() {
        PlayedLoad load = new PlayedLoad(
                request -> new PlayedLoad.Answer(request.id().index() == 0 ? 49 : 5_000, RequestStatus.OK));
        assertThat(load
                .play(open(patient(0, 0, new RequestDeadlines(50, 0)), patient(1, 20, new RequestDeadlines(50, 0)))))
                .isTrue();
        assertThat(load.outcome(0).status()).isEqualTo(RequestStatus.OK);
        assertThat(load.outcome(1)).extracting(RequestOutcome::endNanos, RequestOutcome::status, RequestOutcome::reason)
                .containsExactly(1070L, RequestStatus.TIMED_OUT, "Timed out after 0.0500 µs.");
        assertThat(load.calls()).containsExactly("arrivals ended at 1020", "cancel 1");
    }

    @Test
    void whoLosesPatienceBeforeTheTimeoutGaveUp() {
        PlayedLoad load = new PlayedLoad(request -> new PlayedLoad.Answer(5_000, RequestStatus.OK));
        load.play(open(patient(0, 0, new RequestDeadlines(50, 30)), patient(1, 0, new RequestDeadlines(30, 50)),
                patient(2, 0, new RequestDeadlines(30, 30))));
        assertThat(IntStream.range(0, 3).mapToObj(load::outcome)).extracting(RequestOutcome::status)
                .containsExactly(RequestStatus.GAVE_UP, RequestStatus.TIMED_OUT, RequestStatus.GAVE_UP);
        assertThat(load.outcome(0).reason()).isEqualTo("The user gave up after 0.0300 µs.");
        assertThat(load.outcome(1).reason()).isEqualTo("Timed out after 0.0300 µs.");
    }

    @Test
    void whoGivesUpOrTimesOutAsksNoLaterTurns() {
        PlayedLoad load = new PlayedLoad(request -> new PlayedLoad.Answer(5_000, RequestStatus.OK));
        load.play(open(patient(0, 0, new RequestDeadlines(0, 30)), turn(1, 0),
                patient(2, 0, new RequestDeadlines(40, 0)), turn(3, 0)));
        assertThat(load.outcome(1)).extracting(RequestOutcome::endNanos, RequestOutcome::status, RequestOutcome::reason)
                .containsExactly(1030L, RequestStatus.GAVE_UP,
                        "Not sent: request 0, an earlier turn of its session, ended as gave_up.");
        assertThat(load.outcome(3).reason())
                .isEqualTo("Not sent: request 2, an earlier turn of its session, ended as timed_out.");
    }

    @Test
    void nobodyWakesUpForThePatienceOfRequestsThatHaveEnded() {
        PlayedLoad load = new PlayedLoad(request -> TEN);
        load.play(open(IntStream.range(0, 100).mapToObj(i -> patient(i, 100L * i, new RequestDeadlines(1_000_000, 0)))
                .toArray(Request[]::new)));
        assertThat(load.nanos()).isEqualTo(1000 + 9_900 + 10);
        // One wait for each arrival but the first, one for each end.
        assertThat(load.pauses()).isEqualTo(199);
    }

    @Test
    void sendingStopsAfterTheDurationAndWhatIsInFlightIsAwaited() {
        PlayedLoad load = new PlayedLoad(request -> new PlayedLoad.Answer(30, RequestStatus.OK));
        List<Request> requests = IntStream.range(0, 1000).mapToObj(i -> request(i, new Arrival.WhenFree(0))).toList();
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, LaterRequests.NONE, new ArrivalProcess.ClosedLoop(2),
                100, List.of(), 0);
        assertThat(load.play(phase)).isTrue();
        assertThat(load.outcomes()).extracting(RequestOutcome::intendedNanos).containsExactly(1000L, 1000L, 1030L,
                1030L, 1060L, 1060L, 1090L, 1090L);
        assertThat(load.outcomes().getLast().endNanos()).isEqualTo(1120);
        assertThat(load.calls()).containsExactly("arrivals ended at 1100");
    }

    @Test
    void turnsThatWouldComeAfterTheDurationAreLeftOut() {
        PlayedLoad load = new PlayedLoad(request -> TEN);
        List<Request> requests =
                List.of(request(0, new Arrival.At(0)), turn(1, 70), turn(2, 20), request(3, new Arrival.At(85)));
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, LaterRequests.NONE, new ArrivalProcess.Poisson(1), 100,
                List.of(), 0);
        assertThat(load.play(phase)).isTrue();
        assertThat(load.outcomes()).extracting(RequestOutcome::intendedNanos).containsExactly(1000L, 1080L, 1085L);
        // The last turn would come at 1110: that is known when the turn before it ends.
        assertThat(load.calls()).containsExactly("arrivals ended at 1090");
    }

    @Test
    void tooManyFailuresStopThePhase() {
        List<Request> requests = IntStream.range(0, 200).mapToObj(i -> request(i, new Arrival.WhenFree(0))).toList();
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, LaterRequests.NONE, new ArrivalProcess.ClosedLoop(1), 0,
                List.of(), 0.1);
        PlayedLoad third = new PlayedLoad(
                request -> request.id().index() % 3 == 0 ? new PlayedLoad.Answer(10, RequestStatus.FAILED) : TEN);
        assertThat(third.play(phase)).isFalse();
        // At most 2 of 20 may fail: the third failure is request 6.
        assertThat(third.failure()).isEqualTo("Stopped: 3 of the first 7 requests failed, more than 10 %.");
        assertThat(third.outcomes()).hasSize(7);
        PlayedLoad tenth = new PlayedLoad(
                request -> request.id().index() % 10 == 9 ? new PlayedLoad.Answer(10, RequestStatus.FAILED) : TEN);
        assertThat(tenth.play(phase)).isTrue();
        assertThat(tenth.failure()).isEmpty();
    }

    @Test
    void aRunThatIsBrokenOffSendsNothingMore() {
        PlayedLoad load = new PlayedLoad(request -> TEN);
        load.cancelRunAt(1_250);
        assertThat(load.play(
                open(request(0, new Arrival.At(0)), request(1, new Arrival.At(200)), request(2, new Arrival.At(300)))))
                .isFalse();
        assertThat(load.outcomes()).hasSize(2);
    }

    @Test
    void closedLoopsByTheClockDrawOnAsLongAsTheyNeed() throws IOException {
        WorkloadSpec basic = new WorkloadPresets().find("basic").withRequests(0);
        WorkloadSpec spec = basic.withRefinements(basic.refinements().withDuration(30_000));
        Workload workload = new WorkloadDraw(new Bytes()).draw(spec, 2, new Seed(3));
        PlayedLoad load = new PlayedLoad(request -> TEN);
        assertThat(load.play(RunPhase.measured(workload, spec))).isTrue();
        // Eight slots, 3,000 turns of ten each.
        assertThat(load.outcomes()).extracting(each -> each.id().index())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(2, 24_002).boxed().toList());
    }

    @Test
    void aLoadByTheClockBeginsOnceWhatWasDrawnBeforeIsDrawnAgain(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("prompts"), "how are you");
        WorkloadSpec prompts = new WorkloadPresets().find("prompts:" + file).withRequests(0)
                .withArrivals(new ArrivalProcess.ClosedLoop(1));
        WorkloadSpec spec = prompts.withRefinements(prompts.refinements().withDuration(50));
        PlayedLoad load = new PlayedLoad(request -> TEN);
        Bytes slow = new Bytes() {
            @Override
            public int[] encode(String text) {
                load.pass(300);
                return super.encode(text);
            }
        };
        Workload workload = new WorkloadDraw(slow).draw(spec, 0, new Seed(3));
        assertThat(load.play(RunPhase.measured(workload, spec))).isTrue();
        // The one prompt took its 300 before the phase, and takes them again to get at the requests after the thousandth.
        assertThat(load.outcomes()).extracting(RequestOutcome::intendedNanos).containsExactly(1600L, 1610L, 1620L,
                1630L, 1640L);
        assertThat(load.outcomes()).extracting(RequestOutcome::sentNanos).containsExactly(1600L, 1610L, 1620L, 1630L,
                1640L);
        assertThat(load.calls()).containsExactly("arrivals ended at 1650");
    }

    @Test
    void tenThousandSessionsAtOnceKeepTheirInstants() {
        List<Request> requests = new ArrayList<>();
        for (int session = 0; session < 10_000; session++) {
            requests.add(request(2 * session, new Arrival.WhenFree(0)));
            requests.add(turn(2 * session + 1, session));
        }
        PlayedLoad load = new PlayedLoad(request -> TEN);
        assertThat(load.play(closed(10_000, requests.toArray(Request[]::new)))).isTrue();
        assertThat(load.mostInFlight()).isEqualTo(10_000);
        assertThat(load.outcomes()).hasSize(20_000).allMatch(each -> each.sentNanos() == each.intendedNanos());
        assertThat(load.outcome(19_999).intendedNanos()).isEqualTo(1000 + 10 + 9_999);
    }

    @Property(tries = 300)
    void everyRequestEndsOnceIsNeverEarlyAndKeepsTheOrderOfItsSession(@ForAll long seed,
            @ForAll @IntRange(min = 1, max = 5) int slots) {
        RandomGenerator random = new Seed(seed).generator();
        boolean isClosed = random.nextBoolean();
        List<Request> requests = new ArrayList<>();
        long offset = 0;
        while (requests.size() < 40) {
            offset += random.nextInt(50);
            requests.add(patient(requests.size(), offset, isClosed, random));
            for (int turns = random.nextInt(4); turns > 0; turns--) {
                Arrival after = new Arrival.AfterTurn(new RequestId(requests.size() - 1), random.nextInt(100));
                requests.add(new Request(new RequestId(requests.size()), new int[]{1}, StopRule.length(1), after,
                        Sampling.GREEDY, patience(random), null));
            }
        }
        PlayedLoad load = new PlayedLoad(request -> new PlayedLoad.Answer(random.nextInt(120),
                random.nextInt(8) == 0 ? RequestStatus.FAILED : RequestStatus.OK));
        Request[] all = requests.toArray(Request[]::new);
        assertThat(load.play(isClosed ? closed(slots, all) : open(all))).isTrue();
        assertThat(load.outcomes()).extracting(each -> each.id().index())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, all.length).boxed().toList());
        Map<Integer, RequestOutcome> byId = new HashMap<>();
        load.outcomes().forEach(each -> byId.put(each.id().index(), each));
        for (Request request : requests) {
            RequestOutcome outcome = byId.get(request.id().index());
            if (outcome.sentNanos() == RequestOutcome.ABSENT) {
                assertThat(outcome.status()).isIn(RequestStatus.CANCELLED, RequestStatus.GAVE_UP);
                continue;
            }
            assertThat(outcome.sentNanos()).isEqualTo(outcome.intendedNanos());
            switch (request.arrival()) {
                case Arrival.At(long at) -> assertThat(outcome.intendedNanos()).isEqualTo(1000 + at);
                case Arrival.WhenFree free -> assertThat(outcome.intendedNanos()).isGreaterThanOrEqualTo(1000);
                case Arrival.AfterTurn(RequestId previous, long think) -> {
                    assertThat(byId.get(previous.index()).status()).isEqualTo(RequestStatus.OK);
                    assertThat(outcome.intendedNanos()).isEqualTo(byId.get(previous.index()).endNanos() + think);
                }
            }
            assertThat(outcome.endNanos() - outcome.sentNanos()).isLessThanOrEqualTo(request.deadlines().nanos());
        }
        assertThat(load.mostInFlight()).isLessThanOrEqualTo(isClosed ? slots : all.length);
    }

    private static Request patient(int id, long offset, boolean isClosed, RandomGenerator random) {
        Arrival arrival = isClosed ? new Arrival.WhenFree(0) : new Arrival.At(offset);
        return new Request(new RequestId(id), new int[]{1}, StopRule.length(1), arrival, Sampling.GREEDY,
                patience(random), null);
    }

    private static RequestDeadlines patience(RandomGenerator random) {
        return new RequestDeadlines(random.nextBoolean() ? 1 + random.nextInt(100) : 0,
                random.nextBoolean() ? 1 + random.nextInt(100) : 0);
    }

    private static RunPhase open(Request... requests) {
        return new RunPhase(Phase.MEASURE, List.of(requests), new ArrivalProcess.Poisson(1));
    }

    private static RunPhase closed(int slots, Request... requests) {
        return new RunPhase(Phase.MEASURE, List.of(requests), new ArrivalProcess.ClosedLoop(slots));
    }

    private static Request request(int id, Arrival arrival) {
        return new Request(new RequestId(id), new int[]{1}, 1, arrival, Sampling.GREEDY);
    }

    private static Request turn(int id, long thinkNanos) {
        return request(id, new Arrival.AfterTurn(new RequestId(id - 1), thinkNanos));
    }

    private static Request patient(int id, long offsetNanos, RequestDeadlines patience) {
        return new Request(new RequestId(id), new int[]{1}, StopRule.length(1), new Arrival.At(offsetNanos),
                Sampling.GREEDY, patience, null);
    }

    private static class Bytes implements Tokenizer {
        @Override
        public int[] encode(String text) {
            return text.chars().toArray();
        }

        @Override
        public String decode(int[] tokens) {
            return "";
        }

        @Override
        public int vocabulary() {
            return 256;
        }
    }
}
