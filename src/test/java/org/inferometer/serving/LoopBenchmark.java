package org.inferometer.serving;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.inferometer.execution.Executor;
import org.inferometer.execution.Executor.ExecutorDevice;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob;
import org.inferometer.execution.StepOutcome;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.target.RequestListener;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.RequestId;

/// Steps a second of the live loop against an executor that does nothing, with 64 requests running and listeners that write every
/// instant down. A main program: `LoopBenchmark [rounds]`.
public final class LoopBenchmark {
    private static final int RUNNING = 64;
    private static final int OUTPUT = 10_000;

    private LoopBenchmark() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        for (String scheduler : new String[]{"naive:batch_size=64", "simple", "simple:capacity=max_utilization",
                "continuous"}) {
            for (int round = 0; round < rounds; round++) {
                measure(scheduler);
            }
        }
    }

    private static void measure(String scheduler) throws Exception {
        EngineSetup setup = TestRequests.setup(16, 1 << 16, new Limits(RUNNING, 1 << 14, 1 << 20));
        int requests = RUNNING * 10;
        Recorder recorder = new Recorder(requests);
        SystemClock clock = new SystemClock();
        try (EngineLoop loop = EngineLoop.start(new NullExecutor(setup), setup.limits(),
                SchedulerRegistry.standard().create(Selection.parse(scheduler)), clock, recorder, recorder)) {
            long start = clock.nanos();
            for (int i = 0; i < requests; i++) {
                loop.send(TestRequests.request(i, 16, OUTPUT));
            }
            loop.arrivalsEnded();
            recorder.ended.await();
            double seconds = (clock.nanos() - start) / 1e9;
            System.err.printf(Locale.ROOT, "%-34s %,9.0f steps/s, %,12.0f tokens/s, mean decision %.1f us%n", scheduler,
                    recorder.steps.get() / seconds, recorder.tokens / seconds,
                    recorder.decisionNanos / 1e3 / recorder.steps.get());
        }
    }

    /// Answers every step before `submit` returns.
    private record NullExecutor(EngineSetup setup) implements Executor {
        @Override
        public String description() {
            return "null";
        }

        @Override
        public java.util.List<Lane> lanes() {
            return setup.lanes();
        }

        @Override
        public java.util.List<KvGeometry> pools() {
            return setup.pools();
        }

        @Override
        public int maxStepPositions() {
            return setup.limits().maxStepPositions();
        }

        @Override
        public List<ExecutorDevice> devices() {
            return List.of(ExecutorDevice.cpu(setup.memory().get()));
        }

        @Override
        public void submit(Lane lane, LaneJob job, Consumer<StepOutcome> whenDone) {
            whenDone.accept(new AffineSteps(1, 0).outcome(lane, job, 0));
        }

        @Override
        public void close() {}
    }

    /// Keeps the instants of the last tokens in a ring, as a recorder would.
    private static final class Recorder implements RequestListener, EngineListener {
        private final CountDownLatch ended;
        private final long[] instants = new long[1 << 16];
        private final AtomicLong steps = new AtomicLong();
        private long tokens;
        private long decisionNanos;

        private Recorder(int requests) {
            ended = new CountDownLatch(requests);
        }

        @Override
        public void admitted(RequestId request, long nanos) {}

        @Override
        public void prefillStarted(RequestId request, long nanos) {}

        @Override
        public void tokens(RequestId request, long nanos, int[] ids) {
            instants[(int) (tokens++ & (instants.length - 1))] = nanos;
        }

        @Override
        public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
            ended.countDown();
        }

        @Override
        public void stepEnded(StepReport step) {
            steps.lazySet(steps.get() + 1);
            decisionNanos += step.decisionNanos();
        }

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {}

        @Override
        public void engineFailed(long nanos, String sentence) {
            throw new IllegalStateException(sentence);
        }
    }
}
