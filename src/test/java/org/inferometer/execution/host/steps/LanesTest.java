package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Lanes beside one another: several pools, copies between them, nothing shared that is written, nothing spent while idle.
@Isolated("looks at the threads of all lanes")
class LanesTest {
    private static final int LENGTH = 40;
    private static final PoolId CONTEXT = new PoolId(0);
    private static final PoolId GENERATION = new PoolId(1);
    private static final LaneLayout SPLIT = new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, CONTEXT),
            new Lane(new LaneId(1), Lane.Role.DECODE, GENERATION),
            new Lane(new LaneId(2), Lane.Role.TRANSFER, GENERATION)), List.of(0.25, 0.75));

    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.INT4, 1);

    @Test
    void twoLanesAtOnceComputeTheBitsOfOneLane() throws Exception {
        int[][] tokens =
                {HostAgainstReferenceTest.tokens(model, LENGTH, 1), HostAgainstReferenceTest.tokens(model, LENGTH, 2)};
        List<List<float[]>> alone = new ArrayList<>();
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.FP32))) {
            alone.add(run.feed(0, tokens[0], 3));
            alone.add(run.feed(1, tokens[1], 3));
        }
        try (HostRun run = new HostRun(model, HostRun.options(1, 2, 16, KvDtype.FP32))) {
            for (int round = 0; round < 60; round++) {
                for (int at = 0; at < LENGTH; at += 3) {
                    int end = Math.min(at + 3, LENGTH);
                    List<CompletableFuture<StepOutcome>> both = new ArrayList<>();
                    for (int lane = 0; lane < 2; lane++) {
                        both.add(run.start(lane,
                                List.of(run.slice(lane, at, Arrays.copyOfRange(tokens[lane], at, end), true)),
                                round % 3));
                    }
                    for (int lane = 0; lane < 2; lane++) {
                        StepOutcome.Completed done = HostRun.completed(both.get(lane));
                        assertThat(done.logits()[0]).containsExactly(alone.get(lane).get(end - 1));
                        assertThat(done.tokens()).containsExactly(largest(alone.get(lane).get(end - 1)));
                    }
                }
            }
        }
    }

    @Test
    void poolsSplitTheMemoryByShareInWholeBlocks() throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(1, 0, 16, KvDtype.FP32), SPLIT)) {
            // 2 layers × (keys + values) × 3 heads × 24 elements × 16 positions × 4 bytes.
            int blockBytes = 18_432;
            int blocks = (8 << 20) / blockBytes;
            assertThat(run.executor().pools()).containsExactly(
                    new KvGeometry(CONTEXT, 16, Math.round(blocks / 4f), blockBytes),
                    new KvGeometry(GENERATION, 16, blocks - Math.round(blocks / 4f), blockBytes));
            assertThat(run.executor().memory().kvBytes()).isEqualTo((long) blocks * blockBytes);
            assertThat(run.executor().lanes()).isEqualTo(SPLIT.lanes());
            assertThat(run.executor().description()).startsWith("host, 2 lanes of 1 thread, 1 transfer lane");
        }
    }

    @Test
    void transferLanesTakeNoBuffers() throws Exception {
        try (HostRun split = new HostRun(model, HostRun.options(1, 0, 16, KvDtype.FP32), SPLIT);
                HostRun two = new HostRun(model, HostRun.options(1, 2, 16, KvDtype.FP32));
                HostRun one = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.FP32))) {
            assertThat(split.executor().memory()).isEqualTo(two.executor().memory());
            assertThat(two.executor().memory().activationBytes())
                    .isEqualTo(2 * one.executor().memory().activationBytes());
            assertThat(two.executor().memory().weightBytes()).isEqualTo(one.executor().memory().weightBytes());
        }
    }

    @Test
    void tooSmallPoolIsNamedWithTheMemoryItNeeds() throws Exception {
        assertThatThrownBy(() -> open(6 * 18_432)).isInstanceOf(ExecutorException.class).hasMessage(
                "The KV cache of 108 KiB is split over 2 pools, and pool 1 holds 64 positions, but one request may have 96 and "
                        + "needs 108 KiB; raise the KV memory to 180 KiB, lower the max length, or use kv_dtype=bf16.");
        open(180 << 10);
    }

    /// The engine refuses prompts that do not fit there.
    @Test
    void prefillPoolMayBeSmallerThanARequestButNotEmpty() throws Exception {
        open(8 * 18_432);
        assertThatThrownBy(() -> open(18_432)).isInstanceOf(ExecutorException.class)
                .hasMessageContaining("pool 0 holds 0 positions");
    }

    private void open(long kvBytes) throws ExecutorException {
        HostExecutor.open(model.shape(), model.weights(), HostRun.options(1, 0, 16, KvDtype.FP32), SPLIT,
                new ExecutorSizes(kvBytes, 8, 96, 4), new SystemClock()).close();
    }

    @Test
    void layoutWithoutComputingLanesIsRefused() {
        LaneLayout copying =
                new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.TRANSFER, CONTEXT)), List.of(1.0));
        assertThatThrownBy(() -> new HostRun(model, HostRun.options(1, 0, 16, KvDtype.FP32), copying))
                .isInstanceOf(ExecutorException.class).hasMessageContaining("at least one lane that computes");
    }

    @ParameterizedTest
    @EnumSource
    void transferredRequestContinuesUnchanged(KvDtype dtype) throws Exception {
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 4);
        float[] stayed;
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 8, dtype))) {
            stayed = run.feed(0, tokens, LENGTH).getLast();
        }
        try (HostRun run = new HostRun(model, HostRun.options(1, 0, 8, dtype), SPLIT)) {
            int[] from = {5, 2, 9, 0, 7};
            int[] to = {30, 11, 12, 1, 29, 3};
            HostRun.completed(step(run, 0, 0, Arrays.copyOf(tokens, LENGTH - 1), from));
            long before = new SystemClock().nanos();
            StepOutcome.Transferred moved = (StepOutcome.Transferred) transfer(run, 2,
                    new KvTransfer(1, CONTEXT, from, GENERATION, to, LENGTH - 1)).join();
            assertThat(moved.bytes()).isEqualTo(5 * run.executor().pools().getFirst().blockBytes());
            assertThat(moved.startNanos()).isBetween(before, moved.endNanos());
            assertThat(HostRun.completed(step(run, 1, LENGTH - 1, new int[]{tokens[LENGTH - 1]}, to)).logits()[0])
                    .containsExactly(stayed);
        }
    }

    @Test
    void transfersOutsideThePoolsFail() throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(1, 0, 16, KvDtype.FP32), SPLIT)) {
            int blocks = run.executor().pools().get(1).blocks();
            int[] two = {0, 1};
            assertThat(fault(transfer(run, 2, new KvTransfer(0, CONTEXT, two, GENERATION, new int[]{0, blocks}, 32))))
                    .isEqualTo("Block " + blocks + " is outside the pool of " + blocks + ".");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, CONTEXT, new int[]{-1, 0}, GENERATION, two, 17))))
                    .startsWith("Block -1 is outside the pool of ");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, CONTEXT, two, GENERATION, two, 33))))
                    .isEqualTo("A block table has 2 blocks, but 33 positions need 3.");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, CONTEXT, two, GENERATION, two, 0))))
                    .isEqualTo("A transfer has 0 positions; a sequence has 1 to 96.");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, CONTEXT, two, GENERATION, two, 97))))
                    .contains("97 positions");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, GENERATION, two, CONTEXT, two, 20))))
                    .isEqualTo("Lane 2 copies into KV pool 1, not into KV pool 0.");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, GENERATION, two, GENERATION, two, 20))))
                    .contains("another of them");
            assertThat(fault(transfer(run, 2, new KvTransfer(0, new PoolId(2), two, GENERATION, two, 20))))
                    .contains("there are 2 pools");
            assertThat(fault(transfer(run, 1, new KvTransfer(0, CONTEXT, two, GENERATION, two, 20))))
                    .isEqualTo("Lane 1 computes; it was given a transfer.");
            assertThat(fault(step(run, 2, 0, new int[]{1}, two)))
                    .isEqualTo("Lane 2 only copies keys and values; it was given a step.");
            assertThat(HostRun.completed(step(run, 1, 0, new int[]{1}, two)).tokens()).hasSize(1);
        }
    }

    @Test
    void blocksAreCheckedAgainstTheLanesPool() throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(1, 0, 16, KvDtype.FP32), SPLIT)) {
            int[] beyondTheFirstPool = {run.executor().pools().getFirst().blocks()};
            assertThat(fault(step(run, 0, 0, new int[]{1}, beyondTheFirstPool))).contains("is outside the pool of");
            assertThat(HostRun.completed(step(run, 1, 0, new int[]{1}, beyondTheFirstPool)).tokens()).hasSize(1);
        }
    }

    /// Idle lanes sleep: while one lane computes, the threads of the others get no CPU time.
    @Test
    void idleLanesCostNothing() throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(2, 4, 16, KvDtype.FP32))) {
            List<CompletableFuture<StepOutcome>> all = new ArrayList<>();
            for (int lane = 0; lane < 4; lane++) {
                all.add(run.start(lane, List.of(run.slice(lane, 0, new int[40], true)), 0));
            }
            all.forEach(HostRun::completed);
            List<Thread> idle =
                    threads().stream().filter(thread -> !thread.getName().startsWith("inferometer-lane-0")).toList();
            assertThat(idle).hasSize(6);
            awaitSleep(idle);
            long[] before = cpuNanos(idle);
            for (int step = 0; step < 150; step++) {
                HostRun.completed(run.start(0, List.of(run.slice(0, 0, new int[40], true)), 0));
            }
            long[] after = cpuNanos(idle);
            for (int i = 0; i < before.length; i++) {
                assertThat(after[i] - before[i]).as(idle.get(i).getName()).isLessThan(10_000_000);
            }
            awaitSleep(threads());
        }
        assertThat(threads()).isEmpty();
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("inferometer-lane-")).toList();
    }

    private static void awaitSleep(List<Thread> threads) {
        SystemClock clock = new SystemClock();
        long deadline = clock.nanos() + Duration.ofSeconds(30).toNanos();
        while (threads.stream().anyMatch(thread -> thread.getState() != Thread.State.WAITING)) {
            assertThat(clock.nanos()).as("the lanes fall asleep").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private static long[] cpuNanos(List<Thread> threads) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        return threads.stream().mapToLong(thread -> bean.getThreadCpuTime(thread.threadId())).toArray();
    }

    private static CompletableFuture<StepOutcome> step(HostRun run, int lane, int first, int[] tokens, int[] blocks) {
        return run.start(lane, List.of(new StepSlice(first, tokens, blocks, true, Sampling.GREEDY)), 0);
    }

    private static CompletableFuture<StepOutcome> transfer(HostRun run, int lane, KvTransfer transfer) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        run.executor().submit(run.executor().lanes().get(lane), transfer, done::complete);
        return done.orTimeout(60, TimeUnit.SECONDS);
    }

    private static String fault(CompletableFuture<StepOutcome> outcome) {
        return switch (outcome.join()) {
            case StepOutcome.Failed(ExecutorException cause) -> String.valueOf(cause.getMessage());
            case StepOutcome.Completed _,StepOutcome.Transferred _ -> throw new AssertionError("ran");
        };
    }

    private static int largest(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }
}
