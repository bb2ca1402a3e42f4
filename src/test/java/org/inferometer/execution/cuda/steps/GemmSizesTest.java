package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.check.RandomModel;
import org.junit.jupiter.api.Test;

class GemmSizesTest {
    private static final ModelShape LLAMA_8B =
            RandomModel.shape(ModelFamily.LLAMA, 1, 4096, 14_336, 32, 8, 128, 1000, null);

    @Test
    void slicesBoundTheMemoryOfALane() {
        GemmSizes sizes = GemmSizes.of(LLAMA_8B, true, 2048, GemmSetup.STANDARD);
        // Gate and up in two slices; the down projection's inputs are the widest.
        assertThat(sizes.sliceOutputs(28_672, 4096)).isEqualTo(14_336);
        assertThat(sizes.sliceOutputs(4096, 14_336)).isEqualTo(4096);
        assertThat(List.of(sizes.widenedBytes(), sizes.sumBytes(), sizes.bytes())).isEqualTo(
                List.of(2L * 14_336 * 4096, 4L * 2048 * 14_336, 2L * 14_336 * 4096 + 4L * 2048 * 14_336 + (32L << 20)));
    }

    @Test
    void manyTokensMakeSlicesNarrower() {
        GemmSizes sizes = GemmSizes.of(LLAMA_8B, true, 8192, GemmSetup.STANDARD);
        assertThat(sizes.sliceOutputs(28_672, 4096)).isEqualTo(4096);
        assertThat(sizes.bytes()).isLessThanOrEqualTo(288L << 20);
    }

    @Test
    void smallStepsNeedNoLibrary() {
        assertThat(List.of(GemmSizes.of(LLAMA_8B, true, 511, GemmSetup.STANDARD).used(),
                GemmSizes.of(LLAMA_8B, true, 512, GemmSetup.STANDARD).used(),
                GemmSizes.of(LLAMA_8B, true, 32, GemmSetup.STANDARD.from(1)).used()))
                .isEqualTo(List.of(false, true, false));
    }
}
