package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.cuda.CudaOptions.KvDtype;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// INT4 in groups of 64 and 32 inputs, with widths that are no multiple of 128, against the reference pass.
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
    }
}
