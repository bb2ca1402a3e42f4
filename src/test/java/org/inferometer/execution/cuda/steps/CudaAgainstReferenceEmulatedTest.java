package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Seed;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The GPU's forward pass against the plain one in double precision that rounds where the GPU rounds by design: activations to
/// BF16 before each product, queries, keys and values to FP16. What remains are the order of FP32 sums and roundings that fall to
/// the other side.
public class CudaAgainstReferenceEmulatedTest {
    private static final int LENGTH = 37;

    @BeforeEach
    void freshDriver() {
        EmulatedDriver.load();
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, BF16", "LLAMA, FP8", "LLAMA, INT4", "QWEN2, BF16", "QWEN2, FP8", "QWEN2, INT4", "QWEN3, BF16",
            "QWEN3, FP8", "QWEN3, INT4", "GPT2, BF16", "GPT2, FP8", "GPT2, INT4"})
    void everyFamilyAndPrecisionAgreesWithTheReference(ModelFamily family, Precision precision) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family), precision, 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, false))) {
            assertLogits(run.feed(0, tokens, 1), expected, 0.02, 0.01);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 0.02, 0.01);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 0.02, 0.01);
        }
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, FP8", "LLAMA, INT4", "QWEN3, FP8", "QWEN3, INT4", "GPT2, INT4"})
    void tablesInBf16BesideOtherProjectionsAgree(ModelFamily family, Precision precision) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family), new WeightFormats(precision, Precision.BF16), 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, false))) {
            assertLogits(run.feed(0, tokens, 1), expected, 0.02, 0.01);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 0.02, 0.01);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 0.02, 0.01);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "8", "20", "64"})
    void blocksOfAnySizeAgreeWithTheReference(int blockTokens) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 8);
        int[] tokens = tokens(model, LENGTH, 4);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, blockTokens, KvDtype.FP16, false))) {
            assertLogits(run.feed(0, tokens, 7), CudaRun.reference(model, tokens, KvDtype.FP16), 0.02, 0.01);
        }
    }

    @Test
    void headsAsWideAsTheTensorCoresLikeThemAgreeWithTheReference() throws Exception {
        for (int headDim : new int[]{64, 128}) {
            RandomModel model = RandomModel
                    .of(RandomModel.shape(ModelFamily.LLAMA, 1, 256, 200, 4, 2, headDim, 97, null), Precision.FP8, 11);
            int[] tokens = tokens(model, 90, 5);
            double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
            try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, false))) {
                assertLogits(run.feed(0, tokens, 90), expected, 0.02, 0.01);
                assertLogits(run.feed(1, tokens, 70, 19, 1), expected, 0.02, 0.01);
            }
        }
    }

    @Test
    void splitPositionsAndTiledPromptsMatchTheReference() throws Exception {
        EmulatedDriver.load().set(EmulatedDriver.Setting.MULTIPROCESSORS, 64);
        RandomModel model =
                RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 64, 48, 4, 2, 64, 50, null), Precision.BF16, 12);
        int[] tokens = tokens(model, 303, 6);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        ExecutorSizes sizes = new ExecutorSizes(4 << 20, 320, 400, 4);
        int[] blocks = new Seed(4).generator().ints(0, 100).distinct().limit(25).toArray();
        try (ExecutorRun run = new ExecutorRun(CudaExecutor.open(model.shape(), model.weights(),
                CudaRun.options(1, 16, KvDtype.FP16, false), LaneLayout.sharing(1), sizes, new SystemClock()))) {
            assertThat(AttentionTiling.ranges(301, new AttentionTiling(64, 2, 2).rangePositions(301))).isEqualTo(3);
            StepSlice prompt = new StepSlice(0, Arrays.copyOf(tokens, 300), blocks, true, Sampling.GREEDY);
            assertLogits(List.of(run.step(0, prompt).logits()[0]), new double[][]{expected[299]}, 0.02, 0.01);
            for (int at = 300; at < tokens.length; at++) {
                StepSlice next = new StepSlice(at, new int[]{tokens[at]}, blocks, true, Sampling.GREEDY);
                assertLogits(List.of(run.step(0, next).logits()[0]), new double[][]{expected[at]}, 0.02, 0.01);
            }
        }
    }

    @Test
    void aCacheInFp8AgreesWithAReferenceThatKeepsItSo() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.BF16, 9);
        int[] tokens = tokens(model, LENGTH, 5);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP8, false))) {
            assertLogits(run.feed(0, tokens, 9, 1), CudaRun.reference(model, tokens, KvDtype.FP8), 0.06, 0.03);
        }
    }

    public static int[] tokens(RandomModel model, int count, long seed) {
        return new Seed(seed).generator().ints(count, 0, model.shape().vocabulary()).toArray();
    }

    public static void assertLogits(List<float[]> actual, double[][] expected, double absolute, double relative) {
        assertThat(actual.stream().filter(Objects::nonNull)).isNotEmpty();
        for (int position = 0; position < expected.length; position++) {
            if (actual.get(position) == null) {
                continue;
            }
            for (int i = 0; i < expected[position].length; i++) {
                double wanted = expected[position][i];
                assertThat((double) actual.get(position)[i]).as("logit %d after position %d", i, position)
                        .isCloseTo(wanted, Offset.offset(absolute + relative * Math.abs(wanted)));
            }
        }
    }
}
