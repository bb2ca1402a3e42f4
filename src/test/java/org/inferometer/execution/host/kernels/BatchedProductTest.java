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

/// What an executor without batch invariance makes of a race, and what it says of it.
class BatchedProductTest {
    private static final int LENGTH = 37;
    private static final String NO_BF16 = "BF16: oneDNN has only \"ref:any\" for this processor";

    @Test
    void theFastestFormWinsFromTheRowsOnThatPayForWidening() {
        OneDnnHere.require(FloatFormat.FP32);
        assertThat(winner(race(100e9, Map.of(FloatFormat.FP32, 130e9), NO_BF16), 512)).isEqualTo(
                "113 rows and more by oneDNN in FP32 (made up), 1.30 times the portable kernels' 100 GFLOP/s a thread; "
                        + NO_BF16);
        assertThat(winner(race(100e9, Map.of(FloatFormat.FP32, 1_000e9, FloatFormat.BF16, 130e9)), 512)).isEqualTo(
                "29 rows and more by oneDNN in FP32 (made up), 10.00 times the portable kernels' 100 GFLOP/s a thread; oneDNN in BF16 at 130 GFLOP/s");
    }

    @Test
    void bf16PaysFromFewerRowsOn() {
        OneDnnHere.require(FloatFormat.BF16);
        assertThat(winner(race(100e9, Map.of(FloatFormat.FP32, 130e9, FloatFormat.BF16, 1_000e9)), 512)).isEqualTo(
                "15 rows and more by oneDNN in BF16 (made up), 10.00 times the portable kernels' 100 GFLOP/s a thread; oneDNN in FP32 at 130 GFLOP/s");
    }

    @Test
    void thePortableKernelsStayWithTheReason() {
        assertThat(winner(race(100e9, Map.of(FloatFormat.FP32, 104e9), NO_BF16), 512))
                .isEqualTo("portable kernels at 100 GFLOP/s a thread; oneDNN in FP32 at 104 GFLOP/s; " + NO_BF16);
        assertThat(winner(race(100e9, Map.of(FloatFormat.FP32, 130e9)), 112)).isEqualTo(
                "portable kernels, because steps have at most 112 rows and oneDNN in FP32 (made up), 1.30 times the portable kernels' "
                        + "100 GFLOP/s a thread pays from 113 on");
        assertThat(winner(new ProductAutotuner(OptionalDouble.empty(), Map.of(), Map.of(),
                List.of("oneDNN is not part of the program on mars")), 512))
                .isEqualTo("portable kernels; oneDNN is not part of the program on mars");
        assertThat(winner(
                new ProductAutotuner(OptionalDouble.empty(), Map.of(FloatFormat.FP32, 1e9), Map.of(), List.of()), 512))
                .isEqualTo("portable kernels, which were not compiled in time to race with oneDNN");
    }

    /// In BF16 a logit of these small models may move by some hundredths, as with a BF16 cache.
    @ParameterizedTest
    @CsvSource({"FP32, BF16", "FP32, FP8", "FP32, INT4", "BF16, BF16", "BF16, FP8", "BF16, INT4"})
    void theChosenFormMultipliesAndIsDescribed(FloatFormat form, Precision precision) throws Exception {
        OneDnnHere.require(form);
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), precision, 7);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        float[] exact;
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32))) {
            exact = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
        }
        try (HostRun run = new HostRun(model, (inputs, maxRows) -> race(1e9, Map.of(form, 1e12)))) {
            assertThat(run.executor().description()).contains(", not batch-invariant: ")
                    .contains(" rows and more by oneDNN in " + form + " (made up), 1000.00 times");
            float[] widened = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
            double slack = form == FloatFormat.FP32 ? 1e-3 : 0.03;
            for (int i = 0; i < exact.length; i++) {
                assertThat(widened[i]).isCloseTo(exact[i], offset((float) (slack * (1 + Math.abs(exact[i])))));
            }
            // Weights in BF16 and sums in FP32 may come out the same, one chain an output.
            if (form == FloatFormat.BF16 || precision == Precision.INT4) {
                assertThat(widened).isNotEqualTo(exact);
            }
            // Few rows keep the portable kernels, and their bits.
            assertThat(run.feed(1, tokens, 1).get(LENGTH - 1)).isEqualTo(exact);
        }
    }

    @Test
    void withoutAnythingFasterTheResultsAreThoseOfTheDefault() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        try (HostRun run = new HostRun(model, (inputs, maxRows) -> race(1e9, Map.of(), "no library"));
                HostRun standard = new HostRun(model, HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32))) {
            assertThat(run.executor().description())
                    .endsWith(", deterministic (not asked for; portable kernels; no library)");
            assertThat(run.feed(0, tokens, LENGTH).get(LENGTH - 1))
                    .isEqualTo(standard.feed(0, tokens, LENGTH).get(LENGTH - 1));
        }
    }

    @Test
    void nothingRacesWhereBatchInvarianceIsAskedFor() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 7);
        HostOptions options = HostRun.options(1, 1, 16, HostOptions.KvDtype.FP32);
        ProductPlan plan =
                ProductPlan.of(model.weights(), options, new ExecutorSizes(1 << 20, 64, 64, 4), (inputs, maxRows) -> {
                    throw new AssertionError("raced");
                });
        assertThat(plan).isEqualTo(ProductPlan.PORTABLE);
        assertThat(plan.words(true)).isEqualTo("deterministic");
    }

    @Test
    void scratchMemoryIsCounted() throws Exception {
        OneDnnHere.require(FloatFormat.FP32);
        try (BatchedProduct chosen =
                BatchedProduct.winner(race(1e9, Map.of(FloatFormat.FP32, 1e12)), Set.of(300), 100)) {
            ProductPlan plan = new ProductPlan(Int4Plan.EXACT, chosen);
            // A block of 1024 × 64 weights and a target of 104 × 64 sums, at 512 bits, and what oneDNN asks for.
            assertThat(UnitProduct.bytes(100, plan) - UnitProduct.bytes(100, ProductPlan.PORTABLE))
                    .isBetween(4L * (1024 + 104) * FloatKernels.WIDTH, 8L * (1024 + 104) * FloatKernels.WIDTH);
            // Rows of 320 numbers and a gap of 16.
            assertThat(ActivationRows.bytes(300, 104, plan) - ActivationRows.bytes(300, 104, ProductPlan.PORTABLE))
                    .isEqualTo(4L * 104 * 336);
        }
    }

    @Test
    void aRealRaceNamesWhatRanAndWhyTheRestDidNot() {
        ProductAutotuner race = ProductAutotuner.run(300, 16, new SystemClock());
        assertThat(race.wide().keySet()).isEqualTo(race.names().keySet());
        assertThat(race.wide().size() + race.refusals().size()).isEqualTo(FloatFormat.values().length);
        assertThat(race.wide().values()).allSatisfy(rate -> assertThat(rate).isPositive());
    }

    private static ProductAutotuner race(double portable, Map<FloatFormat, Double> wide, String... refusals) {
        return new ProductAutotuner(OptionalDouble.of(portable), wide,
                Map.of(FloatFormat.FP32, "made up", FloatFormat.BF16, "made up"), List.of(refusals));
    }

    private static String winner(ProductAutotuner race, int maxRows) {
        try (BatchedProduct chosen = BatchedProduct.winner(race, Set.of(64), maxRows)) {
            return chosen.words();
        }
    }
}
