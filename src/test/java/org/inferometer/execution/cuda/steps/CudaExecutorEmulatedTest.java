package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaDevice;
import org.inferometer.execution.cuda.device.CudaDriverProbe;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Count;
import org.inferometer.execution.cuda.emulated.EmulatedDriver.Setting;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CudaExecutorEmulatedTest {
    private static final CudaOptions PLAIN = CudaRun.options(1, 16, KvDtype.FP16, false);
    private static final CudaOptions GRAPHS = CudaRun.options(1, 16, KvDtype.FP16, true);

    private final RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load();
    }

    @Test
    void recordedDecodeStepsChooseTheSameTokensAsLaunchedOnes() throws Exception {
        try (CudaRun plain = new CudaRun(model, PLAIN); CudaRun graphs = new CudaRun(model, GRAPHS)) {
            for (int together : new int[]{1, 2, 3, 5, 16}) {
                assertThat(generate(graphs, together)).as("%d together", together).isEqualTo(generate(plain, together));
            }
            assertThat(driver.count(Count.GRAPH_LAUNCHES)).isPositive();
        }
    }

    /// Tokens of sequences that are prefilled apart and then decode together.
    private List<List<Integer>> generate(CudaRun run, int sequences) {
        List<List<Integer>> chosen = new ArrayList<>();
        for (int i = 0; i < sequences; i++) {
            int[] prompt = CudaAgainstReferenceEmulatedTest.tokens(model, 3 + i, i);
            StepOutcome.Completed done = submit(run, List.of(run.slice(i, 0, prompt, true)));
            chosen.add(new ArrayList<>(List.of(done.tokens()[0])));
        }
        for (int step = 0; step < 3; step++) {
            List<StepSlice> slices = new ArrayList<>();
            for (int i = 0; i < sequences; i++) {
                slices.add(run.slice(i, 3 + i + step, new int[]{chosen.get(i).getLast()}, true));
            }
            int[] tokens = submit(run, slices).tokens();
            for (int i = 0; i < sequences; i++) {
                chosen.get(i).add(tokens[i]);
            }
        }
        return chosen;
    }

    private static StepOutcome.Completed submit(CudaRun run, List<StepSlice> slices) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        run.executor().submit(run.executor().lanes().getFirst(), new Step(1, slices, 0, false), done::complete);
        return ExecutorRun.completed(done);
    }

    @Test
    void aMixedStepGivesEachSequenceWhatItGetsAlone() throws Exception {
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 30, 1);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            run.step(0, run.slice(0, 0, Arrays.copyOf(tokens, 20), false),
                    run.slice(1, 0, Arrays.copyOf(tokens, 9), false));
            StepOutcome.Completed done = run.step(3, run.slice(0, 20, new int[]{tokens[20]}, true),
                    run.slice(1, 9, Arrays.copyOfRange(tokens, 9, 30), true),
                    run.slice(2, 0, Arrays.copyOf(tokens, 1), true));
            int[] positions = {20, 29, 0};
            for (int i = 0; i < positions.length; i++) {
                for (int id = 0; id < expected[0].length; id++) {
                    assertThat((double) done.logits()[i][id]).isCloseTo(expected[positions[i]][id],
                            org.assertj.core.data.Offset.offset(0.02 + 0.01 * Math.abs(expected[positions[i]][id])));
                }
            }
        }
    }

    @Test
    void lanesComputeSideBySideAndStayApart() throws Exception {
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 25, 2);
        try (CudaRun run = new CudaRun(model, CudaRun.options(2, 16, KvDtype.FP16, false))) {
            CompletableFuture<StepOutcome> first = run.start(0, List.of(run.slice(0, 0, tokens, true)), 0);
            CompletableFuture<StepOutcome> second = run.start(1, List.of(run.slice(1, 0, tokens, true)), 0);
            assertThat(ExecutorRun.completed(first).logits()).isDeepEqualTo(ExecutorRun.completed(second).logits());
        }
    }

    @ParameterizedTest
    @CsvSource({"FP16, 16, 0.02", "FP8, 16, 0.06", "FP8, 3, 0.06"})
    void aTransferCarriesASequenceToAnotherPool(KvDtype dtype, int blockTokens, double tolerance) throws Exception {
        LaneLayout layout = new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
                new Lane(new LaneId(1), Lane.Role.DECODE, new PoolId(1), -1),
                new Lane(new LaneId(2), Lane.Role.TRANSFER, new PoolId(1))), List.of(0.5, 0.5));
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, 21, 3);
        double[][] expected = CudaRun.reference(model, tokens, dtype);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, blockTokens, dtype, false), layout)) {
            ExecutorRun.completed(run.start(0, List.of(run.slice(3, 0, Arrays.copyOf(tokens, 20), false)), 0));
            CompletableFuture<StepOutcome> moved = new CompletableFuture<>();
            run.executor().submit(layout.lanes().get(2),
                    new KvTransfer(1, new PoolId(0), run.blocks(3), new PoolId(1), run.blocks(1), 20), moved::complete);
            StepOutcome outcome = moved.orTimeout(60, TimeUnit.SECONDS).join();
            long blockBytes = run.executor().pools().getFirst().blockBytes();
            assertThat(outcome).isInstanceOfSatisfying(StepOutcome.Transferred.class,
                    done -> assertThat(done.bytes()).isEqualTo(Math.ceilDiv(20, blockTokens) * blockBytes));
            StepOutcome.Completed next =
                    ExecutorRun.completed(run.start(1, List.of(run.slice(1, 20, new int[]{tokens[20]}, true)), 0));
            CudaAgainstReferenceEmulatedTest.assertLogits(List.of(next.logits()[0]), new double[][]{expected[20]},
                    tolerance, tolerance / 2);
        }
    }

    @Test
    void closingGivesEverythingBack() throws Exception {
        try (CudaRun run = new CudaRun(model, GRAPHS)) {
            generate(run, 2);
        }
        for (Count count : Count.values()) {
            if (count.name().startsWith("LIVE") || count.name().startsWith("LEAKED")) {
                assertThat(driver.count(count)).as(count.name()).isZero();
            }
        }
    }

    @Test
    void tooLittleMemoryIsRefusedBeforeAnyAllocation() {
        driver.set(Setting.MEMORY_BYTES, 6 << 20);
        assertThatThrownBy(() -> new CudaRun(model, PLAIN)).isInstanceOf(ExecutorException.class).hasMessageMatching(
                "This run needs .* on GPU 0 \\(.*\\): .* weights, .* KV cache, .* activations, .* workspace, 96.0 KiB for the driver; .* of 6.00 MiB "
                        + "are free. Options: lower the KV memory .*");
        assertThat(driver.count(Count.LIVE_ALLOCATIONS)).isZero();
        assertThat(driver.count(Count.LIVE_CONTEXTS)).isZero();
    }

    @Test
    void memoryThatRunsOutWhileOpeningIsToldByOwnerAndGivenBack() {
        driver.set(Setting.FAIL_ALLOCATION, 9);
        assertThatThrownBy(() -> new CudaRun(model, PLAIN)).isInstanceOf(ExecutorException.class)
                .hasMessageContaining("are free after").hasMessageContaining("of weights")
                .hasMessageContaining("choose an INT4 engine");
        assertThat(driver.count(Count.LIVE_ALLOCATIONS)).isZero();
        assertThat(driver.count(Count.LIVE_CONTEXTS)).isZero();
    }

    @Test
    void anIllegalAddressFailsTheStepWithItsNameAndEveryLaterOne() throws Exception {
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            driver.set(Setting.FAIL_LAUNCH_WITH, 700);
            driver.set(Setting.FAIL_LAUNCH, 5);
            assertThat(failure(run)).startsWith("Step 0 failed on GPU 0 (").contains("CUDA_ERROR_ILLEGAL_ADDRESS (700)")
                    .contains("context is lost").contains("next run starts a new process");
            assertThat(failure(run)).startsWith("Step 1 failed on GPU 0 (").contains("(700)");
        }
    }

    @Test
    void aGpuThatFallsOffTheBusFailsTheStepAndClosingStillEnds() throws Exception {
        try (CudaRun run = new CudaRun(model, GRAPHS)) {
            driver.set(Setting.EVERY_CALL, 999);
            assertThat(failure(run)).contains("(999)").contains("device is lost");
        }
        driver.set(Setting.EVERY_CALL, 0);
    }

    private static String failure(CudaRun run) {
        StepOutcome outcome = run.start(0, List.of(run.slice(0, 0, new int[]{1, 2, 3}, true)), 0)
                .orTimeout(60, TimeUnit.SECONDS).join();
        assertThat(outcome).isInstanceOf(StepOutcome.Failed.class);
        return String.valueOf(((StepOutcome.Failed) outcome).cause().getMessage());
    }

    @Test
    void whatIsTooOldIsNamed() {
        driver.set(Setting.COMPUTE_CAPABILITY, 75);
        assertThatThrownBy(() -> new CudaRun(model, PLAIN))
                .hasMessageContaining("compute capability 7.5; the kernels need 8.0");
        driver.set(Setting.COMPUTE_CAPABILITY, 86);
        driver.set(Setting.DRIVER_VERSION, 10020);
        assertThatThrownBy(() -> new CudaRun(model, PLAIN))
                .hasMessageContaining("supports CUDA 10.2; the kernels need 11.4");
    }

    @Test
    void anOlderDriverOnANewerGpuGetsTheKernelsThatItTakes() throws Exception {
        driver.set(Setting.COMPUTE_CAPABILITY, 90);
        driver.set(Setting.DRIVER_VERSION, 11080);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            assertThat(run.executor().description()).contains("kernels for compute capability 8.0");
        }
        driver.set(Setting.DRIVER_VERSION, 12020);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            assertThat(run.executor().description()).contains("kernels for compute capability 8.9");
        }
        driver.set(Setting.DRIVER_VERSION, 12030);
        try (CudaRun run = new CudaRun(model, PLAIN)) {
            assertThat(run.executor().description()).contains("kernels for compute capability 9.0");
        }
    }

    @Test
    void aGpuIsChosenByNumberOrByAsMuchOfItsUuidAsNamesOneAlone() throws Exception {
        driver.set(Setting.DEVICES, 2);
        String second = new CudaDriverProbe().probe().devices().get(1).uuid();
        for (String choice : List.of("1", second, second.toUpperCase(java.util.Locale.ROOT))) {
            try (CudaDevice device = CudaDevice.open(choice)) {
                assertThat(device.index()).isEqualTo(1);
            }
        }
        assertThatThrownBy(() -> CudaDevice.open(second.substring(0, second.length() - 2)))
                .hasMessageStartingWith("There is no GPU");
        assertThatThrownBy(() -> CudaDevice.open("7")).hasMessageMatching(
                "There is no GPU \"7\"; this machine has 0 \\(.*\\), 1 \\(.*\\). Give its number or its UUID .*");
    }
}
