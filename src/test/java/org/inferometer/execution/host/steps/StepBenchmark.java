package org.inferometer.execution.host.steps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

/// Whole steps of a model of about 15 M parameters: decoding sequences at 128 positions of context, and prefilling. The gain of
/// batching is 16 times the rate of 16 sequences over the rate of one.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1,
        jvmArgsAppend = {"--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "-Xmx2g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class StepBenchmark {
    private static final int CONTEXT = 128;
    private static final ModelShape SHAPE =
            new ModelShape(ModelFamily.LLAMA, 8, 320, 1024, 5, 5, 64, 4096, 2048, false, 10_000, null, 1e-5);

    @Param({"INT4", "FP8"})
    Precision precision;

    @Param({"1", "16"})
    int sequences;

    @Param("FP32")
    HostOptions.Activations activations;

    @Param("2")
    int threads;

    private Executor executor;
    private Step decode;
    private Step prefill;

    /// Seconds inside steps and, of those, in matrix and attention kernels: what is missing to one of their ratio is the share
    /// outside the kernels.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Shares {
        /// Inside steps.
        public double stepSeconds;
        /// Of those, in kernels.
        public double kernelSeconds;

        /// Counters start at zero in every iteration.
        @Setup(Level.Iteration)
        public void clear() {
            stepSeconds = 0;
            kernelSeconds = 0;
        }
    }

    /// Opens the executor and fills the caches.
    @Setup
    public void open() throws ExecutorException {
        RandomModel model = RandomModel.of(SHAPE, precision, 1);
        HostOptions options = new HostOptions(threads, 1, true, 16, HostOptions.KvDtype.FP32,
                HostOptions.FloatActivations.BF16, activations);
        ExecutorSizes sizes = new ExecutorSizes(64L << 20, 512, 256, 16);
        executor = HostExecutor.open(model.shape(), model.weights(), options,
                LaneLayout.sharing(Math.max(1, options.lanes())), sizes, new SystemClock());
        List<StepSlice> slices = new ArrayList<>();
        for (int i = 0; i < sequences; i++) {
            int[] prompt = new int[CONTEXT];
            Arrays.setAll(prompt, k -> (k * 7) % SHAPE.vocabulary());
            StepSlice whole = new StepSlice(0, prompt, blocks(i), true, Sampling.GREEDY);
            run(new Step(0, List.of(whole), 0, false));
            slices.add(new StepSlice(CONTEXT, new int[]{i}, blocks(i), true, Sampling.GREEDY));
        }
        decode = new Step(0, slices, 0, false);
        prefill = new Step(0, List.of(new StepSlice(0, new int[CONTEXT], blocks(0), true, Sampling.GREEDY)), 0, false);
    }

    /// Ends the threads.
    @TearDown
    public void close() {
        executor.close();
    }

    private static int[] blocks(int sequence) {
        int[] table = new int[10];
        Arrays.setAll(table, k -> sequence * 10 + k);
        return table;
    }

    private StepOutcome.Completed run(Step step) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        executor.submit(executor.lanes().get(0), step, done::complete);
        return (StepOutcome.Completed) done.join();
    }

    private void run(Step step, Shares shares) {
        StepOutcome.Completed done = run(step);
        shares.stepSeconds += (done.endNanos() - done.startNanos()) / 1e9;
        shares.kernelSeconds += done.kernelNanos() / 1e9;
    }

    /// One token for every sequence.
    @Benchmark
    public void decode(Shares shares) {
        run(decode, shares);
    }

    /// A prompt of 128 tokens.
    @Benchmark
    public void prefill(Shares shares) {
        run(prefill, shares);
    }
}
