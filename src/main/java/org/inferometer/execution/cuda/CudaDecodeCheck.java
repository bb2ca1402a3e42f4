package org.inferometer.execution.cuda;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.execution.backend.ConcurrentSteps;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.RandomModel;
import org.inferometer.execution.backend.SteadyRounds;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;
import org.inferometer.workload.Sampling;

/// Compares a decode step of one sequence with device copies of the same number of bytes. The model is two random INT4
/// layers with the widths of an 8-billion-parameter model.
///
/// @param device number or UUID
/// @param shape of the model
/// @param budgetNanos the measurement ends when no step was faster for this long
record CudaDecodeCheck(Clock clock, String device, ModelShape shape, long budgetNanos) {
    /// Llama-3.1-8B's layers: 220 MB in INT4, several times the largest cache.
    static final ModelShape LAYERS = RandomModel.shape(ModelFamily.LLAMA, 2, 4096, 14_336, 32, 8, 128, 8_000, null);
    private static final double LEAST = 0.70;
    private static final int CONTEXT = 128;
    private static final int BLOCK_TOKENS = 16;
    private static final int ROUNDS_AT_LEAST = 8;
    private static final long SEED = 1;

    /// The ratio of the rates; the sentence has both rates.
    ///
    /// @throws ExecutorException if there is no such GPU, or the model does not fit
    BackendFigure run() throws ExecutorException, InterruptedException {
        try {
            double copyBytes = DeviceRates.copyBytesPerSecond(device);
            RandomModel model = RandomModel.of(shape, Precision.INT4, SEED);
            CudaOptions options = new CudaOptions(device, 1, BLOCK_TOKENS, CudaOptions.KvDtype.FP16, true);
            int blocks = Math.ceilDiv(CONTEXT + 1, BLOCK_TOKENS);
            ExecutorSizes sizes = new ExecutorSizes(blocks * CudaKvPool.blockBytes(shape, options), 1, CONTEXT + 1, 1);
            try (Executor executor =
                    CudaExecutor.open(shape, model.weights(), options, LaneLayout.sharing(1), sizes, clock)) {
                long bytes = DeviceModel.bytesRead(model.weights()) + CONTEXT * CudaKvPool.tokenBytes(shape, options);
                StepSlice slice = new StepSlice(CONTEXT, new int[]{1}, IntStream.range(0, blocks).toArray(), true,
                        Sampling.GREEDY);
                return figure(bytes, copyBytes, best(executor, new Step(0, List.of(slice), 0, false)));
            }
        } catch (CudaFailure failure) {
            throw new ExecutorException("The GPU's rates could not be measured: " + failure.getMessage() + ".",
                    failure);
        }
    }

    private StepOutcome.Completed best(Executor executor, Step step) throws ExecutorException, InterruptedException {
        ConcurrentSteps steps = new ConcurrentSteps(executor);
        StepOutcome.Completed best = steps.run(List.of(step)).getFirst();
        SteadyRounds rounds = new SteadyRounds(clock, ROUNDS_AT_LEAST, budgetNanos);
        while (rounds.more()) {
            StepOutcome.Completed now = steps.run(List.of(step)).getFirst();
            rounds.seen(1.0 / nanos(best), 1.0 / nanos(now));
            best = nanos(now) < nanos(best) ? now : best;
        }
        return best;
    }

    private static long nanos(StepOutcome.Completed step) {
        return step.endNanos() - step.startNanos();
    }

    private static BackendFigure figure(long bytes, double copyBytes, StepOutcome.Completed step) {
        return new BackendFigure("cuda_decode", "decode of one sequence against copies of as many bytes",
                bytes / copyBytes * 1e9 / nanos(step), "x", true, LEAST,
                String.format(Locale.ROOT,
                        "A step takes %.3f ms, %.3f ms of it on the device, and reads %.3f GB; copies run at %.0f GB/s.",
                        nanos(step) / 1e6, step.kernelNanos() / 1e6, bytes / 1e9, copyBytes / 1e9));
    }
}
