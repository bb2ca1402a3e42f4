package org.inferometer.run;

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
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.units.Clock;

/// Runs an executor's kernels until they no longer get faster, before any request is sent: a just-in-time compiler, or a driver that
/// still links, must not be measured as the engine.
///
/// One lane of each kind goes first, alone: it finds the code that is not compiled yet. Then all that compute run side by side, so
/// that the threads, buffers and caches of each have been used; their code is compiled by then, so this takes about as long for many
/// lanes as for two. Last, the lanes that copy do so. Uses the KV pools, which nobody holds yet.
final class ExecutorWarmUp {
    /// Compilers take their time to notice what runs often.
    private static final Patience ALONE = new Patience(12, 8);
    /// What is left to warm up is warm after a few rounds.
    private static final Patience TOGETHER = new Patience(4, 2);
    private static final double STILL_IMPROVING = 0.93;
    private static final long STEP_SECONDS = 120;

    private final Executor executor;
    private final Clock clock;
    private final long shapeBudgetNanos;
    private final WarmUpShapes shapes;
    private final BlockingQueue<StepOutcome> outcomes;
    private long stepNumber;

    /// @param shapeBudgetNanos the longest time spent on one shape of step; a single step may take longer
    ExecutorWarmUp(Executor executor, Limits limits, Clock clock, long shapeBudgetNanos) {
        this.executor = executor;
        this.clock = clock;
        this.shapeBudgetNanos = shapeBudgetNanos;
        this.shapes = new WarmUpShapes(executor.lanes(), executor.pools(), limits);
        this.outcomes = new ArrayBlockingQueue<>(executor.lanes().size());
    }

    /// Warms every lane up on the calling thread.
    ///
    /// @param enough asked before every round; once true, no further one is run
    /// @throws ExecutorException when a step or a transfer fails
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

    /// Runs each shape on all these lanes at once; a lane that has fewer shapes than others repeats its last.
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

    /// Whether the best of the last few rounds beats the best of all before them by more than noise.
    private static boolean improving(List<Long> times, int window) {
        int recent = times.size() - window;
        long before = times.subList(0, recent).stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        long now = times.subList(recent, times.size()).stream().mapToLong(Long::longValue).min().orElse(0);
        return now < before * STILL_IMPROVING;
    }

    /// Waits for this many outcomes and answers the longest of their times.
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

    /// How long to look for improvement.
    ///
    /// @param leastRounds rounds in any case, more than the window
    /// @param window the last rounds, which must beat those before
    private record Patience(int leastRounds, int window) {}

    /// One run of a shape, on one lane or several.
    private interface Round {
        /// Time of the slowest lane.
        long nanos() throws ExecutorException, InterruptedException;
    }
}
