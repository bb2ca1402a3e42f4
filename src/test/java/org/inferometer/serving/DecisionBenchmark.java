package org.inferometer.serving;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.Selection;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.workload.RequestId;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What one decision costs with 256 requests running and 10,000 waiting: the scheduler alone, and the whole step with the ledger,
/// the step's assembly and its completion.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class DecisionBenchmark {
    private static final int RUNNING = 256;
    private static final int PROMPT = 16;
    private static final int OUTPUT = 2000;
    private static final StepModel MODEL = StepModel.affine(1, 0);

    @Param({"naive:batch_size=256", "simple", "simple:capacity=max_utilization", "continuous"})
    public String scheduler = "";

    @Param({"10000", "0"})
    public int waiting;

    private EngineCore core;
    private Capture capture;
    private final Refill refill = new Refill();
    private int next;

    @Setup(Level.Trial)
    public void fill() throws Exception {
        Limits limits = new Limits(RUNNING, 8192, 1 << 20);
        EngineSetup setup = Loads.setup(16, 1 << 17, limits);
        capture = new Capture(SchedulerRegistry.standard().create(Selection.parse(scheduler)));
        core = new EngineCore(setup, capture, refill, refill);
        for (int i = 0; i < RUNNING + waiting; i++) {
            core.arrive(Loads.request(next++, PROMPT, OUTPUT), next);
        }
        core.arrivalsEnded();
        for (int i = 0; i < 4; i++) {
            step();
        }
    }

    /// The scheduler alone, on books that stay as they are.
    @Benchmark
    public Decision decision() {
        return capture.scheduler.decide(Loads.LANE, Objects.requireNonNull(capture.view));
    }

    /// A whole step: decision, books, step, completion; whoever ends is replaced.
    @Benchmark
    public StepOutcome step() {
        if (core.decide(Loads.LANE, next) instanceof EngineCore.Next.Run(var step)) {
            StepOutcome outcome = MODEL.run(Loads.LANE, step, next);
            core.complete(Loads.LANE, outcome, next, 0);
            for (; refill.ended > 0; refill.ended--) {
                core.arrive(Loads.request(next++, PROMPT, OUTPUT), next);
            }
            core.arrivalsEnded();
            return outcome;
        }
        throw new IllegalStateException("nothing to run");
    }

    /// Keeps the view, to ask again without the books changing.
    private static final class Capture implements Scheduler {
        private final Scheduler scheduler;
        private @Nullable EngineView view;

        private Capture(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        public Decision decide(Lane lane, EngineView seen) {
            view = seen;
            return scheduler.decide(lane, seen);
        }
    }

    /// Counts who ended and forgets the rest.
    private static final class Refill implements RequestListener, EngineListener {
        private int ended;

        @Override
        public void admitted(RequestId request, long nanos) {}

        @Override
        public void prefillStarted(RequestId request, long nanos) {}

        @Override
        public void tokens(RequestId request, long nanos, int[] tokens) {}

        @Override
        public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
            ended++;
        }

        @Override
        public void stepEnded(StepReport step) {}

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {}

        @Override
        public void engineFailed(long nanos, String sentence) {
            throw new IllegalStateException(sentence);
        }
    }
}
