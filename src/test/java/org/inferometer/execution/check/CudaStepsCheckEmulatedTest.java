package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.steps.GemmSetup;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class CudaStepsCheckEmulatedTest {
    private static final StepSubject SMALL = StepSubject.SMALL.getFirst();
    private static final GemmSetup NO_LIBRARY = new GemmSetup(List.of(), 512, 1 << 20);
    private static final StepSubject TINY =
            new StepSubject(SMALL.id(), SMALL.name(), SMALL.shape(), true, SMALL.extent());

    private static EmulatedDriver smallDriver() {
        return EmulatedDriver.load().set(EmulatedDriver.Setting.MULTIPROCESSORS, 1)
                .set(EmulatedDriver.Setting.MEMORY_BYTES, 64 << 20);
    }

    private static List<BackendFigure> figures(GemmSetup gemm, StepSubject subject, Consumer<String> begun)
            throws Exception {
        return new CudaStepsCheck(new SystemClock(), "0", gemm, List.of(subject), KernelSizes.SMALL.effort(), 1)
                .figures(begun);
    }

    @Test
    void everyStepIsTimedInEveryFormat() throws Exception {
        smallDriver();
        List<String> begun = new ArrayList<>();
        List<BackendFigure> figures = figures(NO_LIBRARY, TINY, begun::add);
        assertThat(begun).containsExactly("steps of a tiny model in BF16", "steps of a tiny model in FP8",
                "steps of a tiny model in INT4", "steps of a tiny model in INT4 in groups of 64",
                "steps of a tiny model in INT4 in groups of 32");
        assertThat(figures).extracting(BackendFigure::id).filteredOn(id -> id.startsWith("cuda_steps_tiny_int4_g64_"))
                .containsExactly("cuda_steps_tiny_int4_g64_decode_1", "cuda_steps_tiny_int4_g64_decode_long",
                        "cuda_steps_tiny_int4_g64_decode_3", "cuda_steps_tiny_int4_g64_decode_3_top_p",
                        "cuda_steps_tiny_int4_g64_decode_ragged", "cuda_steps_tiny_int4_g64_prefill",
                        "cuda_steps_tiny_int4_g64_decode_1_no_dependent_launch",
                        "cuda_steps_tiny_int4_g64_decode_1_no_graphs", "cuda_steps_tiny_int4_g64_decode_1_queued");
        assertThat(figures).hasSize(45).allSatisfy(figure -> assertThat(figure.value()).isPositive().isFinite());
        assertThat(figures.getFirst().limit()).isEqualTo(OptionalDouble.of(0.70));
        assertThat(figures.getFirst().sentence()).startsWith("The fastest of ").contains("copies run at");
    }

    @Test
    @LongForm
    void aSmallModelHasNoLimit() throws Exception {
        smallDriver();
        assertThat(figures(NO_LIBRARY, SMALL, part -> {})).allSatisfy(figure -> assertThat(figure.limit()).isEmpty());
    }

    private static GemmSetup library() {
        return new GemmSetup(List.of(EmulatedDriver.cublasLt().toString()), 512, 1 << 20);
    }

    private static void requirePromptInFp8(List<BackendFigure> figures) {
        assertThat(figures).extracting(BackendFigure::id).filteredOn(id -> id.startsWith("cuda_steps_tiny_fp8_prefill"))
                .containsExactly("cuda_steps_tiny_fp8_prefill", "cuda_steps_tiny_fp8_prefill_of_cublaslt",
                        "cuda_steps_tiny_fp8_prefill_own", "cuda_steps_tiny_fp8_prefill_wgmma");
        assertThat(figures).allSatisfy(figure -> assertThat(figure.value()).isPositive().isFinite());
        assertThat(figures.get(6).sentence()).contains("BF16 on random numbers, does ");
        assertThat(figures.get(6).unit()).isEqualTo("%");
    }

    @Test
    void aPromptIsComparedWithWhatIsInstalled() throws Exception {
        smallDriver().set(EmulatedDriver.Setting.COMPUTE_CAPABILITY, 90);
        try (LoadedGpu gpu = LoadedGpu.open("0").with(library())) {
            List<BackendFigure> figures = new StepTimings(new SystemClock(), gpu, SMALL, DeviceFormat.FP8,
                    new StepTimings.Rates(1e9, 1e9, OptionalDouble.of(1e9)), 1).figures();
            requirePromptInFp8(figures);
            assertThat(figures).hasSize(12).allSatisfy(figure -> assertThat(figure.limit()).isEmpty());
        }
    }

    @Test
    @LongForm
    void promptsOfEveryFormatAreCompared() throws Exception {
        smallDriver().set(EmulatedDriver.Setting.COMPUTE_CAPABILITY, 90);
        List<BackendFigure> figures = figures(library(), SMALL, part -> {});
        requirePromptInFp8(figures);
        assertThat(figures).hasSize(60);
    }

    /// A gigabyte of weights does not fit in the heap of the command line.
    @Test
    void layersShareTheirWeightsOnTheHost() {
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 3, 32, 32, 2, 1, 64, 20, null);
        RandomModel model = new StepSubject("three", "", shape, false, TINY.extent()).model(DeviceFormat.BF16);
        assertThat(model.shape()).isEqualTo(shape);
        assertThat(model.weights().layers()).hasSize(3).allMatch(layer -> layer == model.weights().layers().getFirst());
    }

    /// Two for each of the weights of two matrices of hidden · query width, two of the KV width, three of the
    /// feed-forward part, and the head's.
    @Test
    void operationsOfAPromptAreThoseOfItsProducts() {
        assertThat(TINY.prefillFlops()).isEqualTo(2.0 * (20 * 32 * (2 * 128 + 2 * 64 + 3 * 32) + 32 * 20));
    }
}
