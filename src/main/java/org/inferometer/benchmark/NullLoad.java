package org.inferometer.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.KvTransfer;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.measurement.RequestOutcome;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.StepReport;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// Drives the engine loop with an executor that computes nothing: what the loop, the scheduler and the recorders reach by themselves.
final class NullLoad {
    private final Clock clock;
    private final SchedulerRegistry schedulers;
    private final TargetFactory targets;

    NullLoad(Clock clock, SchedulerRegistry schedulers, TargetFactory targets) {
        this.clock = clock;
        this.schedulers = schedulers;
        this.targets = targets;
    }

    /// Steps a second while all rows ran, recorders on.
    ///
    /// @param rows requests that run side by side
    double stepsPerSecond(Selection scheduler, int rows, int outputTokens) throws OptionException {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            requests.add(new Request(new RequestId(i), new int[] {1}, outputTokens, new Arrival.WhenFree(0), Sampling.GREEDY));
        }
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, new ArrivalProcess.ClosedLoop(rows));
        LiveCounters counters = new LiveCounters();
        LoadGenerator generator = new LoadGenerator(clock, new AtomicBoolean());
        List<RequestOutcome> ended = new ArrayList<>();
        RequestRecorder recorder = new RequestRecorder(phase, counters, outcome -> {
            ended.add(outcome);
            generator.requestEnded(outcome.endNanos());
        });
        Limits limits = new Limits(rows, rows, outputTokens + 1);
        StepCounter steps = new StepCounter(counters, rows);
        try (Executor executor = new NullExecutor(clock, rows, outputTokens);
                Target target = targets.open(executor, limits, schedulers.create(scheduler), clock, recorder, steps)) {
            generator.run(phase, target, recorder);
        }
        return steps.perSecond();
    }

    /// Counts the steps that had all rows in them.
    private static final class StepCounter implements EngineListener {
        private final LiveCounters counters;
        private final int rows;
        private final AtomicLong full = new AtomicLong();
        private long firstNanos;
        private long lastNanos;

        private StepCounter(LiveCounters counters, int rows) {
            this.counters = counters;
            this.rows = rows;
        }

        @Override
        public void stepEnded(StepReport step) {
            counters.queues(step.running(), step.waiting());
            if (step.slices().size() == rows) {
                if (full.getPlain() == 0) {
                    firstNanos = step.endNanos();
                }
                full.setPlain(full.getPlain() + 1);
                lastNanos = step.endNanos();
            }
        }

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {
            throw new IllegalStateException("The pool holds every request at its longest; " + request + " cannot be preempted");
        }

        @Override
        public void engineFailed(long nanos, String sentence) {
            throw new IllegalStateException(sentence);
        }

        private double perSecond() {
            return (full.get() - 1) / ((lastNanos - firstNanos) / 1e9);
        }
    }

    /// Every step is over at once.
    private record NullExecutor(Clock clock, int rows, int positions) implements Executor {
        private static final int BLOCK_TOKENS = 16;

        @Override
        public String description() {
            return "null executor";
        }

        @Override
        public List<Lane> lanes() {
            return List.of(new Lane(new LaneId(0), Lane.Role.ANY, new PoolId(0)));
        }

        @Override
        public List<KvGeometry> pools() {
            return List.of(new KvGeometry(new PoolId(0), BLOCK_TOKENS, rows * (positions / BLOCK_TOKENS + 2), 1));
        }

        @Override
        public int maxStepPositions() {
            return rows;
        }

        @Override
        public OwnedMemory memory() {
            return new OwnedMemory(0, 0, 0, 0);
        }

        @Override
        public void transfer(Lane lane, KvTransfer transfer, Consumer<StepOutcome> whenDone) {
            throw new IllegalStateException("The null executor has one pool.");
        }

        @Override
        public void submit(Lane lane, Step step, Consumer<StepOutcome> whenDone) {
            int sampled = 0;
            for (int i = 0; i < step.slices().size(); i++) {
                sampled += step.slices().get(i).sample() ? 1 : 0;
            }
            int[] tokens = new int[sampled];
            Arrays.fill(tokens, 1);
            long now = clock.nanos();
            whenDone.accept(new StepOutcome.Completed(tokens, now, now, 0, new float[0][]));
        }

        @Override
        public void close() {}
    }
}
