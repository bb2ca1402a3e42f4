package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.steps.GemmSetup;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// cuBLASLt beside the kernels; a stand-in computes on the emulated device.
class LibraryTimingsEmulatedTest {
    private static final int ROUNDS = 2;
    private static final int LAUNCHES = 3;
    /// Products of 16 rows are not timed by the library.
    private static final KernelSizes TINY =
            new KernelSizes(RandomModel.shape(ModelFamily.LLAMA, 1, 64, 96, 2, 1, 32, 300, null), List.of(16, 64, 80),
                    List.of(), new KernelSizes.Effort(80_000, 4096, LAUNCHES, ROUNDS, 2));

    private final EmulatedDriver driver = EmulatedDriver.load();

    @AfterEach
    void nothingIsLeft() {
        assertThat(Arrays.stream(Count.values()).filter(count -> count.name().startsWith("LIVE"))
                .filter(count -> driver.count(count) != 0)).isEmpty();
    }

    private static List<BackendFigure> run(String library) throws Exception {
        try (LoadedGpu gpu = LoadedGpu.open("0").with(new GemmSetup(List.of(library), 512, 1 << 20));
                KernelTimer timer = new KernelTimer(ROUNDS)) {
            return new LibraryTimings(gpu, timer, new DevicePeaks(4e12, 800e12), TINY).run();
        }
    }

    @Test
    void largeProductsHaveATime() throws Exception {
        List<BackendFigure> figures = run(EmulatedDriver.cublasLt().toString());
        assertThat(figures).extracting(BackendFigure::id)
                .isEqualTo(List.of("cuda_kernels_cublaslt_qkv_64", "cuda_kernels_cublaslt_qkv_80",
                        "cuda_kernels_cublaslt_output_64", "cuda_kernels_cublaslt_output_80",
                        "cuda_kernels_cublaslt_gate_up_64", "cuda_kernels_cublaslt_gate_up_80",
                        "cuda_kernels_cublaslt_down_64", "cuda_kernels_cublaslt_down_80"));
        assertThat(figures).allMatch(figure -> figure.value() > 0 && figure.sentence().contains("TFLOP/s"));
        // There are 3, 5, 2 and 5 copies of weights: each is multiplied once a round at least.
        assertThat(driver.launches("cublasLtMatmul")).isEqualTo(2 * (ROUNDS + 1) * (3 + 5 + 3 + 5));
    }

    @Test
    void withoutTheLibraryThereIsNoFigure() throws Exception {
        assertThat(run("libno-such-cublasLt.so.13")).isEmpty();
        assertThat(driver.launches("cublasLtMatmul")).isZero();
    }
}
