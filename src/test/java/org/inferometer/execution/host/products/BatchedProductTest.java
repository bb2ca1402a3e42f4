package org.inferometer.execution.host.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.util.Set;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.execution.host.machine.HostOptions.Activations;
import org.inferometer.execution.host.machine.HostOptions.FloatActivations;
import org.inferometer.execution.host.machine.HostOptions.KvDtype;
import org.inferometer.execution.host.products.FloatProducts.FloatFormat;
import org.inferometer.execution.host.products.FloatProducts.SumOrder;
import org.inferometer.execution.host.steps.HostAgainstReferenceTest;
import org.inferometer.execution.host.steps.HostRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which product an executor chooses for many rows, and how it describes it.
@Execution(ExecutionMode.CONCURRENT)
class BatchedProductTest {
    private static final int LENGTH = 37;
    private static final HostOptions DETERMINISTIC = options(true, FloatActivations.BF16);
    private static final HostOptions ANY = options(false, FloatActivations.BF16);

    @Test
    void manyRowsAreMultipliedInBf16WhereTheProcessorDoes() {
        OneDnnHere.require(FloatFormat.BF16);
        assertThat(chosen(Precision.FP8, DETERMINISTIC, true, 64))
                .matches("deterministic, activations in BF16, (3|16) rows and more by oneDNN \\(.+\\)");
        assertThat(chosen(Precision.BF16, ANY, true, 64))
                .matches("not batch-invariant: steps of 16 rows and more by oneDNN in BF16 \\(.+\\)");
    }

    /// One row and many rows of the same tokens.
    @ParameterizedTest
    @CsvSource({"BF16", "FP8"})
    void allRowsAreRoundedAlikeWhereThePortableKernelsAddUpAsOneDnn(Precision precision) throws Exception {
        OneDnnHere.require(FloatFormat.BF16);
        RandomModel model = model(precision);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        float[] exact = exact(model, tokens);
        try (HostRun run = new HostRun(model, DETERMINISTIC)) {
            assumeThat(run.executor().description()).contains("rows and more by oneDNN");
            float[] together = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
            assertNear(together, exact, 0.03);
            assertThat(together).isNotEqualTo(exact);
            assertThat(run.feed(1, tokens, 1).get(LENGTH - 1)).isEqualTo(together);
        }
    }

    @Test
    void otherProcessorsMultiplyLargeStepsInFp32IfRowsMayDepend() {
        OneDnnHere.require(FloatFormat.FP32);
        assertThat(chosen(Precision.FP8, ANY, false, 128))
                .matches("not batch-invariant: steps of 128 rows and more by oneDNN in FP32 \\(.+\\)");
        assertThat(chosen(Precision.FP8, ANY, false, 127))
                .isEqualTo("deterministic (steps have at most 127 rows, and oneDNN in FP32 pays from 128 on)");
        assertThat(chosen(Precision.FP8, DETERMINISTIC, false, 128))
                .isEqualTo("deterministic (activations in FP32, because the processor does not multiply BF16)");
    }

    @Test
    void portableKernelsStayWithoutTheLibrary() {
        RandomModel model = model(Precision.FP8);
        ProductPlan plan = ProductPlan.of(model.weights(), DETERMINISTIC, 64, () -> {
            throw new IOException("oneDNN is not part of the program on mars");
        });
        assertThat(plan.describe())
                .isEqualTo("deterministic (portable kernels, because oneDNN is not part of the program on mars)");
    }

    @Test
    void integersAloneNeedNoOtherProduct() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        ProductPlan plan = ProductPlan.of(model.weights(), DETERMINISTIC, 64, () -> {
            throw new AssertionError("asked");
        });
        assertThat(plan).isEqualTo(ProductPlan.PORTABLE);
        assertThat(plan.describe()).isEqualTo("deterministic");
    }

    @Test
    void activationsThatAreNotRoundedKeepThePortableKernels() {
        ProductPlan plan =
                ProductPlan.of(model(Precision.FP8).weights(), options(true, FloatActivations.FP32), 64, () -> true);
        assertThat(plan).isEqualTo(ProductPlan.PORTABLE);
    }

    @Test
    void portableKernelsStayWhereOneDnnAddsUpInAnotherOrder() {
        OneDnnHere.require(FloatFormat.BF16);
        BatchedProduct.Processor other = new BatchedProduct.Processor() {
            @Override
            public boolean multipliesBf16() {
                return true;
            }

            @Override
            public SumOrder sumOrder(FloatProducts products) {
                return SumOrder.UNKNOWN;
            }
        };
        try (ProductPlan plan = ProductPlan.of(model(Precision.FP8).weights(), DETERMINISTIC, 64, other)) {
            assertThat(plan.describe()).matches("deterministic \\(portable kernels, because oneDNN's products in BF16 "
                    + "\\(.+\\) add up in another order\\)");
        }
    }

    /// In BF16 a logit of these small models may move by some hundredths, as with a BF16 cache.
    @ParameterizedTest
    @CsvSource({"BF16, BF16", "BF16, FP8", "BF16, INT4", "FP32, BF16", "FP32, FP8", "FP32, INT4"})
    void largeStepsAreMultipliedInTheChosenFormat(FloatFormat format, Precision precision) throws Exception {
        OneDnnHere.require(format);
        RandomModel model = model(precision);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        float[] exact = exact(model, tokens);
        try (HostRun run = new HostRun(model, ANY, () -> format == FloatFormat.BF16)) {
            float[] converted = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
            assertNear(converted, exact, format == FloatFormat.FP32 ? 1e-3 : 0.03);
            // Steps of these runs are too small for FP32.
            if (format == FloatFormat.BF16) {
                assertThat(converted).isNotEqualTo(exact);
            }
            // Few rows keep the portable kernels, and their bits.
            assertThat(run.feed(1, tokens, 1).get(LENGTH - 1)).isEqualTo(exact);
        }
    }

    @Test
    void scratchMemoryIsCounted() throws Exception {
        OneDnnHere.require(FloatFormat.FP32);
        try (BatchedProduct chosen = new BatchedProduct(FloatProducts.open(FloatFormat.FP32, Set.of(300), false, 100),
                SumOrder.UNKNOWN, 1, "")) {
            ProductPlan plan = new ProductPlan(IntegerPlan.EXACT, chosen);
            // A block of 320 × 64 weights and a target of 104 × 64 sums, at 512 bits, and what oneDNN asks for.
            assertThat(UnitProduct.bytes(100, plan) - UnitProduct.bytes(100, ProductPlan.PORTABLE))
                    .isBetween(4L * (320 + 104) * FloatKernels.WIDTH, 8L * (320 + 104) * FloatKernels.WIDTH);
            // Rows of 320 numbers and a gap of 16.
            assertThat(ActivationRows.bytes(300, 104, plan) - ActivationRows.bytes(300, 104, ProductPlan.PORTABLE))
                    .isEqualTo(4L * 104 * 336);
        }
    }

    private static HostOptions options(boolean deterministic, FloatActivations floats) {
        return new HostOptions(2, 1, deterministic, 16, KvDtype.FP32, floats, Activations.FP32);
    }

    private static RandomModel model(Precision precision) {
        return RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), precision, 7);
    }

    private static String chosen(Precision precision, HostOptions options, boolean multipliesBf16, int maxRows) {
        try (ProductPlan plan = ProductPlan.of(model(precision).weights(), options, maxRows, () -> multipliesBf16)) {
            return plan.describe();
        }
    }

    private static float[] exact(RandomModel model, int[] tokens) throws Exception {
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.FP32))) {
            return run.feed(0, tokens, LENGTH).get(LENGTH - 1);
        }
    }

    private static void assertNear(float[] actual, float[] expected, double slack) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i]).isCloseTo(expected[i], offset((float) (slack * (1 + Math.abs(expected[i])))));
        }
    }
}
