package org.inferometer.execution.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.Precision;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ExecutorRun;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.cuda.CudaExecutor;
import org.inferometer.execution.cuda.CudaOptions;
import org.inferometer.execution.cuda.emulated.EmulatedDriver;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Sampling;
import org.junit.jupiter.api.Test;

/// The GPU's choice of tokens against the host's, from the very logits that the GPU computed.
class DeviceSamplingEmulatedTest {
    private static final int TOGETHER = 16;
    private static final List<Sampling> WAYS = List.of(
            Sampling.GREEDY,
            new Sampling(1, 0, 1, 3),
            new Sampling(0.7, 5, 1, 4),
            new Sampling(1.3, 0, 0.8, 5),
            new Sampling(0.9, 20, 0.6, 6),
            new Sampling(3, 1, 1, 7),
            new Sampling(2, 0, 0, 8),
            new Sampling(1e-3, 0, 0.99, 9));

    @Test
    void theDeviceChoosesTheTokensThatTheHostWouldChoose() throws Exception {
        EmulatedDriver.load();
        RandomModel model = RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 40, 30, 2, 1, 16, 1100, null), Precision.BF16, 3);
        CudaOptions options = new CudaOptions("0", 1, 16, CudaOptions.KvDtype.FP16, false);
        ExecutorSizes sizes = new ExecutorSizes(1 << 20, TOGETHER, 32, TOGETHER);
        Sampler sampler = new Sampler(1100);
        try (ExecutorRun run = new ExecutorRun(
                CudaExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1), sizes, new SystemClock()))) {
            for (int position = 0; position < 12; position++) {
                List<StepSlice> slices = new ArrayList<>();
                for (int i = 0; i < TOGETHER; i++) {
                    int[] blocks = {2 * i, 2 * i + 1};
                    slices.add(new StepSlice(position, new int[] {37 * i + position}, blocks, true, WAYS.get((i + position) % WAYS.size())));
                }
                CompletableFuture<StepOutcome> done = run.start(0, slices, 0);
                StepOutcome.Completed completed = ExecutorRun.completed(done);
                int[] expected = new int[TOGETHER];
                for (int i = 0; i < TOGETHER; i++) {
                    expected[i] = sampler.choose(completed.logits()[i], 0, slices.get(i).sampling(), position + 1);
                }
                assertThat(completed.tokens()).isEqualTo(expected);
            }
        }
    }
}
