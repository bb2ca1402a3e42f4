package org.inferometer.execution.host.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.HostAgainstReferenceTest;
import org.inferometer.execution.host.HostOptions;
import org.inferometer.execution.host.HostRun;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatKernels;
import org.inferometer.execution.host.onednn.OneDnnHere;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which products an executor without batch invariance chooses, and how it describes them.
class BatchedProductTest {
    private static final int LENGTH = 37;
    private static final String NO_BF16 = "BF16: oneDNN has only \"ref:any\" for this processor";

    @Test
    void fastestFormatIsUsedForRowsThatPayForConversion() {
        OneDnnHere.require(FloatFormat.FP32);
        assertThat(winner(timings(100e9, Map.of(FloatFormat.FP32, 130e9), NO_BF16), 512)).isEqualTo(
                "113 rows and more by oneDNN in FP32 (made up), 1.30 times the portable kernels' 100 GFLOP/s per thread; "
                        + NO_BF16);
        assertThat(winner(timings(100e9, Map.of(FloatFormat.FP32, 1_000e9, FloatFormat.BF16, 130e9)), 512)).isEqualTo(
                "29 rows and more by oneDNN in FP32 (made up), 10.00 times the portable kernels' 100 GFLOP/s per thread; oneDNN in BF16 at 130 GFLOP/s");
    }

    @Test
    void bf16PaysFromFewerRowsOn() {
        OneDnnHere.require(FloatFormat.BF16);
        assertThat(winner(timings(100e9, Map.of(FloatFormat.FP32, 130e9, FloatFormat.BF16, 1_000e9)), 512)).isEqualTo(
                "15 rows and more by oneDNN in BF16 (made up), 10.00 times the portable kernels' 100 GFLOP/s per thread; oneDNN in FP32 at 130 GFLOP/s");
    }

    @Test
    void portableKernelsStayWithTheReason() {
        assertThat(winner(timings(100e9, Map.of(FloatFormat.FP32, 104e9), NO_BF16), 512))
                .isEqualTo("portable kernels at 100 GFLOP/s per thread; oneDNN in FP32 at 104 GFLOP/s; " + NO_BF16);
        assertThat(winner(timings(100e9, Map.of(FloatFormat.FP32, 130e9)), 112)).isEqualTo(
                "portable kernels, because steps have at most 112 rows and oneDNN in FP32 (made up), 1.30 times the portable kernels' "
                        + "100 GFLOP/s per thread pays from 113 on");
        assertThat(winner(new ProductAutotuner.Timings(OptionalDouble.empty(), Map.of(), Map.of(),
                List.of("oneDNN is not part of the program on mars")), 512))
                .isEqualTo("portable kernels; oneDNN is not part of the program on mars");
        assertThat(winner(new ProductAutotuner.Timings(OptionalDouble.empty(), Map.of(FloatFormat.FP32, 1e9), Map.of(),
                List.of()), 512))
                .isEqualTo("portable kernels, which were not compiled in time to be compared with oneDNN");
    }

    /// In BF16 a logit of these small models may move by some hundredths, as with a BF16 cache.
    @ParameterizedTest
    @CsvSource({"FP32, BF16", "FP32, FP8", "FP32, INT4", "BF16, BF16", "BF16, FP8", "BF16, INT4"})
    void chosenFormatMultipliesAndIsDescribed(FloatFormat format, Precision precision) throws Exception {
        OneDnnHere.require(format);
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), precision, 7);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        float[] exact;
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32))) {
            exact = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
        }
        try (HostRun run = new HostRun(model, (inputs, maxRows) -> timings(1e9, Map.of(format, 1e12)))) {
            assertThat(run.executor().description()).contains(", not batch-invariant: ")
                    .contains(" rows and more by oneDNN in " + format + " (made up), 1000.00 times");
            float[] converted = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
            double slack = format == FloatFormat.FP32 ? 1e-3 : 0.03;
            for (int i = 0; i < exact.length; i++) {
                assertThat(converted[i]).isCloseTo(exact[i], offset((float) (slack * (1 + Math.abs(exact[i])))));
            }
            // Weights in BF16 and sums in FP32 may come out the same, one chain an output.
            if (format == FloatFormat.BF16 || precision == Precision.INT4) {
                assertThat(converted).isNotEqualTo(exact);
            }
            // Few rows keep the portable kernels, and their bits.
            assertThat(run.feed(1, tokens, 1).get(LENGTH - 1)).isEqualTo(exact);
        }
    }

    @Test
    void withoutAFasterProductResultsAreTheDefaults() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        try (HostRun run = new HostRun(model, (inputs, maxRows) -> timings(1e9, Map.of(), "no library"));
                HostRun standard = new HostRun(model, HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32))) {
            assertThat(run.executor().description()).endsWith(", deterministic (portable kernels; no library)");
            assertThat(run.feed(0, tokens, LENGTH).get(LENGTH - 1))
                    .isEqualTo(standard.feed(0, tokens, LENGTH).get(LENGTH - 1));
        }
    }

    @Test
    void deterministicOptionSkipsAutotuning() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 7);
        HostOptions options = HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32);
        ProductPlan plan =
                ProductPlan.of(model.weights(), options, new ExecutorSizes(1 << 20, 64, 64, 4), (inputs, maxRows) -> {
                    throw new AssertionError("autotuned");
                });
        assertThat(plan).isEqualTo(ProductPlan.PORTABLE);
        assertThat(plan.describe(true)).isEqualTo("deterministic");
    }

    @Test
    void scratchMemoryIsCounted() throws Exception {
        OneDnnHere.require(FloatFormat.FP32);
        try (BatchedProduct chosen =
                BatchedProduct.fastest(timings(1e9, Map.of(FloatFormat.FP32, 1e12)), Set.of(300), 100)) {
            ProductPlan plan = new ProductPlan(IntegerPlan.EXACT, chosen);
            // A block of 1024 × 64 weights and a target of 104 × 64 sums, at 512 bits, and what oneDNN asks for.
            assertThat(UnitProduct.bytes(100, plan) - UnitProduct.bytes(100, ProductPlan.PORTABLE))
                    .isBetween(4L * (1024 + 104) * FloatKernels.WIDTH, 8L * (1024 + 104) * FloatKernels.WIDTH);
            // Rows of 320 numbers and a gap of 16.
            assertThat(ActivationRows.bytes(300, 104, plan) - ActivationRows.bytes(300, 104, ProductPlan.PORTABLE))
                    .isEqualTo(4L * 104 * 336);
        }
    }

    @Test
    void autotunerReportsEveryFormatOrItsRefusal() {
        ProductAutotuner.Timings timings = ProductAutotuner.run(300, 16, new SystemClock());
        assertThat(timings.oneDnn().keySet()).isEqualTo(timings.names().keySet());
        assertThat(timings.oneDnn().size() + timings.refusals().size()).isEqualTo(FloatFormat.values().length);
        assertThat(timings.oneDnn().values()).allSatisfy(rate -> assertThat(rate).isPositive());
    }

    private static ProductAutotuner.Timings timings(double portable, Map<FloatFormat, Double> oneDnn,
            String... refusals) {
        return new ProductAutotuner.Timings(OptionalDouble.of(portable), oneDnn,
                Map.of(FloatFormat.FP32, "made up", FloatFormat.BF16, "made up"), List.of(refusals));
    }

    private static String winner(ProductAutotuner.Timings timings, int maxRows) {
        try (BatchedProduct chosen = BatchedProduct.fastest(timings, Set.of(64), maxRows)) {
            return chosen.description();
        }
    }
}
