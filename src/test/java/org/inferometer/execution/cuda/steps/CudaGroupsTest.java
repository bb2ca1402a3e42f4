package org.inferometer.execution.cuda.steps;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.engine.WeightFormats;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.cuda.device.CudaOptions;
import org.inferometer.scheduling.LaneLayout;
import org.junit.jupiter.api.Test;

class CudaGroupsTest {
    /// Before a driver is looked for.
    @Test
    void fp8WithScalesOfGroupsIsRefusedWithAWayOut() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.QWEN2),
                new WeightFormats(Precision.FP8, Precision.BF16, 128), 3);
        assertThatThrownBy(() -> CudaRun.open(model, CudaRun.options(1, 16, CudaOptions.KvDtype.FP16, false),
                LaneLayout.sharing(1))).isInstanceOf(ExecutorException.class).hasMessage(
                        "The cuda backend multiplies FP8 with a scale for each output, and this engine has one for each "
                                + "128 inputs: run it on the host backend, or build a bf16 or int4 engine from the "
                                + "checkpoint.");
    }

    @Test
    void int8IsRefusedWithAWayOut() {
        RandomModel model = RandomModel.of(RandomModel.odd(ModelFamily.LLAMA), Precision.INT8, 3);
        assertThatThrownBy(() -> CudaRun.open(model, CudaRun.options(1, 16, CudaOptions.KvDtype.FP16, false),
                LaneLayout.sharing(1))).isInstanceOf(ExecutorException.class)
                .hasMessage("The cuda backend has no products for INT8 weights: run this engine on the "
                        + "host backend, or build a bf16, fp8 or int4 engine.");
    }
}
