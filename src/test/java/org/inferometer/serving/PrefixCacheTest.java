package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Hand-worked cases of the prefix cache, with blocks of two tokens.
class PrefixCacheTest {
    private static final Limits LIMITS = new Limits(4, 16, 40);

    private final EventJournal journal = new EventJournal();

    @Test
    void aSecondRequestWithTheSameBeginningComputesOnlyTheRest() {
        VirtualEngine engine = serve(20, 1, request(0, 1, 1, 2, 3, 4, 5), request(100_000, 2, 1, 2, 3, 4, 6));

        assertThat(journal.admissions).containsExactly("0 by lane 0 at 0 with 0 cached",
                "1 by lane 0 at 100000 with 4 cached");
        assertThat(slices()).containsExactly("0:0+5", "1:4+1", "1:5+1");
        assertThat(engine.core().heldBlocks(TestRequests.POOL)).isZero();
    }

    @Test
    void theLastPositionIsAlwaysComputedAgain() {
        serve(20, 1, request(0, 1, 1, 2, 3, 4), request(100_000, 1, 1, 2, 3, 4));

        assertThat(slices()).containsExactly("0:0+4", "1:2+2");
    }

    @Test
    void generatedTokensAreFoundToo() {
        Timed first = request(0, 4, 1, 2, 3);
        List<Integer> answer = PrefixCacheModel.answer(first.request());
        serve(20, 1, first, request(100_000, 1, 1, 2, 3, answer.get(0), answer.get(1), answer.get(2)));

        assertThat(journal.admissions).contains("1 by lane 0 at 100000 with 4 cached");
    }

    @Test
    void anEqualBlockBehindAnotherBeginningIsNotTheSame() {
        serve(20, 1, request(0, 1, 1, 2, 3, 4, 5), request(100_000, 1, 9, 2, 3, 4, 5));

        assertThat(slices()).containsExactly("0:0+5", "1:0+5");
    }

    @Test
    void whatIsStillBeingComputedIsNotFoundByAnotherLane() {
        serve(20, 2, request(0, 1, 1, 2, 3, 4, 5), request(10, 1, 1, 2, 3, 4, 5), request(5_000, 1, 1, 2, 3, 4, 5));

        assertThat(journal.admissions).containsExactly("0 by lane 0 at 0 with 0 cached",
                "1 by lane 1 at 10 with 0 cached", "2 by lane 0 at 5000 with 4 cached");
    }

    @Test
    void samplingDoesNotMatter() {
        Request sampled =
                new Request(new RequestId(1), new int[]{1, 2, 3}, 1, new Arrival.At(0), new Sampling(0.7, 5, 0.9, 3));
        serve(20, 1, request(0, 1, 1, 2, 3), at(100_000, sampled));

        assertThat(journal.admissions).contains("1 by lane 0 at 100000 with 2 cached");
    }

    /// Four blocks: 0 takes two and leaves them, 1 takes the other two, 2 needs one.
    @Test
    void ofTheTableThatCameBackFirstTheLastBlockLosesItsContent() {
        serve(4, 1, request(0, 1, 1, 2, 3, 4), request(100_000, 1, 11, 12, 13, 14), request(200_000, 1, 21, 22),
                request(300_000, 1, 1, 2, 3, 4, 5));

        assertThat(journal.admissions).contains("3 by lane 0 at 300000 with 2 cached");
    }

    @Test
    void theTableThatCameBackLastKeepsItsContent() {
        serve(4, 1, request(0, 1, 1, 2, 3, 4), request(100_000, 1, 11, 12, 13, 14), request(200_000, 1, 21, 22),
                request(300_000, 1, 11, 12, 13, 14, 15));

        assertThat(journal.admissions).contains("3 by lane 0 at 300000 with 4 cached");
    }

    @Test
    void sharedBlocksAreCountedOnceAndLeaveWithTheirLastHolder() {
        EngineCore core = core(8, new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)));
        arriveAndStep(core, request(0, 9, 1, 2, 3, 4, 5));
        assertThat(core.heldBlocks(TestRequests.POOL)).isEqualTo(3);

        arriveAndStep(core, request(1, 9, 1, 2, 3, 4, 6));
        assertThat(core.heldBlocks(TestRequests.POOL)).as("two shared, one of 0, one of 1").isEqualTo(4);

        core.cancel(new RequestId(0), 9);
        assertThat(core.heldBlocks(TestRequests.POOL)).isEqualTo(3);
        core.cancel(new RequestId(1), 9);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
    }

    @Test
    void aTrialCountsAHitThatTwoRequestsShareOnce() {
        List<Integer> free = new ArrayList<>();
        EngineCore core = core(6,
                new Script(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), 2, (lane, view) -> {
                    KvReservation kv = view.reserveKv(TestRequests.POOL);
                    free.add(kv.freeBlocks());
                    List<Slice> slices = new ArrayList<>();
                    for (RequestProgress progress : view.waiting()) {
                        assertThat(kv.cachedPositions(progress)).isEqualTo(4);
                        assertThat(kv.reserveAfterCached(progress, 5)).isTrue();
                        slices.add(new Slice(progress.request().id(), 4, 1));
                        free.add(kv.freeBlocks());
                    }
                    assertThat(kv.plan().allocations()).containsExactly(new KvPlan.Allocation(new RequestId(1), 3, 2),
                            new KvPlan.Allocation(new RequestId(2), 3, 2));
                    return new Decision.Run(new Work.Compute(slices, 0), kv.plan(), "both");
                }));
        arriveAndStep(core, request(0, 1, 1, 2, 3, 4, 5));
        core.arrive(request(1, 2, 1, 2, 3, 4, 6).request(), 1);
        arriveAndStep(core, request(2, 2, 1, 2, 3, 4, 7));

        assertThat(free).containsExactly(6, 3, 2);
        assertThat(core.heldBlocks(TestRequests.POOL)).isEqualTo(4);
        assertThat(journal.failures).isEmpty();
    }

    @Test
    void anEvictionFreesOnlyWhatNobodyElseHoldsOrIsAboutToHold() {
        List<Integer> free = new ArrayList<>();
        EngineCore core = core(6,
                new Script(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), 3, (lane, view) -> {
                    KvReservation kv = view.reserveKv(TestRequests.POOL);
                    free.add(kv.freeBlocks());
                    RequestProgress third = view.waiting().iterator().next();
                    assertThat(kv.reserveAfterCached(third, 7)).isTrue();
                    free.add(kv.freeBlocks());
                    kv.evict(view.running().get(1));
                    free.add(kv.freeBlocks());
                    Slice slice = new Slice(third.request().id(), 6, 1);
                    return new Decision.Run(new Work.Compute(List.of(slice), 0), kv.plan(), "swap");
                }));
        arriveAndStep(core, request(0, 9, 1, 2, 3));
        arriveAndStep(core, request(1, 3, 1, 2, 5, 6, 7, 8));
        arriveAndStep(core, request(2, 3, 1, 2, 5, 6, 7, 8, 9));

        // 0 holds two blocks, 1 shares the first and holds two more; 2 begins with all three of 1.
        assertThat(free).containsExactly(2, 1, 1);
        assertThat(core.heldBlocks(TestRequests.POOL)).isEqualTo(5);
        assertThat(journal.preemptions).containsExactly("1 lost 6");
        assertThat(journal.failures).isEmpty();
    }

    @Test
    void anEvictedRequestComesBackWithWhatIsLeftOfItsBlocks() {
        serve(8, 1, request(0, 8, 1, 2, 3, 4, 5), request(1, 6, 11, 12, 13, 14));

        assertThat(journal.preemptions).isNotEmpty();
        assertThat(journal.admissions)
                .anyMatch(admission -> admission.matches("1 again by lane 0 at \\d+ with [24] cached"));
    }

    @Test
    void whatCameByAMoveIsFoundWhereItWent() {
        PoolId there = new PoolId(1);
        Lane computesThere = new Lane(new LaneId(1), Lane.Role.ANY, there);
        Lane transfers = new Lane(new LaneId(2), Lane.Role.TRANSFER, there);
        List<Integer> cached = new ArrayList<>();
        Scheduler script =
                new Script(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), 2, (lane, view) -> {
                    KvReservation kv = view.reserveKv(there);
                    if (lane.equals(computesThere)) {
                        cached.add(kv.cachedPositions(view.waiting().iterator().next()));
                        return new Decision.Idle();
                    }
                    RequestProgress moved = view.running().getFirst();
                    kv.reserve(moved, 6);
                    return new Decision.Run(new Work.Transfer(moved.request().id(), TestRequests.POOL, there),
                            kv.plan(), "move");
                });
        EngineSetup setup = new EngineSetup(List.of(TestRequests.LANE, computesThere, transfers),
                List.of(TestRequests.pool(2, 8), new KvGeometry(there, 2, 8, 1024)), LIMITS,
                () -> new OwnedMemory(0, 0, 0, 0));
        EngineCore core = new EngineCore(setup, script, journal, journal);
        arriveAndStep(core, request(0, 9, 1, 2, 3, 4, 5));
        core.decide(transfers, 200);
        core.arrive(request(1, 9, 1, 2, 3, 4, 6).request(), 210);
        core.decide(computesThere, 220);
        core.complete(transfers, new StepOutcome.Transferred(5, 200, 230), 230);
        core.decide(computesThere, 240);

        assertThat(cached).containsExactly(0, 4);
        assertThat(journal.failures).isEmpty();
    }

    @Test
    void withoutAWishForReuseNothingIsFound() {
        Scheduler plain = new Script(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), 99,
                (lane, view) -> new Decision.Idle()) {
            @Override
            public boolean reusesPrefixes() {
                return false;
            }
        };
        EngineCore core = core(8, plain);
        arriveAndStep(core, request(0, 1, 1, 2, 3, 4, 5));
        arriveAndStep(core, request(1, 1, 1, 2, 3, 4, 5));

        assertThat(slices()).containsExactly("0:0+5", "1:0+5");
    }

    static Stream<Arguments> breaches() {
        return Stream.of(
                Arguments.of("Request 1 cannot start with 3 cached blocks: KV pool 0 has 2 of its start.",
                        new KvPlan.Allocation(new RequestId(1), 3, 3)),
                Arguments.of("Request 1 cannot start with 2 cached blocks: KV pool 0 has 2 of its start.",
                        new KvPlan.Allocation(new RequestId(1), 1, 2)),
                Arguments.of("Request 1 cannot start with -1 cached blocks: KV pool 0 has 2 of its start.",
                        new KvPlan.Allocation(new RequestId(1), 3, -1)),
                Arguments.of("Cached blocks were allocated to request 0, which already holds blocks.",
                        new KvPlan.Allocation(new RequestId(0), 3, 2)));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void aPlanThatClaimsMoreThanIsCachedEndsTheEngine(String sentence, KvPlan.Allocation reservation) {
        EngineCore core = core(8,
                new Script(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), 2,
                        (lane, view) -> new Decision.Run(
                                new Work.Compute(List.of(new Slice(reservation.request(), 4, 1)), 0),
                                new KvPlan(TestRequests.POOL, List.of(), List.of(reservation)), "test")));
        arriveAndStep(core, request(0, 9, 1, 2, 3, 4, 5));
        core.arrive(request(1, 9, 1, 2, 3, 4, 6).request(), 5);
        core.decide(TestRequests.LANE, 6);

        assertThat(journal.failures).containsExactly("The scheduler broke its contract: " + sentence);
        assertThat(core.heldBlocks(TestRequests.POOL)).isZero();
        assertThat(core.liveRequests()).isZero();
    }

    /// Asks the policy until a question, from then on the script.
    private static class Script implements Scheduler {
        private final Scheduler policy;
        private final Scheduler script;
        private final int from;
        private int questions;

        Script(Scheduler policy, int from, Scheduler script) {
            this.policy = policy;
            this.script = script;
            this.from = from;
        }

        @Override
        public Decision decide(Lane lane, EngineView view) {
            return (++questions >= from ? script : policy).decide(lane, view);
        }

        @Override
        public boolean reusesPrefixes() {
            return policy.reusesPrefixes();
        }
    }

    private record Timed(long nanos, Request request) {}

    private EngineCore core(int blocks, Scheduler scheduler) {
        return new EngineCore(TestRequests.setup(2, blocks, LIMITS), scheduler, journal, journal);
    }

    private void arriveAndStep(EngineCore core, Timed timed) {
        core.arrive(timed.request(), timed.request().id().index());
        if (core.decide(TestRequests.LANE, 100) instanceof LaneAction.Start(Step step)) {
            core.complete(TestRequests.LANE, new AffineSteps(1, 1).run(TestRequests.LANE, step, 100), 101);
        }
    }

    private VirtualEngine serve(int blocks, int lanes, Timed... requests) {
        EngineSetup setup = TestRequests.setup(lanes, 2, blocks, LIMITS);
        PrefixCacheModel model = new PrefixCacheModel(setup.pools(), 1_000, 0, 1_000);
        ReservationAuditor watch =
                new ReservationAuditor(new PrefixReuseScheduler(new PrefixReuseScheduler.Options(16, 4)), model);
        VirtualEngine engine = new VirtualEngine(setup, new EngineAuditor(watch, setup), watch, journal, journal);
        watch.watch(setup, engine.core());
        for (int i = 0; i < requests.length; i++) {
            Request drawn = requests[i].request();
            engine.sendAt(requests[i].nanos(), new Request(new RequestId(i), drawn.promptTokens(), drawn.outputTokens(),
                    drawn.arrival(), drawn.sampling()));
        }
        engine.run();
        assertThat(journal.failures).isEmpty();
        assertThat(journal.faults).isEmpty();
        for (int i = 0; i < requests.length; i++) {
            assertThat(journal.tokens).containsEntry(i, PrefixCacheModel.answer(requests[i].request()));
        }
        return engine;
    }

    private List<String> slices() {
        return journal.steps.stream().map(step -> step.slices().text()).toList();
    }

    /// Request 0, 1, ... in order of sending; `nanosOrId` is its instant, or its id where nobody renumbers.
    private static Timed request(int nanosOrId, int outputTokens, int... prompt) {
        return at(nanosOrId,
                new Request(new RequestId(nanosOrId), prompt, outputTokens, new Arrival.At(0), Sampling.GREEDY));
    }

    private static Timed at(long nanos, Request request) {
        return new Timed(nanos, request);
    }
}
