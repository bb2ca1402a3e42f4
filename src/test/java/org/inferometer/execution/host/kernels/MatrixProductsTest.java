package org.inferometer.execution.host.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Set;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.HostAgainstReferenceTest;
import org.inferometer.execution.host.HostRun;
import org.inferometer.execution.host.attention.KvDtype;
import org.inferometer.execution.host.kernels.MatrixProducts.FloatChoice;
import org.inferometer.execution.host.onednn.FloatFormat;
import org.inferometer.execution.host.onednn.FloatKernels;
import org.inferometer.execution.host.onednn.FloatProducts;
import org.inferometer.execution.host.onednn.OneDnnHere;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Which products an executor chooses for its weights, options and processor, and how it describes them.
class MatrixProductsTest {
    private static final int LENGTH = 37;
    private static final int MANY = 512;

    @Test
    void processorsInstructionsChooseTheFormat() {
        assertThat(FloatChoice.of(true)).isEqualTo(new FloatChoice(FloatFormat.BF16, 16));
        assertThat(FloatChoice.of(false)).isEqualTo(new FloatChoice(FloatFormat.FP32, 128));
    }

    @ParameterizedTest
    @EnumSource
    void manyRowsGoToOneDnnInTheChosenFormat(FloatFormat format) throws Exception {
        OneDnnHere.requireFast(format);
        MatrixProducts.Chosen chosen = MatrixProducts.byOneDnn(new FloatChoice(format, 20), Set.of(64), MANY);
        try (MatrixProduct many = chosen.products().many()) {
            assertThat(chosen.description()).matches(
                    "not batch-invariant: 20 rows and more by oneDNN in " + format + " \\(brg_matmul:avx[a-z0-9_]+\\)");
            assertThat(chosen.products().of(19)).isInstanceOf(MatrixProduct.Fp32.class);
            assertThat(chosen.products().of(20)).isSameAs(many).isInstanceOf(MatrixProduct.FloatsByOneDnn.class);
        }
    }

    @Test
    void smallStepsKeepThePortableKernels() throws Exception {
        MatrixProducts.Chosen chosen = MatrixProducts.byOneDnn(new FloatChoice(FloatFormat.FP32, 128), Set.of(64), 127);
        assertThat(chosen.products().of(127)).isInstanceOf(MatrixProduct.Fp32.class);
        assertThat(chosen.description()).isEqualTo(
                "deterministic (portable kernels, because steps have at most 127 rows and oneDNN in FP32 pays from 128 on)");
    }

    /// In BF16 a logit of these small models may move by some hundredths, as with a BF16 cache.
    @ParameterizedTest
    @CsvSource({"FP32, BF16", "FP32, FP8", "FP32, INT4", "BF16, BF16", "BF16, FP8", "BF16, INT4"})
    void manyRowsDifferByTheRoundingFewDoNot(FloatFormat format, Precision precision) throws Exception {
        OneDnnHere.require(format);
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), precision, 7);
        int[] tokens = HostAgainstReferenceTest.tokens(model, LENGTH, 3);
        float[] exact;
        try (HostRun run = new HostRun(model, HostRun.options(1, 1, 16, KvDtype.FP32))) {
            exact = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
        }
        FloatProducts products = FloatProducts.open(format, widths(model), LENGTH);
        MatrixKind kind = precision == Precision.INT4 ? MatrixKind.INT4 : MatrixKind.BF16;
        try (HostRun run = new HostRun(model, kind.byOneDnn(products, LENGTH))) {
            float[] converted = run.feed(0, tokens, LENGTH).get(LENGTH - 1);
            double slack = format == FloatFormat.FP32 ? 1e-3 : 0.03;
            for (int i = 0; i < exact.length; i++) {
                assertThat(converted[i]).isCloseTo(exact[i], offset((float) (slack * (1 + Math.abs(exact[i])))));
            }
            // Weights in BF16 and sums in FP32 may come out the same, one chain an output.
            if (format == FloatFormat.BF16 || precision == Precision.INT4) {
                assertThat(converted).isNotEqualTo(exact);
            }
            assertThat(run.feed(1, tokens, 1).get(LENGTH - 1)).isEqualTo(exact);
        }
    }

    @Test
    void batchInvariantOptionsUseNoFloatsOfOneDnn() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.BF16, 7);
        try (MatrixProducts products = MatrixProducts.of(model.weights(), Activations.INT8, true, MANY)) {
            assertThat(products)
                    .isEqualTo(MatrixProducts.portable(MatrixProducts.IntegerFormat.INT4, Activations.FP32));
            assertThat(products.description()).isEqualTo("deterministic");
        }
    }

    @Test
    void roundedRowsNeverMeetFloatsOfOneDnn() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 7);
        try (MatrixProducts products = MatrixProducts.of(model.weights(), Activations.INT8, false, MANY)) {
            assertThat(products.description())
                    .startsWith("deterministic (every kernel is batch-invariant), 8-bit activations by ");
            assertThat(products.of(true, 4)).isEqualTo(new MatrixProduct.Rounded(Precision.INT4));
            assertThat(products.of(true, MANY)).isNotInstanceOf(MatrixProduct.FloatsByOneDnn.class);
        }
    }

    @Test
    void eachFormatOfAnEngineHasItsProduct() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA),
                new WeightFormats(Precision.INT8, Precision.BF16), 7);
        try (MatrixProducts products = MatrixProducts.of(model.weights(), Activations.INT8, false, MANY)) {
            assertThat(products.format()).isEqualTo(new MatrixProducts.IntegerFormat(Precision.INT8, 32));
            assertThat(products.of(false, 1)).isInstanceOf(MatrixProduct.Fp32.class);
            assertThat(products.of(true, 1)).isEqualTo(new MatrixProduct.Rounded(Precision.INT8));
        }
    }

    @Test
    void sameMachineChoosesTheSame() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.FP8, 7);
        try (MatrixProducts first = MatrixProducts.of(model.weights(), Activations.INT8, false, MANY);
                MatrixProducts second = MatrixProducts.of(model.weights(), Activations.INT8, false, MANY)) {
            assertThat(second.description()).isEqualTo(first.description());
        }
    }

    @Test
    void scratchMemoryIsCounted() throws Exception {
        OneDnnHere.require(FloatFormat.FP32);
        try (MatrixProducts products =
                MatrixKind.INT4.byOneDnn(FloatProducts.open(FloatFormat.FP32, Set.of(300), 100), 50)) {
            MatrixProducts portable = MatrixKind.INT4.portable();
            // A block of 1024 × 64 weights and a target of 104 × 64 sums, at 512 bits, and what oneDNN asks for.
            assertThat(LinearProjections.bytes(100, products) - LinearProjections.bytes(100, portable))
                    .isBetween(4L * (1024 + 104) * FloatKernels.WIDTH, 8L * (1024 + 104) * FloatKernels.WIDTH);
            // Rows of 320 numbers and a gap of 16.
            assertThat(ActivationRows.bytes(300, 104, products) - ActivationRows.bytes(300, 104, portable))
                    .isEqualTo(4L * 104 * 336);
        }
    }

    private static Set<Integer> widths(RandomModel model) {
        return Set.of(model.shape().hidden(), model.shape().queryWidth(), model.shape().intermediate());
    }
}
