package org.inferometer.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.serving.TestRequests.request;

import java.util.List;
import java.util.stream.Stream;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.KvPlan;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Requests that move between pools of their own: contexts in pool 0, generations in pool 1.
class KvTransfersTest {
    private static final Limits LIMITS = new Limits(4, 16, 40);
    private static final RequestId FIRST = new RequestId(0);
    private static final PoolId HERE = TransferScheduler.CONTEXTS;
    private static final PoolId THERE = TransferScheduler.GENERATIONS;

    private final EventJournal journal = new EventJournal();

    @Test
    void aMovedRequestGoesOnWhereItWasAndItsOldBlocksAreFree() {
        EngineSetup setup = setup(4, 4);
        VirtualEngine engine = new VirtualEngine(setup, new EngineAuditor(mover(), setup),
                new PrefixCacheModel(setup.pools(), 1_000, 100, 100), journal, journal);
        engine.sendAt(0, request(0, 5, 3));
        engine.run();

        assertThat(journal.tokens).containsEntry(0, PrefixCacheModel.answer(request(0, 5, 3)));
        assertThat(journal.moves).containsExactly("0 from pool 0 to pool 1: 5 positions, 5 bytes, 1500 to 3000");
        assertThat(journal.decisionLog()).containsExactly(
                "0 lane 0 at 0: begin (0:0+5, 5+0+0 positions, 0 bytes, 1 running, 0 waiting, 3 blocks)",
                "1 lane 2 at 1500: move (0:0+5, 0+0+0 positions, 5 bytes, 1 running, 0 waiting, 4 blocks)",
                "2 lane 1 at 3000: decode (0:5+1, 0+1+0 positions, 0 bytes, 1 running, 0 waiting, 4 blocks)",
                "3 lane 1 at 4100: decode (0:6+1, 0+1+0 positions, 0 bytes, 1 running, 0 waiting, 4 blocks)");
        assertEmpty(engine.core());
        assertThat(journal.faults).isEmpty();
    }

    @Test
    void bothTablesAreHeldWhileTheCopyFlies() {
        EngineCore core = untilTheMove(mover());

        assertThat(core.heldBlocks(HERE)).isEqualTo(3);
        assertThat(core.heldBlocks(THERE)).isEqualTo(4);

        core.complete(TransferScheduler.TRANSFERS, new StepOutcome.Transferred(7, 10, 20), 20);
        assertThat(core.heldBlocks(HERE)).isZero();
        assertThat(core.heldBlocks(THERE)).isEqualTo(4);
        assertThat(journal.steps.getLast()).isEqualTo(new StepReport(1, TransferScheduler.TRANSFERS.id(), 10, 20, 0, 0,
                StepSlices.of(FIRST, 0, 5), 0, 0, 0, 7, 1, 0, 4, "move"));
    }

    @Test
    void whoIsCancelledOnTheWayLeavesNothingBehind() {
        EngineCore core = untilTheMove(mover());
        core.cancel(FIRST, 5);
        assertThat(core.heldBlocks(HERE)).as("the copy still reads them").isEqualTo(3);

        core.complete(TransferScheduler.TRANSFERS, new StepOutcome.Transferred(7, 10, 20), 20);

        assertEmpty(core);
        assertThat(journal.moves).isEmpty();
        assertThat(journal.ends).containsEntry(0, RequestStatus.CANCELLED);
        assertThat(journal.faults).isEmpty();
    }

    @Test
    void aCopyThatFailsEndsTheEngineAndLeavesNothingBehind() {
        EngineCore core = untilTheMove(mover());
        core.complete(TransferScheduler.TRANSFERS, new StepOutcome.Failed(new ExecutorException("The link is down.")),
                20);

        assertEmpty(core);
        assertThat(journal.failures).containsExactly("The link is down.");
        assertThat(journal.ends).containsEntry(0, RequestStatus.FAILED);
    }

    @Test
    void aStepIsNotAnsweredWithATransferNorTheOtherWayRound() {
        EngineCore core = untilTheMove(mover());
        core.complete(TransferScheduler.TRANSFERS, new StepOutcome.Completed(new int[0], 10, 20, 1, new float[0][]),
                20);
        assertThat(journal.failures).containsExactly("The executor answered a transfer with a step.");
        assertEmpty(core);

        EventJournal other = new EventJournal();
        EngineCore second = core(mover(), setup(4, 4), other);
        second.decide(TransferScheduler.PREFILLS, 1);
        second.complete(TransferScheduler.PREFILLS, new StepOutcome.Transferred(7, 10, 20), 20);
        assertThat(other.failures).containsExactly("The executor answered a step with a transfer.");
        assertEmpty(second);
    }

    @Test
    void aRequestOnItsWayIsNeitherEvictedNorComputed() {
        Scheduler evicting = scheduler((lane, view) -> switch (lane.role()) {
            case DECODE -> {
                view.reserveKv(HERE).evict(view.running().getFirst());
                yield new Decision.Idle();
            }
            case ANY, PREFILL, TRANSFER -> mover().decide(lane, view);
        });
        untilTheMove(evicting).decide(TransferScheduler.DECODES, 5);

        assertThat(journal.failures).containsExactly(
                "The scheduler broke its contract: Request 0 was evicted while it is in flight on lane 2.");
    }

    @Test
    void contextsNeedRoomForTheirPromptAndGenerationsForAll() {
        EngineCore core = new EngineCore(setup(2, 4), mover(), journal, journal);
        core.arrive(request(1, 4, 4), 0);
        core.arrive(request(2, 5, 1), 0);
        core.arrive(request(3, 4, 6), 0);

        assertThat(journal.reasons).containsEntry(2,
                "Request 2 needs 5 prompt positions, but KV pool 0 holds 4. Give the pool more memory or shorten the request.")
                .containsEntry(3,
                        "Request 3 needs 9 positions, but KV pool 1 holds 8. Give the pool more memory or shorten the request.")
                .doesNotContainKey(1);
    }

    static Stream<Arguments> breaches() {
        Work.Transfer right = new Work.Transfer(FIRST, HERE, THERE);
        return Stream.of(
                breach(TransferScheduler.DECODES, right, reserve(0, 3),
                        "Request 0 cannot be transferred: lane 1 takes DECODE work only."),
                breach(TransferScheduler.TRANSFERS, right, new KvPlan(HERE, List.of(), List.of()),
                        "A step of lane 2 has a plan for KV pool 0."),
                breach(TransferScheduler.TRANSFERS, new Work.Transfer(FIRST, THERE, HERE), reserve(0, 3),
                        "Request 0 cannot be transferred: it holds no blocks in KV pool 1."),
                breach(TransferScheduler.TRANSFERS, new Work.Transfer(FIRST, HERE, HERE), reserve(0, 3),
                        "Request 0 cannot be transferred: lane 2 copies into KV pool 1, not from 0 to 0."),
                breach(TransferScheduler.TRANSFERS, new Work.Transfer(FIRST, HERE, new PoolId(2)), reserve(0, 3),
                        "Request 0 cannot be transferred: lane 2 copies into KV pool 1, not from 0 to 2."),
                breach(TransferScheduler.TRANSFERS, new Work.Transfer(new RequestId(1), HERE, THERE), reserve(1, 3),
                        "Request 1 cannot be transferred: it holds no blocks in KV pool 0."),
                breach(TransferScheduler.TRANSFERS, new Work.Transfer(new RequestId(9), HERE, THERE), reserve(9, 3),
                        "Request 9 is not alive."),
                breach(TransferScheduler.TRANSFERS, right, reserve(1, 3),
                        "Request 0 cannot be transferred: the plan does not reserve blocks for this request alone."),
                breach(TransferScheduler.TRANSFERS, right, KvPlan.none(THERE),
                        "Request 0 cannot be transferred: the plan does not reserve blocks for this request alone."),
                breach(TransferScheduler.TRANSFERS, right, reserve(0, 2),
                        "Request 0 cannot be transferred: 2 blocks do not cover its 5 positions."),
                breach(TransferScheduler.TRANSFERS, right, reserve(0, 5),
                        "KV pool 1 has too few free blocks for request 0."),
                breach(TransferScheduler.TRANSFERS, new Work.Compute(List.of(new Slice(FIRST, 5, 1)), 0),
                        KvPlan.none(THERE), "Lane 2 takes TRANSFER work only."));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void aBreachEndsTheEngineWithItsSentence(String sentence, Lane lane, Work work, KvPlan plan) {
        EngineCore core = core(scheduler((asked, view) -> asked.equals(TransferScheduler.PREFILLS)
                ? mover().decide(asked, view) : new Decision.Run(work, plan, "test")), setup(4, 4), journal);
        complete(core, TransferScheduler.PREFILLS,
                (Step) ((LaneAction.Start) core.decide(TransferScheduler.PREFILLS, 1)).job());
        core.arrive(request(1, 4, 4), 2);

        assertThat(core.decide(lane, 3)).isEqualTo(LaneAction.NONE);

        assertThat(journal.failures).containsExactly("The scheduler broke its contract: " + sentence);
        assertEmpty(core);
    }

    /// A core that was asked until request 0, with 5 of 7 positions computed, is on its way.
    private EngineCore untilTheMove(Scheduler scheduler) {
        EngineCore core = core(scheduler, setup(4, 4), journal);
        complete(core, TransferScheduler.PREFILLS,
                (Step) ((LaneAction.Start) core.decide(TransferScheduler.PREFILLS, 1)).job());
        KvTransfer transfer = (KvTransfer) ((LaneAction.Start) core.decide(TransferScheduler.TRANSFERS, 3)).job();
        assertThat(transfer.number()).isEqualTo(1);
        assertThat(transfer.positions()).isEqualTo(5);
        assertThat(transfer.fromBlocks()).hasSize(3);
        assertThat(transfer.toBlocks()).hasSize(4);
        assertThat(core.hasStepsInFlight()).isTrue();
        return core;
    }

    private static EngineCore core(Scheduler scheduler, EngineSetup setup, EventJournal journal) {
        EngineCore core = new EngineCore(setup, scheduler, journal, journal);
        core.arrive(request(0, 5, 3), 0);
        return core;
    }

    private static void complete(EngineCore core, Lane lane, Step step) {
        core.complete(lane, new AffineSteps(1, 1).run(lane, step, 1), 2);
    }

    private static void assertEmpty(EngineCore core) {
        assertThat(core.heldBlocks(HERE)).isZero();
        assertThat(core.heldBlocks(THERE)).isZero();
        assertThat(core.liveRequests()).isZero();
        assertThat(core.hasStepsInFlight()).isFalse();
    }

    private static TransferScheduler mover() {
        return new TransferScheduler(new TransferScheduler.Options(false, 8));
    }

    private static Scheduler scheduler(Scheduler lambda) {
        return lambda;
    }

    private static EngineSetup setup(int blocksHere, int blocksThere) {
        return new EngineSetup(
                List.of(TransferScheduler.PREFILLS, TransferScheduler.DECODES, TransferScheduler.TRANSFERS),
                List.of(new KvGeometry(HERE, 2, blocksHere, 64), new KvGeometry(THERE, 2, blocksThere, 64)), LIMITS,
                () -> new OwnedMemory(1000, 0, 0, 0));
    }

    private static KvPlan reserve(int request, int blocks) {
        return new KvPlan(THERE, List.of(), List.of(new KvPlan.Allocation(new RequestId(request), blocks)));
    }

    private static Arguments breach(Lane lane, Work work, KvPlan plan, String sentence) {
        return Arguments.of(sentence, lane, work, plan);
    }
}
