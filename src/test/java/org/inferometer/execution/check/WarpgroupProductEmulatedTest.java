package org.inferometer.execution.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.Gemm;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.device.DeviceFormat;
import org.inferometer.execution.cuda.device.WarpgroupTile;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.execution.cuda.steps.CudaAgainstReferenceEmulatedTest;
import org.inferometer.execution.cuda.steps.CudaExecutor;
import org.inferometer.execution.cuda.steps.LoadedGpu;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.LongForm;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Products of many tokens by warpgroups.
class WarpgroupProductEmulatedTest {
    private static final int LARGEST_STEP = 320;
    private static final int LENGTH = 75;

    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load().set(Setting.COMPUTE_CAPABILITY, 90);
    }

    @AfterEach
    void nothingStaysTaken() {
        assertThat(Arrays.stream(Count.values()).filter(count -> count.name().startsWith("LIVE"))
                .filter(count -> driver.count(count) != 0)).isEmpty();
    }

    private static Executor open(RandomModel model, Gemm gemm) throws ExecutorException {
        return CudaExecutor.open(model.shape(), model.weights(), new CudaOptions("0", 1, 16, KvDtype.FP16, false, gemm),
                LaneLayout.sharing(1), new ExecutorSizes(32 << 20, LARGEST_STEP, ExecutorRun.MAX_SEQUENCE, 16),
                new SystemClock());
    }

    private long products(DeviceFormat format, int tokens) {
        return driver.launches("wgmma_" + format.id() + "_" + tokens);
    }

    @ParameterizedTest
    @EnumSource
    void oddWidthsAgreeWithTheReference(DeviceFormat format) throws Exception {
        oddWidthsAgree(ModelFamily.GPT2, format);
    }

    @ParameterizedTest
    @EnumSource
    @LongForm
    void oddWidthsOfLlamaAgreeWithTheReference(DeviceFormat format) throws Exception {
        oddWidthsAgree(ModelFamily.LLAMA, format);
    }

    /// Outputs and inputs that are no multiples of tiles; 75, 150 and 300 tokens.
    private void oddWidthsAgree(ModelFamily family, DeviceFormat format) throws Exception {
        agree(RandomModel.of(RandomModel.odd(family), format.everywhere(), 7));
        assertThat(products(format, 128)).isPositive();
        assertThat(products(format, 256) > 0).isEqualTo(WarpgroupTile.TOKENS_256.has(format));
        assertThat(driver.launches("matmul_" + format.id() + "_64")).isZero();
    }

    private static void agree(RandomModel model) throws Exception {
        try (ExecutorRun run = new ExecutorRun(open(model, Gemm.WGMMA))) {
            int sequence = 0;
            for (int together : new int[]{1, 2, 4}) {
                List<int[]> tokens = new ArrayList<>();
                List<StepSlice> slices = new ArrayList<>();
                for (int i = 0; i < together; i++) {
                    tokens.add(CudaAgainstReferenceEmulatedTest.tokens(model, LENGTH, 3L + sequence));
                    slices.add(run.slice(sequence++, 0, tokens.getLast(), true));
                }
                StepOutcome.Completed done = run.step(0, slices.toArray(StepSlice[]::new));
                for (int i = 0; i < together; i++) {
                    double[][] expected =
                            ReferenceSequences.logits(model, CudaAgreement.rounding(KvDtype.FP16), tokens.get(i));
                    CudaAgainstReferenceEmulatedTest.assertLogits(List.of(done.logits()[i]),
                            new double[][]{expected[LENGTH - 1]}, 0.02, 0.01);
                }
            }
        }
    }

    /// Rings of stages wrap; with many multiprocessors blocks divide the inputs.
    @ParameterizedTest
    @CsvSource({"1, FP8", "132, INT4_G32"})
    void wideInputsAgreeWithTheReference(int multiprocessors, DeviceFormat format) throws Exception {
        driver.set(Setting.MULTIPROCESSORS, multiprocessors);
        AgreementExtent none = new AgreementExtent(List.of(2), 2);
        CudaAgreement agreement = new CudaAgreement(new SystemClock(), "0", part -> {},
                new Agreement.Load(none, none, 1100, 8), new CudaAgreement.LargeLoad(1024, none, none), 1);
        List<CudaAgreement.CudaCase> subjects = agreement.warpgroupSubjects();
        assertThat(subjects).hasSize(DeviceFormat.values().length);
        try (LoadedGpu gpu = LoadedGpu.open("0")) {
            AgreementCase figures = agreement.runWarpgroups(gpu, subjects.get(format.ordinal()));
            assertThat(figures.agrees()).as(figures.name() + ": " + figures.sentence()).isTrue();
        }
        assertThat(products(format, 128)).isPositive();
        assertThat(products(format, 256) > 0).isEqualTo(WarpgroupTile.TOKENS_256.has(format));
    }

    @ParameterizedTest
    @CsvSource({"1", "132"})
    @LongForm
    void wideInputsOfEveryFormatAgree(int multiprocessors) throws Exception {
        for (DeviceFormat format : DeviceFormat.values()) {
            wideInputsAgreeWithTheReference(multiprocessors, format);
        }
    }

    @Test
    void onlyTheOptionChoosesThem() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), DeviceFormat.BF16.everywhere(), 7);
        List<String> computes = new ArrayList<>();
        for (Gemm gemm : List.of(Gemm.WGMMA, Gemm.OWN)) {
            try (Executor executor = open(model, gemm)) {
                computes.add(Arrays.stream(executor.description().split(", ")).filter(part -> part.contains("products"))
                        .findFirst().orElseThrow());
            }
        }
        assertThat(computes).containsExactly("products of 65 and more tokens by wgmma", "own products");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"89 | 13000 | has 8.9, its driver CUDA 13.0",
            "100 | 13000 | has 10.0, its driver CUDA 13.0", "90 | 12000 | has 9.0, its driver CUDA 12.0"})
    void otherCardsAndOldDriversAreRefused(int capability, int version, String has) {
        driver.set(Setting.COMPUTE_CAPABILITY, capability).set(Setting.DRIVER_VERSION, version);
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), DeviceFormat.BF16.everywhere(), 7);
        assertThatThrownBy(() -> open(model, Gemm.WGMMA)).isInstanceOf(ExecutorException.class).hasMessageStartingWith(
                "gemm=wgmma needs compute capability 9.0 (H100, H200) and a driver for CUDA " + "12.1 or newer; ")
                .hasMessageEndingWith(has + ". Use gemm=own or gemm=auto.");
    }
}
