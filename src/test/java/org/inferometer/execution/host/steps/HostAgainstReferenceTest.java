package org.inferometer.execution.host.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.check.ReferenceForward;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.units.Seed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The kernels against the plain forward pass. An element may differ by 2e-4 + 1e-3·|expected| with an FP32 cache, by
/// 0.03 + 0.03·|expected| with a BF16 cache (8 significant bits on every key and value).
@Execution(ExecutionMode.CONCURRENT)
public class HostAgainstReferenceTest {
    private static final int LENGTH = 37;

    @ParameterizedTest
    @CsvSource({"LLAMA, BF16", "LLAMA, FP8", "LLAMA, INT4", "QWEN2, BF16", "QWEN2, FP8", "QWEN2, INT4", "QWEN3, BF16",
            "QWEN3, FP8", "QWEN3, INT4", "GPT2, BF16", "GPT2, FP8", "GPT2, INT4", "LLAMA, INT8", "QWEN2, INT8",
            "QWEN3, INT8", "GPT2, INT8"})
    void everyFamilyAndPrecisionAgreesWithTheReference(ModelFamily family, Precision precision) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family), precision, 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = reference(model, tokens);
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 1), expected, 2e-4, 1e-3);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 2e-4, 1e-3);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 2e-4, 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, FP8", "LLAMA, INT4", "LLAMA, INT8", "QWEN3, FP8", "QWEN3, INT4", "GPT2, INT8"})
    void tablesInBf16BesideOtherProjectionsAgree(ModelFamily family, Precision precision) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family), new WeightFormats(precision, Precision.BF16), 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = reference(model, tokens);
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 1), expected, 2e-4, 1e-3);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 2e-4, 1e-3);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 2e-4, 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, 32", "LLAMA, 64", "QWEN2, 64", "QWEN3, 32", "GPT2, 32"})
    void narrowGroupsAgreeWithTheReference(ModelFamily family, int groupColumns) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(family),
                new WeightFormats(Precision.INT4, Precision.INT4, groupColumns), 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = reference(model, tokens);
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 1), expected, 2e-4, 1e-3);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 2e-4, 1e-3);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 2e-4, 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, 32", "QWEN2, 128", "QWEN3, 64", "GPT2, 32"})
    void actOrderAgreesWithTheReference(ModelFamily family, int groupColumns) throws Exception {
        WeightFormats formats = new WeightFormats(Precision.INT4, Precision.BF16, groupColumns).withActOrder();
        RandomModel model = RandomModel.of(RandomModel.odd(family), formats, 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = reference(model, tokens);
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 1), expected, 2e-4, 1e-3);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 2e-4, 1e-3);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 2e-4, 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"LLAMA", "QWEN2", "QWEN3", "GPT2"})
    void fp8WithScalesOfGroupsAgreesWithTheReference(ModelFamily family) throws Exception {
        RandomModel model =
                RandomModel.of(RandomModel.odd(family), new WeightFormats(Precision.FP8, Precision.BF16, 128), 7);
        int[] tokens = tokens(model, LENGTH, 3);
        double[][] expected = reference(model, tokens);
        try (HostRun run = new HostRun(model, HostRun.options(2, 1, 16, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 1), expected, 2e-4, 1e-3);
            assertLogits(run.feed(1, tokens, 16, 1, 5), expected, 2e-4, 1e-3);
            assertLogits(run.feed(2, tokens, LENGTH), expected, 2e-4, 1e-3);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "3", "8", "20", "64"})
    void blocksOfAnySizeAgreeWithTheReference(int blockTokens) throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 8);
        int[] tokens = tokens(model, LENGTH, 4);
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, blockTokens, KvDtype.FP32))) {
            assertLogits(run.feed(0, tokens, 7), reference(model, tokens), 2e-4, 1e-3);
        }
    }

    @Test
    void halvedCacheStaysNearTheReference() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2), Precision.BF16, 9);
        int[] tokens = tokens(model, LENGTH, 5);
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.BF16))) {
            assertLogits(run.feed(0, tokens, 9), reference(model, tokens), 0.03, 0.03);
        }
    }

    public static int[] tokens(RandomModel model, int count, long seed) {
        return new Seed(seed).generator().ints(count, 0, model.shape().vocabulary()).toArray();
    }

    private static double[][] reference(RandomModel model, int[] tokens) {
        ReferenceForward reference = new ReferenceForward(model.shape(), model.weights());
        double[][] logits = new double[tokens.length][];
        for (int i = 0; i < tokens.length; i++) {
            logits[i] = reference.next(tokens[i]);
        }
        return logits;
    }

    private static void assertLogits(List<float[]> actual, double[][] expected, double absolute, double relative) {
        assertThat(actual.stream().filter(Objects::nonNull)).isNotEmpty();
        for (int position = 0; position < expected.length; position++) {
            if (actual.get(position) == null) {
                continue;
            }
            for (int i = 0; i < expected[position].length; i++) {
                double wanted = expected[position][i];
                assertThat((double) actual.get(position)[i]).as("logit %d after position %d", i, position)
                        .isCloseTo(wanted, org.assertj.core.data.Offset.offset(absolute + relative * Math.abs(wanted)));
            }
        }
    }
}
