package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.POOL;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.inferometer.record.RequestStatus;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A scheduler that breaks the contract ends the engine with a sentence that names the breach, and leaves no block behind.
class ContractTest {
    private static final Limits LIMITS = new Limits(2, 8, 20);
    private static final RequestId FIRST = new RequestId(0);

    private final EventJournal journal = new EventJournal();

    /// Two requests of four prompt tokens, blocks of two; what a policy answers at the first question.
    static Stream<Arguments> breaches() {
        return Stream.of(
                breach("Request 0 was scheduled without blocks in KV pool 0.", view -> run(none(), slice(0, 0, 4))),
                breach("The blocks of request 0 do not cover the 4 positions of its slice.",
                        view -> run(reserve(0, 1), slice(0, 0, 4))),
                breach("KV pool 0 has too few free blocks for request 0.", view -> run(reserve(0, 11), slice(0, 0, 4))),
                breach("A slice of request 0 starts at position 1, but 0 are computed.",
                        view -> run(reserve(0, 2), slice(0, 1, 3))),
                breach("A slice of request 0 has 5 positions, but 4 can be computed.",
                        view -> run(reserve(0, 3), slice(0, 0, 5))),
                breach("A slice of request 0 has 0 positions, but 4 can be computed.",
                        view -> run(reserve(0, 2), slice(0, 0, 0))),
                breach("Request 0 was scheduled on lane 0 while it is in flight on lane 0.",
                        view -> run(reserve(0, 2), slice(0, 0, 2), slice(0, 2, 2))),
                breach("Request 7 is not alive.", view -> run(reserve(7, 2), slice(7, 0, 2))),
                breach("A step has no slices.", view -> run(reserve(0, 2))),
                breach("A step has 9 positions; the limit is 8.", view -> padded(5, reserve(0, 2), slice(0, 0, 4))),
                breach("A step has -1 padding rows.", view -> padded(-1, reserve(0, 2), slice(0, 0, 4))),
                breach("A step of lane 0 has a plan for KV pool 1.",
                        view -> run(KvPlan.none(new PoolId(1)), slice(0, 0, 4))),
                breach("An eviction must evict and must not reserve.", view -> new Decision.Evict(none(), "")),
                breach("Request 0 was evicted but holds no blocks in KV pool 0.",
                        view -> new Decision.Evict(new KvPlan(POOL, List.of(FIRST), List.of()), "")),
                breach("It waits for a past instant.", view -> new Decision.WaitUntil(view.nowNanos())),
                breach("Request 0 cannot be transferred: lane 0 takes ANY work only.",
                        view -> new Decision.Run(new Work.Transfer(FIRST, POOL, POOL), none(), "")),
                breach("Request 0 was evicted but holds no blocks in KV pool 0.",
                        ContractTest::tryToEvictAWaitingRequest));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void breachEndsTheEngineWithItsMessage(String sentence, Function<EngineView, Decision> policy) {
        EngineCore core = core((lane, view) -> policy.apply(view));

        assertThat(core.decide(TestRequests.LANE, 5)).isEqualTo(LaneAction.NONE);

        assertThat(journal.failures).containsExactly("The scheduler broke its contract: " + sentence);
        assertThat(journal.ends).containsOnlyKeys(0, 1);
        assertThat(journal.ends.values()).containsOnly(RequestStatus.FAILED);
        assertThat(core.heldBlocks(POOL)).isZero();
        assertThat(core.liveRequests()).isZero();
    }

    @Test
    void requestInFlightIsNeitherEvictedNorReserved() {
        EngineCore core = onTwoLanes((lane, view) -> {
            if (lane.id().index() == 0) {
                return run(plan(reserve(0, 2), reserve(1, 2)), slice(1, 0, 4));
            }
            KvReservation kv = view.reserveKv(POOL);
            kv.evict(view.running().get(1));
            return new Decision.Idle();
        });
        Lane second = new Lane(new org.inferometer.scheduling.LaneId(1), Lane.Role.ANY, POOL);

        assertThat(core.decide(TestRequests.LANE, 1)).isInstanceOf(LaneAction.Start.class);
        core.decide(second, 1);

        assertThat(journal.failures).containsExactly(
                "The scheduler broke its contract: Request 1 was evicted while it is in flight on lane 0.");
        assertThat(core.heldBlocks(POOL)).as("the step still runs").isEqualTo(2);
        core.complete(TestRequests.LANE, new AffineSteps(1, 1).run(TestRequests.LANE,
                new org.inferometer.execution.LaneJob.Step(0, List.of(), 0, false), 1), 2);
        assertThat(core.heldBlocks(POOL)).isZero();
    }

    @Test
    void oldestRequestIsNeverEvicted() {
        EngineCore core =
                core((lane, view) -> view.running().isEmpty() ? run(plan(reserve(0, 2), reserve(1, 2)), slice(0, 0, 4))
                        : new Decision.Evict(new KvPlan(POOL, List.of(FIRST), List.of()), ""));
        completeOne(core);
        core.decide(TestRequests.LANE, 3);

        assertThat(journal.failures).containsExactly(
                "The scheduler broke its contract: Request 0 was evicted though no live request is older.");
    }

    @Test
    void reservationNeverShrinks() {
        EngineCore core = core((lane, view) -> view.running().isEmpty() ? run(reserve(0, 3), slice(0, 0, 4))
                : run(reserve(0, 2), slice(0, 4, 1)));
        completeOne(core);
        core.decide(TestRequests.LANE, 3);

        assertThat(journal.failures).containsExactly(
                "The scheduler broke its contract: An allocation would shrink request 0 from 3 to 2 blocks.");
    }

    @Test
    void throwingSchedulerEndsTheEngine() {
        EngineCore core = core((lane, view) -> {
            throw new IllegalStateException("lost count");
        });
        core.decide(TestRequests.LANE, 1);

        assertThat(journal.failures)
                .containsExactly("The scheduler failed: java.lang.IllegalStateException: lost count.");
        assertThat(journal.ends.values()).containsExactly(RequestStatus.FAILED, RequestStatus.FAILED);
    }

    @Test
    void stalledSchedulerEndsTheEngine() {
        EngineCore core = core((lane, view) -> new Decision.Idle());
        core.scheduleIdleLanes(TestRequests.clockAt(1), TestRequests.NO_STARTER);
        assertThat(journal.failures).as("more may come").isEmpty();

        core.arrivalsEnded();
        core.scheduleIdleLanes(TestRequests.clockAt(2), TestRequests.NO_STARTER);
        assertThat(journal.failures).containsExactly("The scheduler leaves 2 requests waiting forever.");
    }

    @Test
    void missingTokensEndTheEngine() {
        EngineCore core = core((lane, view) -> run(reserve(0, 2), slice(0, 0, 4)));
        core.decide(TestRequests.LANE, 1);
        core.complete(TestRequests.LANE,
                new org.inferometer.execution.StepOutcome.Completed(new int[0], 1, 2, 1, new float[0][]), 2);

        assertThat(journal.failures).containsExactly("The executor returned 0 tokens for 1 sampled slices.");
        assertThat(core.heldBlocks(POOL)).isZero();
    }

    @Test
    void laneTakesOnlyWorkOfItsRole() {
        Lane decodes = new Lane(TestRequests.LANE.id(), Lane.Role.DECODE, POOL);
        EngineSetup setup = new EngineSetup(List.of(decodes), List.of(TestRequests.pool(2, 10)), LIMITS,
                TestRequests.setup(1, 1, LIMITS).memory());
        EngineCore core = new EngineCore(setup, (lane, view) -> run(reserve(0, 2), slice(0, 0, 4)), journal, journal);
        core.arrive(request(0, 4, 4), 0);
        core.decide(decodes, 1);

        assertThat(journal.failures)
                .containsExactly("The scheduler broke its contract: Lane 0 takes DECODE work only.");
    }

    @Test
    void requestThatNeverFitsIsRefusedOnArrival() {
        EngineCore core =
                new EngineCore(TestRequests.setup(2, 6, LIMITS), (lane, view) -> new Decision.Idle(), journal, journal);
        core.arrive(request(0, 10, 12), 0);
        core.arrive(request(1, 10, 4), 0);
        core.arrive(request(2, 10, 3), 0);
        core.arrive(request(3, 0, 3), 0);
        core.arrive(request(4, Integer.MAX_VALUE / 4096, Integer.MAX_VALUE), 0);

        assertThat(journal.reasons).containsEntry(0, "Request 0 needs 21 positions, but the limit of a request is 20.")
                .containsEntry(1,
                        "Request 1 needs 13 positions, but KV pool 0 holds 12. Give the pool more memory or shorten the request.")
                .containsEntry(3, "Request 3 needs at least one prompt token and one output token.").containsKey(4)
                .doesNotContainKey(2);
        assertThat(journal.ends.values()).containsOnly(RequestStatus.REFUSED);
        assertThat(core.liveRequests()).isEqualTo(1);
    }

    @Test
    void requestSentTwiceEndsTheEngine() {
        EngineCore core = core((lane, view) -> new Decision.Idle());
        core.arrive(request(1, 4, 4), 1);

        assertThat(journal.failures).containsExactly("Request 1 was sent twice.");
        assertThat(core.liveRequests()).isZero();
    }

    private static Decision tryToEvictAWaitingRequest(EngineView view) {
        RequestProgress waiting = view.waiting().iterator().next();
        view.reserveKv(POOL).evict(waiting);
        return new Decision.Idle();
    }

    private EngineCore core(org.inferometer.scheduling.Scheduler scheduler) {
        return withTwoRequests(new EngineCore(TestRequests.setup(2, 10, LIMITS), scheduler, journal, journal));
    }

    private EngineCore onTwoLanes(org.inferometer.scheduling.Scheduler scheduler) {
        return withTwoRequests(new EngineCore(TestRequests.setup(2, 2, 10, LIMITS), scheduler, journal, journal));
    }

    private static EngineCore withTwoRequests(EngineCore core) {
        core.arrive(request(0, 4, 4), 0);
        core.arrive(request(1, 4, 4), 0);
        return core;
    }

    private static void completeOne(EngineCore core) {
        LaneAction.Start start = (LaneAction.Start) core.decide(TestRequests.LANE, 1);
        core.complete(TestRequests.LANE, new AffineSteps(1, 1).outcome(TestRequests.LANE, start.job(), 1), 2);
    }

    private static Arguments breach(String sentence, Function<EngineView, Decision> policy) {
        return Arguments.of(sentence, policy);
    }

    private static Slice slice(int request, int from, int count) {
        return new Slice(new RequestId(request), from, count);
    }

    private static KvPlan none() {
        return KvPlan.none(POOL);
    }

    private static KvPlan reserve(int request, int blocks) {
        return new KvPlan(POOL, List.of(), List.of(new KvPlan.Allocation(new RequestId(request), blocks)));
    }

    private static KvPlan plan(KvPlan... parts) {
        return new KvPlan(POOL, List.of(), Stream.of(parts).flatMap(part -> part.allocations().stream()).toList());
    }

    private static Decision run(KvPlan plan, Slice... slices) {
        return padded(0, plan, slices);
    }

    private static Decision padded(int paddingRows, KvPlan plan, Slice... slices) {
        return new Decision.Run(new Work.Compute(List.of(slices), paddingRows), plan, "test");
    }
}
