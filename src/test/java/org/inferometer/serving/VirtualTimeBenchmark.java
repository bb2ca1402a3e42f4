package org.inferometer.serving;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.options.Selection;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.target.RequestListener;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.RequestId;

/// Seconds that a run of 100,000 requests of 16 tokens takes in virtual time: all at once, one by one faster than they are
/// served, and one by one slower. A main program: `VirtualTimeBenchmark [requests [lanes [scheduler...]]]`.
public final class VirtualTimeBenchmark {
    private static final int TOKENS = 16;
    private static final int BLOCKS = 1 << 15;

    private VirtualTimeBenchmark() {}

    public static void main(String[] args) throws Exception {
        int requests = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int lanes = args.length > 1 ? Integer.parseInt(args[1]) : 1;
        List<String> schedulers =
                args.length > 2 ? List.of(args).subList(2, args.length) : RandomSchedulers.REGISTRY.names();
        for (String scheduler : schedulers) {
            measure(Selection.parse(scheduler), lanes, requests, 0);
            measure(Selection.parse(scheduler), lanes, requests, 10_000);
            measure(Selection.parse(scheduler), lanes, requests, 1_000_000);
        }
    }

    private static void measure(Selection scheduler, int lanes, int requests, long gapNanos) throws Exception {
        SystemClock clock = new SystemClock();
        LaneLayout layout = RandomSchedulers.REGISTRY.find(scheduler.name()).layout(scheduler, lanes);
        EngineSetup setup = new RandomLoad(lanes, TOKENS, BLOCKS, new Limits(64, 2048, 4096), List.of()).setup(layout);
        Counts counts = new Counts();
        VirtualEngine engine = new VirtualEngine(setup, RandomSchedulers.create(scheduler),
                new AffineSteps(100_000, 1_000), counts, counts);
        long start = clock.nanos();
        long startCpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < requests; i++) {
            engine.sendAt(i * gapNanos, TestRequests.request(i, TOKENS, TOKENS));
        }
        engine.run();
        double cpuSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startCpu) / 1e9;
        double seconds = (clock.nanos() - start) / 1e9;
        System.err.printf(Locale.ROOT,
                "%-24s %d lanes, gap %6d ns: %6.2f s, of CPU %6.2f s, %,9d steps, %,7.2f us a step, %d ended, %d blocks held%n",
                scheduler, setup.lanes().size(), gapNanos, seconds, cpuSeconds, counts.steps,
                cpuSeconds * 1e6 / counts.steps, counts.ended,
                setup.pools().stream().map(KvGeometry::pool).mapToInt(engine.core()::heldBlocks).sum());
    }

    private static final class Counts implements RequestListener, EngineListener {
        private long steps;
        private long ended;

        @Override
        public void admitted(RequestId request, long nanos) {}

        @Override
        public void prefillStarted(RequestId request, long nanos) {}

        @Override
        public void tokens(RequestId request, long nanos, int[] tokens) {}

        @Override
        public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
            ended += status == RequestStatus.OK ? 1 : 0;
        }

        @Override
        public void stepEnded(StepReport step) {
            steps++;
        }

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {}

        @Override
        public void engineFailed(long nanos, String sentence) {
            throw new IllegalStateException(sentence);
        }
    }
}
