package org.inferometer.execution.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class HostRatiosTest {
    private static final long SHORT = 1_000_000;

    @Test
    void stepsOfAModelGiveEveryRatioWithItsLimit() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 1);
        List<BackendRatio> ratios = new HostRatios(new SystemClock(), 2, SHORT).steps(model.shape(), model.weights());
        assertThat(ratios).extracting(BackendRatio::id)
                .containsExactly("host_together", "host_together_int8", "host_lanes", "host_share_outside_kernels");
        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio.value()).isPositive().isFinite());
    }

    @Test
    void aSingleThreadHasNoLanesToCompare() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.GPT2), Precision.FP8, 1);
        assertThat(new HostRatios(new SystemClock(), 1, SHORT).steps(model.shape(), model.weights()))
                .extracting(BackendRatio::id)
                .doesNotContain("host_lanes");
    }

    @Test
    void kernelsAreHeldAgainstAReadAndAPlainProduct() {
        KernelRatios.Rates rates = new KernelRatios(new SystemClock(), 1, SHORT).measure(Precision.FP8, 16);
        assertThat(rates.decodeRatio()).isPositive().isFinite();
        assertThat(rates.productRatio()).isPositive().isFinite();
    }
}
