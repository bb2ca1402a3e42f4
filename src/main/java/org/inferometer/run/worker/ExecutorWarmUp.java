package org.inferometer.run.worker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// Runs the kernels of an executor until they no longer get faster, before any request is sent. Otherwise JIT compilation
/// or driver linking would be measured as the engine.
///
/// First, one lane of each kind runs alone and triggers compilation. Then all computing lanes run together, so that their
/// threads, buffers and caches have been used. Last, the transfer lanes copy. Uses the KV pools, which are still free.
final class ExecutorWarmUp {
    /// The JIT compiler needs some rounds to detect hot code.
    private static final Patience ALONE = new Patience(12, 8);
    /// After compilation a few rounds suffice.
    private static final Patience TOGETHER = new Patience(4, 2);
    private static final double STILL_IMPROVING = 0.93;
    private static final long STEP_SECONDS = 120;

    private final Executor executor;
    private final Clock clock;
    private final long shapeBudgetNanos;
    private final WarmUpShapes shapes;
    private final BlockingQueue<StepOutcome> outcomes;
    private long stepNumber;

    /// @param shapeBudgetNanos maximum time per step shape; a single step may take longer
    ExecutorWarmUp(Executor executor, Limits limits, Clock clock, long shapeBudgetNanos) {
        this.executor = executor;
        this.clock = clock;
        this.shapeBudgetNanos = shapeBudgetNanos;
        this.shapes = new WarmUpShapes(executor.lanes(), executor.pools(), limits);
        this.outcomes = new ArrayBlockingQueue<>(executor.lanes().size());
    }

    /// Warms up every lane on the calling thread.
    ///
    /// @param enough checked before every round; true ends the warm-up
    /// @throws ExecutorException if a step or a transfer fails
    void run(BooleanSupplier enough) throws ExecutorException, InterruptedException {
        List<Lane> computing = executor.lanes().stream().filter(lane -> lane.role() != Lane.Role.TRANSFER).toList();
        Map<Lane.Role, Lane> firsts = new LinkedHashMap<>();
        computing.forEach(lane -> firsts.putIfAbsent(lane.role(), lane));
        for (Lane lane : firsts.values()) {
            untilSteady(List.of(lane), ALONE, enough);
        }
        if (computing.size() > 1) {
            untilSteady(computing, TOGETHER, enough);
        }
        for (Lane lane : executor.lanes()) {
            for (KvTransfer transfer : shapes.transfers(lane)) {
                untilSteady(TOGETHER, enough, () -> {
                    KvTransfer next = new KvTransfer(stepNumber++, transfer.from(), transfer.fromBlocks(),
                            transfer.to(), transfer.toBlocks(), transfer.positions());
                    executor.submit(lane, next, outcomes::add);
                    return slowest(1);
                });
            }
        }
    }

    /// Runs each shape on all these lanes at once; a lane with fewer shapes repeats its last one.
    private void untilSteady(List<Lane> lanes, Patience patience, BooleanSupplier enough)
            throws ExecutorException, InterruptedException {
        Map<Lane, List<Step>> steps = new LinkedHashMap<>();
        int most = 0;
        for (Lane lane : lanes) {
            List<Step> ofLane = shapes.steps(lane);
            if (!ofLane.isEmpty()) {
                steps.put(lane, ofLane);
                most = Math.max(most, ofLane.size());
            }
        }
        for (int i = 0; i < most; i++) {
            int shape = i;
            untilSteady(patience, enough, () -> {
                for (Map.Entry<Lane, List<Step>> of : steps.entrySet()) {
                    Step step = of.getValue().get(Math.min(shape, of.getValue().size() - 1));
                    executor.submit(of.getKey(), new Step(stepNumber++, step.slices(), step.paddingRows(), false),
                            outcomes::add);
                }
                return slowest(steps.size());
            });
        }
    }

    private void untilSteady(Patience patience, BooleanSupplier enough, Round round)
            throws ExecutorException, InterruptedException {
        long start = clock.nanos();
        List<Long> times = new ArrayList<>();
        while (!enough.getAsBoolean()
                && (times.size() < patience.leastRounds() || improving(times, patience.window()))) {
            times.add(round.nanos());
            if (clock.nanos() - start > shapeBudgetNanos) {
                return;
            }
        }
    }

    /// Whether the best of the last rounds is faster than all earlier rounds by more than noise.
    private static boolean improving(List<Long> times, int window) {
        int recent = times.size() - window;
        long before = times.subList(0, recent).stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        long now = times.subList(recent, times.size()).stream().mapToLong(Long::longValue).min().orElse(0);
        return now < before * STILL_IMPROVING;
    }

    /// Waits for this many outcomes and returns their longest time.
    private long slowest(int count) throws ExecutorException, InterruptedException {
        long slowest = 0;
        for (int i = 0; i < count; i++) {
            StepOutcome outcome = outcomes.poll(STEP_SECONDS, TimeUnit.SECONDS);
            slowest = Math.max(slowest, switch (outcome) {
                case null -> throw new ExecutorException("A warm-up step did not end within " + STEP_SECONDS
                        + " s. Choose a smaller engine or more threads.");
                case StepOutcome.Failed(ExecutorException cause) -> throw cause;
                case StepOutcome.Transferred moved -> moved.endNanos() - moved.startNanos();
                case StepOutcome.Completed done -> done.endNanos() - done.startNanos();
            });
        }
        return slowest;
    }

    /// The number of rounds.
    ///
    /// @param leastRounds minimum rounds, more than the window
    /// @param window number of last rounds that are compared with the earlier ones
    private record Patience(int leastRounds, int window) {}

    /// One run of a shape, on one lane or several.
    private interface Round {
        /// Time of the slowest lane.
        long nanos() throws ExecutorException, InterruptedException;
    }
}
