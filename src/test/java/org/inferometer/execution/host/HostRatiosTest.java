package org.inferometer.execution.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.host.kernels.KernelRatios;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class HostRatiosTest {
    private static final long SHORT = 1_000_000;

    @Test
    void stepsOfAModelGiveEveryRatioWithItsLimit() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT4, 1);
        List<BackendFigure> ratios = ratios(2, model);
        assertThat(ratios).extracting(BackendFigure::id).containsExactly("host_together", "host_lanes",
                "host_lanes_full", "host_together_int8", "host_lanes_int8", "host_lanes_full_int8",
                "host_share_outside_kernels");
        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio.value()).isPositive().isFinite());
    }

    @Test
    void aSingleThreadHasNoLanesToCompare() throws Exception {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.GPT2), Precision.FP8, 1);
        assertThat(ratios(1, model)).extracting(BackendFigure::id).containsExactly("host_together",
                "host_share_outside_kernels");
    }

    private static List<BackendFigure> ratios(int threads, RandomModel model) throws Exception {
        SystemClock clock = new SystemClock();
        return new HostRatios(clock, threads, SHORT).steps(model.shape(), model.weights(), (options, layout,
                sizes) -> HostExecutor.open(model.shape(), model.weights(), options, layout, sizes, clock));
    }

    @Test
    void kernelsAreHeldAgainstAReadAndAPlainProduct() {
        KernelRatios kernels = new KernelRatios(new SystemClock(), 1, SHORT);
        assertThat(kernels.decode(Precision.FP8, HostOptions.Activations.FP32).ratio()).isPositive().isFinite();
        assertThat(kernels.products(Precision.FP8, HostOptions.Activations.FP32, 16).ratio()).isPositive().isFinite();
        assertThat(kernels.decode(Precision.INT4, HostOptions.Activations.INT8).ratio()).isPositive().isFinite();
        assertThat(kernels.products(Precision.INT4, HostOptions.Activations.INT8, 16).ratio()).isPositive().isFinite();
    }

    @Test
    void attentionIsHeldAgainstAReadOfTheSameCache() {
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 1, 8, 8, 8, 2, 64, 8, null);
        double[] rates = new KernelRatios(new SystemClock(), 2, SHORT).attention(shape,
                HostRun.options(2, 1, 16, HostOptions.KvDtype.FP32), 512);
        assertThat(rates[0]).isPositive().isFinite();
        assertThat(rates[1]).isPositive().isFinite();
    }
}
