package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.OptionalDouble;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class CudaRatiosEmulatedTest {
    @Test
    void stepsAreHeldAgainstCopiesAndTheTensorCoreInstruction() throws Exception {
        EmulatedDriver.load().set(EmulatedDriver.Setting.MULTIPROCESSORS, 1).set(EmulatedDriver.Setting.MEMORY_BYTES,
                64 << 20);
        RandomModel model =
                RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 32, 32, 1, 1, 16, 20, null), Precision.FP8, 1);
        List<BackendRatio> ratios = new CudaRatios(new SystemClock(), "0", 1, new CudaRatios.Load(8, 20))
                .steps(model.shape(), model.weights());
        assertThat(ratios).extracting(BackendRatio::id, BackendRatio::limit).containsExactly(
                tuple("cuda_decode", OptionalDouble.of(0.70)), tuple("cuda_prefill", OptionalDouble.of(0.40)),
                tuple("cuda_together", OptionalDouble.of(20)), tuple("cuda_lanes", OptionalDouble.empty()));
        assertThat(ratios).allSatisfy(ratio -> assertThat(ratio.value()).isPositive().isFinite());
    }
}
