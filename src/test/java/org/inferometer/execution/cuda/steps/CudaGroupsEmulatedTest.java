package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Offset;
import org.inferometer.engine.Engine;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.engine.build.EngineBuilder;
import org.inferometer.engine.checkpoint.Checkpoint;
import org.inferometer.engine.checkpoint.PublishedFormulas;
import org.inferometer.engine.checkpoint.PublishedQuantisation;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// INT4 in groups of 64 and 32 inputs and with act-order, with widths that are no multiple of 128, against the reference pass.
class CudaGroupsEmulatedTest {
    private static final int[] ROWS = {1, 2, 3, 7, 13, 29, 41};
    private static final int LENGTH = 96;

    private EmulatedDriver driver;

    @BeforeEach
    void freshDriver() {
        driver = EmulatedDriver.load();
    }

    @ParameterizedTest
    @CsvSource({"LLAMA, INT4, 64", "LLAMA, INT4, 32", "QWEN3, BF16, 64", "QWEN3, BF16, 32", "GPT2, INT4, 64",
            "GPT2, BF16, 32"})
    void everyNumberOfRowsAgreesWithTheReference(ModelFamily family, Precision tables, int group) throws Exception {
        RandomModel model =
                RandomModel.of(RandomModel.odd(family), new WeightFormats(Precision.INT4, tables, group), 7);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, LENGTH, 3);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, false))) {
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(0, tokens, ROWS), expected, 0.02, 0.01);
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(1, tokens, LENGTH), expected, 0.02, 0.01);
        }
        assertThat(List.of("matvec_%s_1", "matvec_%s_2", "matvec_%s_4", "matmul_%s_8", "matmul_%s_16", "matmul_%s_32",
                "matmul_%s_64")).allMatch(kernel -> driver.launches(kernel.formatted("int4_g" + group)) > 0);
        assertThat(driver.launches("reorder")).isZero();
    }

    /// Three inputs of each layer have orders.
    @ParameterizedTest
    @CsvSource({"LLAMA, 128, false", "QWEN3, 64, true", "GPT2, 32, false"})
    void actOrderAgreesWithTheReference(ModelFamily family, int group, boolean graphs) throws Exception {
        WeightFormats formats = new WeightFormats(Precision.INT4, Precision.BF16, group).withActOrder();
        RandomModel model = RandomModel.of(RandomModel.odd(family), formats, 7);
        int[] tokens = CudaAgainstReferenceEmulatedTest.tokens(model, LENGTH, 3);
        double[][] expected = CudaRun.reference(model, tokens, KvDtype.FP16);
        try (CudaRun run = new CudaRun(model, CudaRun.options(1, 16, KvDtype.FP16, graphs))) {
            long before = driver.launches("reorder");
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(0, tokens, LENGTH), expected, 0.02, 0.01);
            assertThat(driver.launches("reorder") - before).isEqualTo(3L * model.shape().layers());
            CudaAgainstReferenceEmulatedTest.assertLogits(run.feed(1, tokens, ROWS), expected, 0.02, 0.01);
        }
    }

    /// BF16 has eight significant bits.
    @Test
    void aCheckpointWithActOrderComputesThePublishedFormulas(@TempDir Path folder) throws Exception {
        PublishedQuantisation.Written written =
                PublishedQuantisation.of("gptq-order", 32, "F16").write(folder.resolve("c"), 3);
        Path built = folder.resolve("m-int4");
        try (Checkpoint checkpoint = Checkpoint.open(written.folder())) {
            new EngineBuilder().build(built, checkpoint.material("m", Precision.INT4), done -> {});
        }
        int[] prompt = {7, 250, 3, 118, 42};
        double[] expected = new PublishedFormulas(written.values()).logits(prompt);
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        try (Engine engine = Engine.open(built);
                CudaRun run = new CudaRun(new RandomModel(engine.descriptor().shape(), engine.weights()),
                        CudaRun.options(1, 16, KvDtype.FP16, true))) {
            for (int chunk : new int[]{1, 5}) {
                float[] logits = run.feed(chunk, prompt, chunk).getLast();
                for (int i = 0; i < expected.length; i++) {
                    assertThat((double) logits[i]).as("logit %d", i).isCloseTo(expected[i],
                            Offset.offset(0.03 * largest));
                }
            }
        }
        assertThat(driver.launches("reorder")).isPositive();
    }
}
