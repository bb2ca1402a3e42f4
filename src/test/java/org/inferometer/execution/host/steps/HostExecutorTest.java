package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.execution.host.machine.Vectors;
import org.inferometer.options.OptionRecords;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Clock;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

class HostExecutorTest {
    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 1);
    private final HostOptions options = HostRun.options(1, 1, 16, KvDtype.FP32);

    @Test
    void describesItsLanesAndPool() throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(2, 3, 16, KvDtype.BF16))) {
            Executor executor = run.executor();
            // 2 layers × (keys + values) × 2 heads × 16 elements × 16 positions × 2 bytes.
            assertThat(executor.pools()).containsExactly(new KvGeometry(new PoolId(0), 16, (8 << 20) / 4096, 4096));
            assertThat(executor.lanes()).containsExactly(lane(0), lane(1), lane(2));
            assertThat(executor.description()).matches("host, 3 lanes of 2 threads( \\(6 threads on \\d cores?\\))?, "
                    + 32 * Vectors.LANES + "-bit vectors, deterministic");
            assertThat(executor.memory().kvBytes()).isEqualTo(8 << 20);
        }
    }

    @Test
    void onlySampledSlicesYieldTokens() throws Exception {
        try (HostRun run = new HostRun(model, options)) {
            StepOutcome.Completed done = run.step(2, run.slice(0, 0, new int[]{1, 2}, false),
                    run.slice(1, 0, new int[]{3}, true), run.slice(2, 0, new int[]{4, 5}, true));
            int[] likeliest = {largest(done.logits()[0]), largest(done.logits()[1])};
            assertThat(done.tokens()).containsExactly(likeliest);
            assertThat(done.logits()).hasDimensions(2, model.shape().vocabulary());
            assertThat(done.kernelNanos()).isBetween(1L, done.endNanos() - done.startNanos());
        }
    }

    @Test
    void logitsAreOptionalAndPaddingAloneIsAStep() throws Exception {
        try (HostRun run = new HostRun(model, options)) {
            CompletableFuture<StepOutcome> done = new CompletableFuture<>();
            Step step = new Step(0, List.of(run.slice(0, 0, new int[]{1}, true)), 0, false);
            run.executor().submit(lane(0), step, done::complete);
            assertThat(HostRun.completed(done).logits()).isEmpty();
            assertThat(run.step(3).tokens()).isEmpty();
        }
    }

    @Test
    void nextStepMayBeSubmittedFromTheCallback() throws Exception {
        try (HostRun run = new HostRun(model, options)) {
            CompletableFuture<StepOutcome> second = new CompletableFuture<>();
            Step step = new Step(0, List.of(run.slice(0, 0, new int[]{1}, true)), 0, true);
            run.executor().submit(lane(0), step, first -> run.executor().submit(lane(0), step, second::complete));
            assertThat(HostRun.completed(second).tokens()).hasSize(1);
        }
    }

    @Test
    void busyLaneRefusesAndCloseWaits() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 8, 96, 4);
        Executor executor = HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1), sizes,
                new BlockedClock(release));
        CompletableFuture<StepOutcome> first = new CompletableFuture<>();
        Step step = new Step(0, List.of(new StepSlice(0, new int[]{1}, new int[]{0}, true, Sampling.GREEDY)), 0, false);
        executor.submit(lane(0), step, first::complete);
        assertThatThrownBy(() -> executor.submit(lane(0), step, outcome -> {}))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("busy");
        CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(() -> {
            executor.close();
            return first.isDone();
        });
        release.countDown();
        assertThat(closed.join()).isTrue();
        assertThat(HostRun.completed(first).tokens()).hasSize(1);
        assertThatThrownBy(() -> executor.submit(lane(0), step, outcome -> {}))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        executor.close();
    }

    /// Tells no time until it is released, so that a step stays on its lane.
    private record BlockedClock(CountDownLatch release) implements Clock {
        @Override
        public long nanos() {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new SystemClock().nanos();
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH;
        }
    }

    @Test
    void stepsOutsideTheBuffersFail() throws Exception {
        try (HostRun run = new HostRun(model, options)) {
            assertThat(fault(run, new StepSlice(0, new int[]{97}, run.blocks(0), true, Sampling.GREEDY)))
                    .isEqualTo("Token 97 is outside the vocabulary of 97.");
            assertThat(fault(run, new StepSlice(95, new int[]{1, 2}, run.blocks(0), true, Sampling.GREEDY))).isEqualTo(
                    "A slice covers positions 95 to 97; a sequence has at most 96 and a slice at least one.");
            assertThat(fault(run, new StepSlice(16, new int[]{1}, new int[]{0}, true, Sampling.GREEDY)))
                    .isEqualTo("A block table has 1 blocks, but 17 positions need 2.");
            assertThat(fault(run, new StepSlice(0, new int[]{1}, new int[]{4096}, true, Sampling.GREEDY)))
                    .isEqualTo("Block 4096 is outside the pool of 1024.");
            assertThat(fault(run, new StepSlice(0, new int[0], run.blocks(0), true, Sampling.GREEDY)))
                    .contains("at least one");
        }
    }

    @Test
    void tooSmallKvMemoryIsRefusedWithTheWayOut() {
        assertThatThrownBy(() -> open(new ExecutorSizes(16 << 10, 8, 96, 4))).isInstanceOf(ExecutorException.class)
                .hasMessage(
                        "The KV cache of 16.0 KiB holds 32 positions, but one request may have 96 and needs 48.0 KiB; "
                                + "raise the KV memory, lower the max length, or use kv_dtype=bf16.");
    }

    @Test
    void missingMemoryIsRefusedBeforeAllocation() {
        OwnedMemory memory = new OwnedMemory(3L << 30, 2L << 30, 1L << 20, 1L << 20);
        assertThatThrownBy(
                () -> new HostMemoryPlan(List.of(10), memory).require(OptionalLong.of(4L << 30), 1L << 30, options))
                .isInstanceOf(ExecutorException.class).hasMessage(
                        "This engine needs 5.00 GiB of memory (3.00 GiB weights, 2.00 GiB KV cache) and 4.00 GiB are free. "
                                + "Lower the KV memory, choose a smaller or INT4 engine, or use kv_dtype=bf16.");
        assertThatThrownBy(
                () -> new HostMemoryPlan(List.of(10), memory).require(OptionalLong.empty(), 1L << 20, options))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("need 2.00 MiB of Java heap and 1.00 MiB are free. Raise -Xmx");
    }

    @Test
    void absurdSizesAreRefusedWithoutAllocating() {
        assertThatThrownBy(() -> open(new ExecutorSizes(1L << 60, 8, 96, 4))).isInstanceOf(ExecutorException.class);
        assertThatThrownBy(() -> open(new ExecutorSizes(8 << 20, 2_000_000_000, 96, 4)))
                .isInstanceOf(ExecutorException.class);
        assertThatThrownBy(() -> open(new ExecutorSizes(8 << 20, 8, 0, 4))).isInstanceOf(ExecutorException.class);
    }

    @Test
    void weightsOfAnotherShapeAreRefused() {
        RandomModel other = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.INT4, 1);
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 8, 96, 4);
        assertThatThrownBy(() -> HostExecutor.open(model.shape(), other.weights(), options, LaneLayout.sharing(1),
                sizes, new SystemClock())).isInstanceOf(ExecutorException.class)
                .hasMessage("The engine cannot run: embedding is 61 × 72 instead of 97 × 130.");
    }

    @Test
    void optionsAreParsedFromText() throws Exception {
        assertThat(OptionRecords.read(HostOptions.class,
                Selection.parse("host:threads=2,lanes=3,deterministic=false,kv_dtype=fp32,float_activations=fp32")))
                .isEqualTo(new HostOptions(2, 3, false, 16, KvDtype.FP32, HostOptions.FloatActivations.FP32,
                        HostOptions.Activations.INT8));
        assertThat(OptionRecords.read(HostOptions.class, Selection.of("host"))).isEqualTo(new HostOptions(0, 0, true,
                16, KvDtype.BF16, HostOptions.FloatActivations.BF16, HostOptions.Activations.INT8));
    }

    private void open(ExecutorSizes sizes) throws ExecutorException {
        HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1), sizes, new SystemClock())
                .close();
    }

    private static String fault(HostRun run, StepSlice slice) {
        return switch (run.start(0, List.of(slice), 0).join()) {
            case StepOutcome.Failed(ExecutorException cause) -> String.valueOf(cause.getMessage());
            case StepOutcome.Completed _,StepOutcome.Transferred _ -> throw new AssertionError("ran");
        };
    }

    private static Lane lane(int index) {
        return new Lane(new LaneId(index), Lane.Role.ANY, new PoolId(0));
    }

    private static int largest(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }
}
