package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.Agreement;
import org.inferometer.execution.check.AgreementCase;
import org.inferometer.execution.check.AgreementExtent;
import org.inferometer.execution.check.CudaAgreement;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.check.ReferenceSequences;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.Gemm;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Products by cuBLASLt, for which a stand-in computes on the emulated device.
class CublasLtEmulatedTest {
    private static final String MISSING = "libno-such-cublasLt.so.13";
    private static final int LENGTH = 37;
    private static final int LARGEST_STEP = 128;

    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
    private final GemmSetup whole = setup(1, 1 << 20);
    private EmulatedDriver driver;
    private LoadedGpu gpu;

    private static GemmSetup setup(int leastTokens, long sliceBytes) {
        return new GemmSetup(List.of(MISSING, EmulatedDriver.cublasLt().toString()), leastTokens, sliceBytes);
    }

    @BeforeEach
    void openGpu() throws ExecutorException {
        driver = EmulatedDriver.load();
        gpu = LoadedGpu.open("0");
    }

    @AfterEach
    void closeGpu() {
        gpu.close();
        assertThat(Arrays.stream(Count.values()).filter(count -> count.name().startsWith("LIVE"))
                .filter(count -> driver.count(count) != 0)).isEmpty();
    }

    private Executor open(RandomModel of, GemmSetup setup, Gemm gemm, boolean graphs) throws ExecutorException {
        return CudaExecutor.open(gpu.with(setup), of.shape(), of.weights(),
                new CudaOptions("0", 1, 16, KvDtype.FP16, graphs, gemm), LaneLayout.sharing(1),
                new ExecutorSizes(8 << 20, LARGEST_STEP, ExecutorRun.MAX_SEQUENCE, 16), new SystemClock());
    }

    private long products() {
        return driver.launches("cublasLtMatmul");
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, BF16", "LLAMA, FP8", "LLAMA, INT4", "QWEN2, BF16", "QWEN2, FP8", "QWEN2, INT4", "QWEN3, FP8",
            "QWEN3, INT4", "GPT2, BF16", "GPT2, FP8", "GPT2, INT4"})
    void everyFormatAgreesWithTheReference(ModelFamily family, Precision precision) throws Exception {
        agrees(RandomModel.of(RandomModel.odd(family), precision, 7), whole);
        String format = precision.name().toLowerCase(Locale.ROOT);
        assertThat(List.of(driver.launches("widen_" + format), driver.launches("epilogue_" + format)))
                .containsOnly(products());
        assertThat(driver.launches("matmul_" + format + "_64")).isZero();
    }

    /// The smallest slices have one block of outputs of the epilogue.
    @ParameterizedTest
    @CsvSource({"LLAMA, INT4", "QWEN2, BF16", "QWEN3, FP8", "GPT2, INT4"})
    void slicesOfOutputsAgreeWithTheReference(ModelFamily family, Precision precision) throws Exception {
        agrees(RandomModel.of(RandomModel.odd(family), precision, 7), setup(1, 1));
    }

    private void agrees(RandomModel of, GemmSetup setup) throws Exception {
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(of, LENGTH, 3);
        double[][] expected = ReferenceSequences.logits(of, CudaAgreement.libraryRounding(KvDtype.FP16), tokens);
        try (ExecutorRun run = new ExecutorRun(open(of, setup, Gemm.CUBLASLT, false))) {
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 0.02, 0.01);
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(2, tokens, LENGTH), expected, 0.02, 0.01);
        }
        assertThat(products()).isPositive();
    }

    @Test
    void theSelfcheckComparesTheLibraryToo() throws Exception {
        Agreement.Load small = new Agreement.Load(new AgreementExtent(List.of(2, 13), 3),
                new AgreementExtent(List.of(2, 40), 2), 1100, 8);
        CudaAgreement agreement = new CudaAgreement(new SystemClock(), "0", part -> {}, small,
                new CudaAgreement.LargeLoad(256, small.odd(), small.odd()), 1);
        List<CudaAgreement.CudaCase> subjects = agreement.librarySubjects(1);
        assertThat(subjects).hasSize(17);
        AgreementCase figures = agreement.runLibrary(gpu.with(setup(512, 1 << 20)), subjects.getLast());
        assertThat(figures.agrees()).as(figures.sentence()).isTrue();
        assertThat(figures.name())
                .isEqualTo("wide Llama INT4 in groups of 32, FP16 cache, heads of 64, two streams, cuBLASLt");
        assertThat(products()).isPositive();
    }

    @Test
    void fewTokensStayOnOwnKernels() throws Exception {
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, LENGTH, 3);
        try (ExecutorRun run = new ExecutorRun(open(model, setup(16, 1 << 20), Gemm.AUTO, false))) {
            run.feed(0, tokens, 15, 15, 7);
            assertThat(products()).isZero();
            run.feed(1, tokens, 16, 16, 5);
            // Four products in each of two layers, twice.
            assertThat(products()).isEqualTo(16);
        }
    }

    /// The output and down projections have equal shapes, and tokens are padded to 32.
    @Test
    void theLibraryIsAskedOnceForEachShape() throws Exception {
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, LENGTH, 3);
        try (ExecutorRun run = new ExecutorRun(open(model, whole, Gemm.AUTO, false))) {
            run.feed(0, tokens, 15, 9);
            assertThat(driver.launches("cublasLtMatmulAlgoGetHeuristic")).isEqualTo(3);
            run.feed(1, tokens, LENGTH);
            assertThat(driver.launches("cublasLtMatmulAlgoGetHeuristic")).isEqualTo(6);
        }
    }

    @Test
    void recordedStepsStayOnOwnKernels() throws Exception {
        try (ExecutorRun run = new ExecutorRun(open(model, whole, Gemm.CUBLASLT, true))) {
            run.step(0, run.slice(0, 0, new int[]{1, 2, 3}, true));
            assertThat(products()).isEqualTo(8);
            run.step(0, run.slice(0, 3, new int[]{4}, true));
            assertThat(List.of(products(), driver.count(Count.GRAPH_LAUNCHES))).isEqualTo(List.of(8L, 1L));
        }
    }

    @Test
    void theDescriptionSaysWhatComputesProducts() throws Exception {
        assertThat(List.of(computes(whole, Gemm.AUTO), computes(setup(100, 1), Gemm.CUBLASLT),
                computes(setup(LARGEST_STEP + 1, 1), Gemm.AUTO), computes(whole, Gemm.OWN),
                computes(new GemmSetup(List.of(MISSING), 1, 1), Gemm.AUTO)))
                .isEqualTo(List.of("products of 1 and more tokens by cuBLASLt 13.1.2",
                        "products of 100 and more tokens by cuBLASLt 13.1.2", "own products", "own products",
                        "own products"));
    }

    private String computes(GemmSetup setup, Gemm gemm) throws ExecutorException {
        try (Executor executor = open(model, setup, gemm, false)) {
            return Arrays.stream(executor.description().split(", ")).filter(part -> part.contains("products"))
                    .findFirst().orElseThrow();
        }
    }

    @Test
    void aRequiredLibraryThatIsLackingIsNamed() {
        GemmSetup nowhere = new GemmSetup(List.of(MISSING, "libc.so.6"), 1, 1);
        assertThatThrownBy(() -> open(model, nowhere, Gemm.CUBLASLT, false)).isInstanceOf(ExecutorException.class)
                .hasMessageStartingWith("gemm=cublaslt needs cuBLASLt, which was not found (" + MISSING
                        + " cannot be loaded, libc.so.6: ")
                .hasMessageContaining("cublasLtGetProperty").hasMessageEndingWith(
                        "); install cuBLAS of CUDA 12 or 13 and let the loader find it (LD_LIBRARY_PATH, on Windows PATH), or use gemm=own.");
        assertThat(driver.count(Count.LIVE_ALLOCATIONS)).isZero();
    }

    @Test
    void aLibraryThatIsTooNewForTheDriverIsNotUsed() throws Exception {
        driver.set(Setting.LIBRARY_IS_TOO_NEW, 1);
        assertThat(computes(whole, Gemm.AUTO)).isEqualTo("own products");
        assertThatThrownBy(() -> open(model, whole, Gemm.CUBLASLT, false)).hasMessageContaining(
                EmulatedDriver.cublasLt() + " answered CUBLAS_STATUS_NOT_INITIALIZED (1)); install cuBLAS");
    }

    @Test
    void aFailedCallFailsTheStepWithItsStatus() throws Exception {
        try (ExecutorRun run = new ExecutorRun(open(model, whole, Gemm.CUBLASLT, false))) {
            driver.set(Setting.LIBRARY_ANSWERS, 13);
            StepOutcome outcome = run.start(0, List.of(run.slice(0, 0, new int[]{1, 2, 3}, true)), 0)
                    .orTimeout(60, TimeUnit.SECONDS).join();
            assertThat(outcome).isInstanceOfSatisfying(StepOutcome.Failed.class,
                    failed -> assertThat(failed.cause().getMessage())
                            .isEqualTo("Step 0 failed on GPU 0 (" + gpu.device().name()
                                    + "): cublasLtMatmul of 160 outputs, 256 inputs and 32 tokens answered "
                                    + "CUBLAS_STATUS_EXECUTION_FAILED (13); compute with gemm=own."));
            driver.set(Setting.LIBRARY_ANSWERS, 0);
            run.step(0, run.slice(0, 0, new int[]{1, 2, 3}, true));
        }
    }

    @Test
    void memoryOfTheLibraryIsCountedBeforehand() throws Exception {
        driver.set(Setting.MEMORY_BYTES, 36 << 20);
        open(model, whole, Gemm.OWN, false).close();
        assertThatThrownBy(() -> open(model, whole, Gemm.AUTO, false)).isInstanceOf(ExecutorException.class)
                .hasMessageContaining("This run needs").hasMessageContaining("gemm=own");
        assertThat(driver.count(Count.LIVE_ALLOCATIONS)).isZero();
    }
}
