package org.inferometer.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// Runs an executor's kernels until they no longer get faster, before any request is sent: a just-in-time compiler, or a driver that
/// still links, must not be measured as the engine.
///
/// Small steps come first, because code that is not compiled yet is a hundred times slower. Uses the KV pools, which nobody holds yet.
final class ExecutorWarmUp {
    private static final int LEAST_REPEATS = 12;
    private static final int WINDOW = 8;
    private static final double STILL_IMPROVING = 0.93;
    private static final int CONTEXT_POSITIONS = 24;
    private static final int PREFILL_POSITIONS = 64;
    private static final long STEP_SECONDS = 120;

    private final Executor executor;
    private final Limits limits;
    private final Clock clock;
    private final long shapeBudgetNanos;
    private final BlockingQueue<StepOutcome> outcomes = new ArrayBlockingQueue<>(1);
    private long stepNumber;

    /// @param shapeBudgetNanos the longest time spent on one shape of step; a single step may take longer
    ExecutorWarmUp(Executor executor, Limits limits, Clock clock, long shapeBudgetNanos) {
        this.executor = executor;
        this.limits = limits;
        this.clock = clock;
        this.shapeBudgetNanos = shapeBudgetNanos;
    }

    /// Warms every lane up on the calling thread.
    ///
    /// @throws ExecutorException when a step fails
    void run() throws ExecutorException, InterruptedException {
        for (Lane lane : executor.lanes()) {
            for (Step shape : shapes(lane)) {
                untilSteady(lane, shape);
            }
        }
    }

    private void untilSteady(Lane lane, Step shape) throws ExecutorException, InterruptedException {
        long start = clock.nanos();
        List<Long> times = new ArrayList<>();
        while (times.size() < LEAST_REPEATS || improving(times)) {
            times.add(timed(lane, shape));
            if (clock.nanos() - start > shapeBudgetNanos) {
                return;
            }
        }
    }

    /// Whether the best of the last few steps beats the best of all before them by more than noise.
    private static boolean improving(List<Long> times) {
        int recent = times.size() - WINDOW;
        long before = times.subList(0, recent).stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        long now = times.subList(recent, times.size()).stream().mapToLong(Long::longValue).min().orElse(0);
        return now < before * STILL_IMPROVING;
    }

    private long timed(Lane lane, Step shape) throws ExecutorException, InterruptedException {
        executor.submit(lane, new Step(stepNumber++, shape.slices(), shape.paddingRows(), false), outcomes::add);
        StepOutcome outcome = outcomes.poll(STEP_SECONDS, TimeUnit.SECONDS);
        return switch (outcome) {
            case null -> throw new ExecutorException("A warm-up step did not end within " + STEP_SECONDS + " s. Choose a smaller engine or more threads.");
            case StepOutcome.Failed(ExecutorException cause) -> throw cause;
            case StepOutcome.Moved moved -> moved.endNanos() - moved.startNanos();
            case StepOutcome.Completed done -> done.endNanos() - done.startNanos();
        };
    }

    /// One row, then the rows of a full batch, then a prefill: as far as limits and pool allow.
    private List<Step> shapes(Lane lane) {
        KvGeometry pool = executor.pools().get(lane.pool().index());
        int positions = Math.min(limits.maxSequencePositions(), PREFILL_POSITIONS);
        int context = Math.min(positions - 1, CONTEXT_POSITIONS);
        int blocksEach = (positions + pool.blockTokens() - 1) / pool.blockTokens();
        int rows = Math.min(Math.min(limits.maxBatchRows(), limits.maxStepPositions()), pool.blocks() / blocksEach);
        List<Step> shapes = new ArrayList<>();
        if (rows < 1) {
            return shapes;
        }
        shapes.add(decode(1, context, blocksEach));
        if (rows > 1) {
            shapes.add(decode(Math.min(rows, 4), context, blocksEach));
            shapes.add(decode(rows, context, blocksEach));
        }
        int prefill = Math.min(positions, limits.maxStepPositions());
        shapes.add(new Step(0, List.of(slice(0, 0, prefill, blocksEach)), 0, false));
        return shapes;
    }

    private static Step decode(int rows, int context, int blocksEach) {
        List<StepSlice> slices = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            slices.add(slice(row, context, 1, blocksEach));
        }
        return new Step(0, slices, 0, false);
    }

    private static StepSlice slice(int row, int firstPosition, int count, int blocksEach) {
        int[] blocks = new int[blocksEach];
        Arrays.setAll(blocks, i -> row * blocksEach + i);
        return new StepSlice(firstPosition, new int[count], blocks, true, Sampling.GREEDY);
    }
}
