package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.RequestListener;
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
/// the step's assembly and its completion. A scheduler with several lanes is asked for each in turn.
///
/// Prompts differ in length, so in each step one request in 16 begins a block. With `-prof gc` the bytes of a decision must not
/// depend on how many wait.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
public class DecisionBenchmark {
    private static final int RUNNING = 256;
    private static final int BLOCK = 16;
    private static final int OUTPUT = 2000;
    private static final int MOST_PASSES = 1000;
    private static final StepModel MODEL = new AffineSteps(1, 0);

    @Param({"naive:batch_size=256", "dynamic:batch_size=256,max_batch_size=256", "simple",
            "simple:capacity=max_utilization", "simple:capacity=static_batch",
            "simple:chunking=first_come_first_served", "simple:chunking=equal_progress", "parallel",
            "parallel:strategy=round_robin", "parallel:strategy=balanced", "parallel:strategy=runtime",
            "parallel:sync=false", "parallel:sync=false,strategy=runtime",
            "parallel:fusion=true,capacity=max_utilization", "parallel:limits=per_stream", "continuous",
            "continuous:prefix_caching=false", "disaggregated", "disaggregated:ctx=2,gen=2"})
    public String scheduler = "";

    @Param({"10000", "100"})
    public int waiting;

    private EngineCore core;
    private Capture capture;
    private List<Lane> lanes;
    private final Refill refill = new Refill();
    private int next;
    private int turn;

    @Setup(Level.Trial)
    public void fill() throws Exception {
        Limits limits = new Limits(RUNNING, 8192, 1 << 20);
        Selection selection = Selection.parse(scheduler);
        EngineSetup setup = setup(SchedulerRegistry.standard().find(selection.name()).layout(selection, 0), limits);
        lanes = setup.lanes();
        capture = new Capture(SchedulerRegistry.standard().create(selection));
        core = new EngineCore(setup, capture, refill, refill);
        for (int i = 0; i < RUNNING + waiting; i++) {
            arrive();
        }
        core.arrivalsEnded();
        for (int i = 0; i < MOST_PASSES && (i < BLOCK || generating() < RUNNING); i++) {
            step();
        }
    }

    /// The scheduler alone, on books that stay as they are.
    @Benchmark
    public Decision decision() {
        turn = (turn + 1) % lanes.size();
        return capture.scheduler.decide(lanes.get(turn), Objects.requireNonNull(capture.view));
    }

    /// A whole step of every lane: decisions, books, steps, completions; whoever ends is replaced.
    @Benchmark
    public int step() {
        List<StepOutcome> outcomes = new ArrayList<>();
        List<Lane> busy = new ArrayList<>();
        for (Lane lane : lanes) {
            switch (core.decide(lane, next)) {
                case LaneAction.Start(var job) -> {
                    busy.add(lane);
                    outcomes.add(MODEL.outcome(lane, job, next));
                }
                case LaneAction.Wait _ -> {}
            }
        }
        for (int i = 0; i < outcomes.size(); i++) {
            core.complete(busy.get(i), outcomes.get(i), next);
        }
        for (; refill.ended > 0; refill.ended--) {
            arrive();
        }
        core.arrivalsEnded();
        return outcomes.size();
    }

    private void arrive() {
        core.arrive(TestRequests.request(next, BLOCK + next % BLOCK, OUTPUT), next);
        next++;
    }

    private int generating() {
        EngineView view = capture.view;
        return view == null ? 0 : (int) view.running().stream().filter(progress -> !progress.inContext()).count();
    }

    private static EngineSetup setup(LaneLayout layout, Limits limits) {
        List<KvGeometry> pools = new ArrayList<>();
        for (double share : layout.poolShares()) {
            pools.add(new KvGeometry(new PoolId(pools.size()), BLOCK, (int) (share * (1 << 17)), 1024));
        }
        return new EngineSetup(layout.lanes(), pools, limits, () -> new OwnedMemory(1000, 0, 0, 0));
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

        @Override
        public boolean reusesPrefixes() {
            return scheduler.reusesPrefixes();
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
