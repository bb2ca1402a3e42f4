package org.inferometer.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.junit.jupiter.api.Test;

class ExecutorWarmUpTest {
    private static final Limits LIMITS = new Limits(8, 96, 256);
    private static final long BUDGET_NANOS = 1_000_000;

    @Test
    void oneLaneDecodesOneRowThenFewThenAllAndThenPrefills() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY), 40);
        warmUp(executor);
        assertThat(executor.shapesOf(0)).containsExactly("1×1 at 24", "4×1 at 24", "8×1 at 24", "1×64 at 0");
        assertThat(executor.rounds).hasSize(4 * 12).allMatch(round -> round.keySet().equals(Set.of(0)));
    }

    @Test
    void allComputingLanesAlsoRunSideBySide() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY, Lane.Role.ANY), 400);
        warmUp(executor);
        assertThat(executor.rounds.subList(0, 48)).allMatch(round -> round.keySet().equals(Set.of(0)));
        assertThat(executor.rounds.subList(48, 64)).allMatch(round -> round.keySet().equals(Set.of(0, 1, 2)));
        assertThat(executor.rounds).hasSize(64);
    }

    @Test
    void manyLanesTakeNoMoreRoundsThanTwo() throws Exception {
        RoundsExecutor two = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY), 4000);
        RoundsExecutor many = new RoundsExecutor(
                lanes(IntStream.range(0, 9).mapToObj(i -> Lane.Role.ANY).toArray(Lane.Role[]::new)), 4000);
        warmUp(two);
        warmUp(many);
        assertThat(many.rounds).hasSameSizeAs(two.rounds);
    }

    @Test
    void lanesSideBySideWorkOnDifferentBlocksWhereThePoolHasThem() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY), 64);
        warmUp(executor);
        Map<Integer, LaneJob> last = executor.rounds.getLast();
        assertThat(((Step) last.get(0)).slices().getFirst().blockTable()).containsExactly(0, 1, 2, 3);
        assertThat(((Step) last.get(1)).slices().getFirst().blockTable()).containsExactly(32, 33, 34, 35);
    }

    @Test
    void lanesDoOnlyWhatTheyAreForAndCopiesGoIntoTheTransferLanesPool() throws Exception {
        List<Lane> lanes = List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
                new Lane(new LaneId(1), Lane.Role.DECODE, new PoolId(1)),
                new Lane(new LaneId(2), Lane.Role.TRANSFER, new PoolId(1)));
        RoundsExecutor executor = new RoundsExecutor(lanes, 40);
        warmUp(executor);
        assertThat(executor.shapesOf(0)).containsExactly("1×1 at 0", "1×4 at 0", "1×64 at 0");
        assertThat(executor.shapesOf(1)).containsExactly("1×1 at 24", "4×1 at 24", "8×1 at 24");
        assertThat(executor.shapesOf(2)).containsExactly("64 from 0 to 1");
        assertThat(executor.rounds).anyMatch(round -> round.keySet().equals(Set.of(0, 1)));
    }

    @Test
    void poolsSmallerThanOneRequestAreLeftAlone() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY), 3);
        warmUp(executor);
        assertThat(executor.rounds).isEmpty();
    }

    @Test
    void aShapeIsRepeatedWhileItGetsFasterAndOnlyAsLongAsItsBudget() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY), 40);
        executor.fasterUntilRound = 30;
        warmUp(executor);
        assertThat(executor.rounds.stream().filter(round -> shape(round.get(0)).equals("1×1 at 24")))
                .hasSizeGreaterThan(30);
        RoundsExecutor slow = new RoundsExecutor(lanes(Lane.Role.ANY), 40);
        slow.nanosPerStep = BUDGET_NANOS / 4 + 1;
        warmUp(slow);
        assertThat(slow.rounds).hasSize(4 * 4);
    }

    @Test
    void whoHasEnoughWaitsForNoFurtherRound() throws Exception {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY), 400);
        executor.enoughRounds = 5;
        warmUp(executor);
        assertThat(executor.rounds).hasSize(5);
    }

    @Test
    void aFailingLaneEndsTheWarmUpWithItsReason() {
        RoundsExecutor executor = new RoundsExecutor(lanes(Lane.Role.ANY, Lane.Role.ANY), 400);
        executor.failingLane = 1;
        assertThatThrownBy(() -> warmUp(executor)).isInstanceOf(ExecutorException.class)
                .hasMessage("Lane 1 is broken.");
    }

    private static void warmUp(RoundsExecutor executor) throws ExecutorException, InterruptedException {
        try (executor) {
            new ExecutorWarmUp(executor, LIMITS, executor, BUDGET_NANOS)
                    .run(() -> executor.rounds.size() >= executor.enoughRounds);
        }
    }

    private static List<Lane> lanes(Lane.Role... roles) {
        return IntStream.range(0, roles.length).mapToObj(i -> new Lane(new LaneId(i), roles[i], new PoolId(0)))
                .toList();
    }

    private static String shape(LaneJob job) {
        return switch (job) {
            case Step step -> {
                StepSlice first = step.slices().getFirst();
                yield step.slices().size() + "×" + first.tokens().length + " at " + first.firstPosition();
            }
            case KvTransfer transfer ->
                transfer.positions() + " from " + transfer.from().index() + " to " + transfer.to().index();
        };
    }

    /// Ends what was submitted only when the caller waits for it, so that what was submitted together is seen together. It is its own
    /// clock: a round takes the time of its steps.
    private static final class RoundsExecutor implements Executor, Clock {
        private final List<Lane> lanes;
        private final List<KvGeometry> pools;
        private final Thread caller = Thread.currentThread();
        private final Thread device;
        private final Map<Integer, LaneJob> jobs = new LinkedHashMap<>();
        private final List<Consumer<StepOutcome>> waiting = new ArrayList<>();
        private volatile boolean closed;
        private long now;
        private final List<Map<Integer, LaneJob>> rounds = new ArrayList<>();
        private int failingLane = -1;
        private int enoughRounds = Integer.MAX_VALUE;
        private int fasterUntilRound;
        private long nanosPerStep = 1;

        RoundsExecutor(List<Lane> lanes, int blocks) {
            this.lanes = lanes;
            int poolCount = 1 + lanes.stream().mapToInt(lane -> lane.pool().index()).max().orElse(0);
            pools = IntStream.range(0, poolCount).mapToObj(i -> new KvGeometry(new PoolId(i), 16, blocks, 1024))
                    .toList();
            device = Thread.ofPlatform().daemon().start(this::endRounds);
        }

        private void endRounds() {
            while (!closed) {
                endRound();
                Thread.onSpinWait();
            }
        }

        private synchronized void endRound() {
            // Jobs are submitted under this monitor, so a caller that is seen to wait here waits for all of them.
            if (jobs.isEmpty() || caller.getState() != Thread.State.TIMED_WAITING) {
                return;
            }
            long nanos =
                    nanosPerStep + (rounds.size() < fasterUntilRound ? 1 << (fasterUntilRound - rounds.size()) / 3 : 0);
            StepOutcome done = new StepOutcome.Completed(new int[0], now, now + nanos, 0, new float[0][]);
            StepOutcome failed = new StepOutcome.Failed(new ExecutorException("Lane " + failingLane + " is broken."));
            now += nanos;
            boolean broken = jobs.containsKey(failingLane);
            rounds.add(new LinkedHashMap<>(jobs));
            List<Consumer<StepOutcome>> told = new ArrayList<>(waiting);
            jobs.clear();
            waiting.clear();
            told.forEach(whenDone -> whenDone.accept(broken ? failed : done));
        }

        List<String> shapesOf(int lane) {
            return rounds.stream().filter(round -> round.containsKey(lane)).map(round -> shape(round.get(lane)))
                    .distinct().toList();
        }

        @Override
        public synchronized void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
            assertThat(jobs).doesNotContainKey(lane.id().index());
            jobs.put(lane.id().index(), job);
            waiting.add(whenDone);
        }

        @Override
        public synchronized long nanos() {
            return now;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }

        @Override
        public String description() {
            return "ends what runs when it is waited for";
        }

        @Override
        public List<Lane> lanes() {
            return lanes;
        }

        @Override
        public List<KvGeometry> pools() {
            return pools;
        }

        @Override
        public int maxStepPositions() {
            return LIMITS.maxStepPositions();
        }

        @Override
        public List<ExecutorDevice> devices() {
            return List.of(ExecutorDevice.cpu(new OwnedMemory(0, 0, 0, 0)));
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
