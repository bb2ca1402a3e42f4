package org.inferometer.run.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.LoadGenerator;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RunPhase;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.Phase;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.EngineLoop;
import org.inferometer.target.Target;
import org.inferometer.units.Clock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// Drives the engine loop with an executor that computes nothing, to measure loop, scheduler and recorders alone.
public final class NullLoad {
    private final Clock clock;
    private final SchedulerRegistry schedulers;

    public NullLoad(Clock clock, SchedulerRegistry schedulers) {
        this.clock = clock;
        this.schedulers = schedulers;
    }

    /// Steps per second while all rows run; empty if they never all ran or the engine failed.
    ///
    /// @param rows concurrent requests
    /// @param recorded receives every step, on the loop's thread
    public OptionalDouble stepsPerSecond(Selection scheduler, LaneLayout layout, int rows, int outputTokens,
            Consumer<StepReport> recorded) throws OptionException {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            requests.add(new Request(new RequestId(i), new int[]{1}, outputTokens, new Arrival.WhenFree(0),
                    Sampling.GREEDY));
        }
        RunPhase phase = new RunPhase(Phase.MEASURE, requests, new ArrivalProcess.ClosedLoop(rows));
        LiveCounters counters = new LiveCounters();
        LoadGenerator generator = new LoadGenerator(clock, new AtomicBoolean());
        RequestRecorder recorder = new RequestRecorder(phase, counters,
                outcome -> generator.requestEnded(outcome.id(), outcome.endNanos(), outcome.status()));
        Limits limits = new Limits(rows, rows, outputTokens + 1);
        StepCounter steps = new StepCounter(counters, rows, recorded);
        try (Executor executor = new NullExecutor(clock, layout, rows, outputTokens);
                Target target =
                        EngineLoop.start(executor, limits, schedulers.create(scheduler), clock, recorder, steps)) {
            generator.run(phase, target, recorder);
        }
        return steps.perSecond();
    }

    /// Counts the steps during which all rows were admitted.
    private static final class StepCounter implements EngineListener {
        private final LiveCounters counters;
        private final int rows;
        private final Consumer<StepReport> recorded;
        private final AtomicLong full = new AtomicLong();
        private long firstNanos;
        private long lastNanos;

        private StepCounter(LiveCounters counters, int rows, Consumer<StepReport> recorded) {
            this.counters = counters;
            this.rows = rows;
            this.recorded = recorded;
        }

        @Override
        public void stepEnded(StepReport step) {
            counters.queues(step.running(), step.waiting());
            recorded.accept(step);
            if (step.running() == rows) {
                if (full.getPlain() == 0) {
                    firstNanos = step.endNanos();
                }
                full.setPlain(full.getPlain() + 1);
                lastNanos = step.endNanos();
            }
        }

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {
            // Steps count regardless of preemptions.
        }

        @Override
        public void engineFailed(long nanos, String sentence) {
            System.getLogger(NullLoad.class.getName()).log(System.Logger.Level.WARNING,
                    "The engine loop's dry run ended early: {0}", sentence);
        }

        private OptionalDouble perSecond() {
            long steps = full.get();
            return steps > 1 && lastNanos > firstNanos
                    ? OptionalDouble.of((steps - 1) / ((lastNanos - firstNanos) / 1e9)) : OptionalDouble.empty();
        }
    }
}
