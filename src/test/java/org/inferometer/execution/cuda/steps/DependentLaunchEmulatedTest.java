package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import jcuda.driver.JCudaDriver;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaFailure;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.Gemm;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.device.DependentLaunch;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.DeviceMemory;
import org.inferometer.execution.cuda.device.DeviceStream;
import org.inferometer.execution.cuda.device.KernelArguments;
import org.inferometer.execution.cuda.device.KernelModule.Kernel;
import org.inferometer.execution.cuda.device.KernelStruct;
import org.inferometer.execution.cuda.device.KernelTiles;
import org.inferometer.execution.cuda.device.LaunchFunction;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels that may start while the one before ends. In a graph, the emulated device runs the first block of such a kernel up
/// to its wait before the four kernels before it.
class DependentLaunchEmulatedTest {
    private static final Sampling TOP_P = new Sampling(1, 0, 0.9, 1);

    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load().set(Setting.COMPUTE_CAPABILITY, 90);
    }

    private static CudaOptions options(boolean graphs, boolean dependent) {
        return new CudaOptions("0", 1, 16, KvDtype.FP16, graphs, Gemm.OWN, dependent, 0);
    }

    private static StepSlice drawn() {
        return new StepSlice(0, new int[]{3}, new int[]{0}, true, TOP_P);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyLaunchButTheFirstOfAStepIsDependent(boolean graphs) throws Exception {
        try (CudaRun run = new CudaRun(model, options(graphs, true))) {
            assertThat(run.executor().description()).contains(", dependent launches,");
            long launches = driver.count(Count.LAUNCHES);
            assertThat(driver.count(Count.DEPENDENT_LAUNCHES)).isZero();
            run.step(0, drawn());
            run.step(0, run.slice(1, 0, new int[]{1, 2, 3}, true));
            assertThat(driver.count(Count.DEPENDENT_LAUNCHES)).isEqualTo(driver.count(Count.LAUNCHES) - launches - 2);
        }
    }

    @ParameterizedTest
    @CsvSource({"89, 13000, true", "90, 12020, true", "90, 13000, false"})
    void otherCardsDriversAndOptionsLaunchOrdinarily(int capability, int version, boolean dependent) throws Exception {
        driver.set(Setting.COMPUTE_CAPABILITY, capability).set(Setting.DRIVER_VERSION, version);
        try (CudaRun run = new CudaRun(model, options(true, dependent))) {
            assertLaunchesOrdinarily(run);
        }
    }

    @Test
    void aDriverWithoutTheFunctionLaunchesOrdinarily() throws Exception {
        LaneLayout layout = LaneLayout.sharing(1);
        ExecutorSizes sizes = new ExecutorSizes(8 << 20, 128, CudaRun.MAX_SEQUENCE, 16);
        try (LoadedGpu gpu = LoadedGpu.open("0").with(LaunchFunction.find(_ -> Optional.empty()));
                CudaRun run = new CudaRun(CudaExecutor.open(gpu, model.shape(), model.weights(), options(true, true),
                        layout, sizes, new SystemClock()))) {
            assertLaunchesOrdinarily(run);
        }
    }

    private void assertLaunchesOrdinarily(CudaRun run) {
        assertThat(run.executor().description()).contains(", no dependent launches,");
        run.step(0, drawn());
        assertThat(driver.count(Count.DEPENDENT_LAUNCHES)).isZero();
    }

    @ParameterizedTest
    @EnumSource(ModelFamily.class)
    void kernelsThatStartEarlyComputeTheSame(ModelFamily family) throws Exception {
        RandomModel wide = RandomModel.of(
                RandomModel.shape(family, 3, 1100, 40, 2, family == ModelFamily.GPT2 ? 2 : 1, 64, 50, null),
                Precision.INT4, 3);
        driver.set(Setting.MULTIPROCESSORS, 132);
        List<float[]> early = decoded(wide, true, 1, 4, 9);
        assertThat(driver.count(Count.DEPENDENT_LAUNCHES)).isPositive();
        assertThat(early.toArray(float[][]::new)).isDeepEqualTo(decoded(wide, false, 1, 4, 9).toArray(float[][]::new));
    }

    /// Steps of 48 and 96 rows, whose products have tiles of 64 and 128 tokens.
    @ParameterizedTest
    @EnumSource(value = DeviceFormat.class, names = {"BF16", "INT4", "INT4_G32"})
    void wideTilesThatStartEarlyComputeTheSame(DeviceFormat format) throws Exception {
        RandomModel wide = RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 2, 300, 40, 1, 1, 64, 50, null),
                format.everywhere(), 3);
        List<float[]> early = decoded(wide, true, 34, 66);
        assertThat(driver.launches("matmul_" + format.id() + "_64")).isPositive();
        assertThat(early.toArray(float[][]::new)).isDeepEqualTo(decoded(wide, false, 34, 66).toArray(float[][]::new));
    }

    @ParameterizedTest
    @EnumSource(value = ModelFamily.class, names = {"LLAMA", "GPT2"})
    void inputsInAnotherOrderThatStartEarlyComputeTheSame(ModelFamily family) throws Exception {
        RandomModel ordered = RandomModel.of(RandomModel.shape(family, 3, 300, 40, 2, 2, 64, 50, null),
                WeightFormats.all(Precision.INT4).withActOrder(), 3);
        List<float[]> early = decoded(ordered, true, 1, 9);
        assertThat(driver.launches("reorder")).isPositive();
        assertThat(early.toArray(float[][]::new)).isDeepEqualTo(decoded(ordered, false, 1, 9).toArray(float[][]::new));
    }

    /// The logits of recorded steps of these numbers of sequences, each twice.
    private static List<float[]> decoded(RandomModel model, boolean dependent, int... sequences) throws Exception {
        List<float[]> logits = new ArrayList<>();
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 80, 2);
        ExecutorSizes sizes =
                new ExecutorSizes(8 << 20, 128, CudaRun.MAX_SEQUENCE, Arrays.stream(sequences).max().orElseThrow());
        try (CudaRun run = new CudaRun(CudaExecutor.open(model.shape(), model.weights(), options(true, dependent),
                LaneLayout.sharing(1), sizes, new SystemClock()))) {
            for (int together : sequences) {
                for (int position = 0; position < 2; position++) {
                    int at = position;
                    logits.addAll(List.of(run.step(0, IntStream.range(0, together)
                            .mapToObj(i -> run.slice(i, at, new int[]{tokens[i + at]}, true)).toArray(StepSlice[]::new))
                            .logits()));
                }
            }
        }
        return logits;
    }

    @Test
    void aKernelThatDoesNotWaitIsFoundOut() throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0"); Arena arena = Arena.ofConfined()) {
            DependentLaunch launch = new DependentLaunch(gpu.launch().orElseThrow(), arena);
            Kernel rate = gpu.module().dependent(launch).kernel("mma_rate", KernelTiles.RATE_THREADS, 0);
            DeviceStream stream = new DeviceStream(0);
            try (DeviceMemory memory = new DeviceMemory(gpu.device())) {
                KernelArguments.of(KernelStruct.MMA_RATE, arena)
                        .address("out",
                                memory.take(DeviceMemory.Owner.WORKSPACE,
                                        (long) Float.BYTES * KernelTiles.RATE_THREADS))
                        .integer("iterations", 1).build().launch(rate, stream, 1, 1, 1);
                assertThatThrownBy(
                        () -> CudaFailure.require("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(stream)))
                        .hasMessageContaining("719");
            }
        }
        assertThat(driver.said()).contains("Kernel mma_rate, block (0, 0, 0)")
                .contains("ends without waiting for the launch before, on which it depends");
    }
}
