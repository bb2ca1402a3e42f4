package org.inferometer.execution.host.steps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.openjdk.jmh.annotations.AuxCounters;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The same work on one lane of two threads and on two lanes of one thread, in turn, so that their ratio is of one run: 16 or 32 sequences
/// decoding at 128 positions of context, and 4 prefills of 64. A model of about 15 M parameters.
///
/// Each operation does the work once on either; `oneLaneSeconds` and `twoLanesSeconds` are the times of the two. Idle lanes sleep, so
/// the one does not disturb the other.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class LaneBenchmark {
    private static final int CONTEXT = 128;
    private static final int SEQUENCES = 16;
    private static final int PREFILLS = 4;
    private static final int PREFILL_POSITIONS = 64;
    private static final ModelShape SHAPE =
            new ModelShape(ModelFamily.LLAMA, 8, 320, 1024, 5, 5, 64, 4096, 2048, false, 10_000, null, 1e-5);

    @Param({"INT4", "FP8"})
    Precision precision;

    @Param("FP32")
    HostOptions.Activations activations;

    private final SystemClock clock = new SystemClock();
    private Executor oneLane;
    private Executor twoLanes;
    private boolean oneLaneFirst;

    /// Seconds that the work took on either.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Times {
        /// On one lane of two threads.
        public double oneLaneSeconds;
        /// On two lanes of one thread.
        public double twoLanesSeconds;

        /// Counters start at zero in every iteration.
        @Setup(Level.Iteration)
        public void clear() {
            oneLaneSeconds = 0;
            twoLanesSeconds = 0;
        }
    }

    /// Opens both executors and fills their caches.
    @Setup
    public void open() throws ExecutorException {
        RandomModel model = RandomModel.of(SHAPE, precision, 1);
        oneLane = open(model, 1, 2);
        twoLanes = open(model, 2, 1);
        for (Executor executor : List.of(oneLane, twoLanes)) {
            for (int sequence = 0; sequence < 2 * SEQUENCES; sequence++) {
                run(executor, List.of(List.of(slice(sequence, 0, CONTEXT))));
            }
        }
    }

    private Executor open(RandomModel model, int lanes, int threads) throws ExecutorException {
        HostOptions options = new HostOptions(threads, lanes, true, 16, HostOptions.KvDtype.FP32,
                HostOptions.FloatActivations.FP32, activations);
        ExecutorSizes sizes = new ExecutorSizes(128L << 20, 512, 256, SEQUENCES);
        return HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(lanes), sizes, clock);
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        oneLane.close();
        twoLanes.close();
    }

    private static StepSlice slice(int sequence, int first, int count) {
        int[] blocks = new int[10];
        Arrays.setAll(blocks, k -> sequence * 10 + k);
        int[] tokens = new int[count];
        Arrays.setAll(tokens, k -> (k * 7 + sequence) % SHAPE.vocabulary());
        return new StepSlice(first, tokens, blocks, true, Sampling.GREEDY);
    }

    /// Runs a step on each lane at once and answers the seconds until all are done.
    private double run(Executor executor, List<List<StepSlice>> lanes) {
        long start = clock.nanos();
        List<CompletableFuture<StepOutcome>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            CompletableFuture<StepOutcome> done = new CompletableFuture<>();
            executor.submit(executor.lanes().get(lane), new Step(0, lanes.get(lane), 0, false), done::complete);
            running.add(done);
        }
        for (CompletableFuture<StepOutcome> done : running) {
            if (!(done.join() instanceof StepOutcome.Completed)) {
                throw new IllegalStateException("A step failed: " + done.join());
            }
        }
        return (clock.nanos() - start) / 1e9;
    }

    private void compare(List<StepSlice> slices, Times times) {
        List<StepSlice> first = slices.subList(0, slices.size() / 2);
        List<StepSlice> second = slices.subList(slices.size() / 2, slices.size());
        compare(times, () -> run(oneLane, List.of(slices)), () -> run(twoLanes, List.of(first, second)));
    }

    private void compare(Times times, DoubleSupplier one, DoubleSupplier two) {
        oneLaneFirst = !oneLaneFirst;
        if (oneLaneFirst) {
            times.oneLaneSeconds += one.getAsDouble();
        }
        times.twoLanesSeconds += two.getAsDouble();
        if (!oneLaneFirst) {
            times.oneLaneSeconds += one.getAsDouble();
        }
    }

    private static List<StepSlice> decodes(int firstSequence, int count) {
        return IntStream.range(firstSequence, firstSequence + count).mapToObj(i -> slice(i, CONTEXT, 1)).toList();
    }

    /// One token for each of 16 sequences.
    @Benchmark
    public void decode(Times times) {
        compare(decodes(0, SEQUENCES), times);
    }

    /// One token for each of 32 sequences: 16 on each lane at once, or two steps of 16 on the one lane.
    @Benchmark
    public void decodeFull(Times times) {
        List<StepSlice> first = decodes(0, SEQUENCES);
        List<StepSlice> second = decodes(SEQUENCES, SEQUENCES);
        compare(times, () -> run(oneLane, List.of(first)) + run(oneLane, List.of(second)),
                () -> run(twoLanes, List.of(first, second)));
    }

    /// Four prompts of 64 tokens.
    @Benchmark
    public void prefill(Times times) {
        compare(IntStream.range(0, PREFILLS).mapToObj(sequence -> slice(sequence, 0, PREFILL_POSITIONS)).toList(),
                times);
    }
}
