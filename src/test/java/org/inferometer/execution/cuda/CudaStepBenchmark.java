package org.inferometer.execution.cuda;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ConcurrentSteps;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Milliseconds of whole steps on the first GPU, on two layers of an 8-billion model: one sequence, many together, many on two
/// streams, and a prompt. Beside them the tensor-core instruction alone, which bounds the prompt.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xmx4g"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CudaStepBenchmark {
    private static final int TOGETHER = 64;
    private static final int PROMPT = 511;
    private static final int CONTEXT = 128;
    private static final int BLOCK_TOKENS = 16;
    private static final int TENSOR_ITERATIONS = 4096;
    private static final int TENSOR_BLOCKS_EACH = 4;

    @Param({"INT4", "FP8"})
    Precision precision;

    private Executor executor;
    private Executor twoStreams;

    /// Uploads the model twice, for one stream and for two.
    @Setup
    public void open() throws ExecutorException {
        RandomModel model = RandomModel.of(CudaDecodeCheck.LAYERS, precision, 1);
        executor = open(model, 1);
        twoStreams = open(model, 2);
    }

    private static Executor open(RandomModel model, int lanes) throws ExecutorException {
        ModelShape shape = model.shape();
        CudaOptions options = new CudaOptions("0", lanes, BLOCK_TOKENS, CudaOptions.KvDtype.FP16, true);
        int blocks = TOGETHER * Math.ceilDiv(CONTEXT + 1, BLOCK_TOKENS);
        ExecutorSizes sizes =
                new ExecutorSizes(blocks * CudaKvPool.blockBytes(shape, options), PROMPT, PROMPT + 1, TOGETHER);
        return CudaExecutor.open(shape, model.weights(), options, LaneLayout.sharing(lanes), sizes, new SystemClock());
    }

    /// Frees the device's memory.
    @TearDown
    public void close() {
        executor.close();
        twoStreams.close();
    }

    /// One token of one sequence.
    @Benchmark
    public Object decodeOne() throws Exception {
        return new ConcurrentSteps(executor).run(decode(1, 1));
    }

    /// One token of each of 64 sequences on one stream.
    @Benchmark
    public Object decodeTogether() throws Exception {
        return new ConcurrentSteps(executor).run(decode(1, TOGETHER));
    }

    /// The same on two streams, which read the weights twice.
    @Benchmark
    public Object decodeOnTwoStreams() throws Exception {
        return new ConcurrentSteps(twoStreams).run(decode(2, TOGETHER / 2));
    }

    /// A prompt of 511 tokens.
    @Benchmark
    public Object prefill() throws Exception {
        int[] blocks = IntStream.range(0, Math.ceilDiv(PROMPT, BLOCK_TOKENS)).toArray();
        StepSlice slice = new StepSlice(0, new int[PROMPT], blocks, true, Sampling.GREEDY);
        return new ConcurrentSteps(executor).run(List.of(new Step(0, List.of(slice), 0, false)));
    }

    /// Device seconds of 4096 · 8 BF16 instructions m16n8k16 in each warp, four blocks of eight warps a multiprocessor.
    @Benchmark
    public double tensorCoreInstruction() throws ExecutorException {
        try (LoadedGpu gpu = LoadedGpu.open("0");
                DeviceMemory memory = new DeviceMemory(gpu.device());
                Arena arena = Arena.ofConfined()) {
            int blocks = TENSOR_BLOCKS_EACH * gpu.device().multiprocessors();
            DeviceAddress out =
                    memory.take(DeviceMemory.Owner.WORKSPACE, (long) Float.BYTES * blocks * KernelTiles.RATE_THREADS);
            Kernel kernel = gpu.module().kernel("mma_rate", KernelTiles.RATE_THREADS, 0);
            KernelArguments arguments = KernelArguments.of(KernelStruct.MMA_RATE, arena).address("out", out)
                    .integer("iterations", TENSOR_ITERATIONS).build();
            return DeviceRates.bestSeconds(stream -> arguments.launch(kernel, stream, blocks, 1, 1));
        }
    }

    private static List<Step> decode(int lanes, int sequencesEach) {
        int blocksEach = Math.ceilDiv(CONTEXT + 1, BLOCK_TOKENS);
        List<Step> steps = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequencesEach; i++) {
                int first = (lane * sequencesEach + i) * blocksEach;
                int[] blocks = IntStream.range(first, first + blocksEach).toArray();
                slices.add(new StepSlice(CONTEXT, new int[]{i}, blocks, true, Sampling.GREEDY));
            }
            steps.add(new Step(0, slices, 0, false));
        }
        return steps;
    }
}
