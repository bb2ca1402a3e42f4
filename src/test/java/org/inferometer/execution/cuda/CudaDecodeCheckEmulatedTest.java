package org.inferometer.execution.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.units.SystemClock;
import org.junit.jupiter.api.Test;

class CudaDecodeCheckEmulatedTest {
    @Test
    void decodeIsComparedWithCopies() throws Exception {
        EmulatedDriver.load().set(EmulatedDriver.Setting.MULTIPROCESSORS, 1).set(EmulatedDriver.Setting.MEMORY_BYTES,
                64 << 20);
        ModelShape shape = RandomModel.shape(ModelFamily.LLAMA, 1, 32, 32, 1, 1, 16, 20, null);
        BackendFigure figure = new CudaDecodeCheck(new SystemClock(), "0", shape, 1).run();
        assertThat(figure.id()).isEqualTo("cuda_decode");
        assertThat(figure.limit()).isEqualTo(OptionalDouble.of(0.70));
        assertThat(figure.value()).isPositive().isFinite();
        assertThat(figure.sentence()).contains("copies run at");
    }
}
