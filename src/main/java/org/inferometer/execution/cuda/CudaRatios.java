package org.inferometer.execution.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.ModelWeights;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.backend.BackendRatio;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.backend.StepTurns;
import org.inferometer.execution.backend.TimedSteps;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Clock;

/// How near the GPU backend comes to what the card itself allows, measured in the same run: copies within its memory and its
/// tensor-core instruction. Runs on the calling thread.
public final class CudaRatios {
    private static final Load STANDARD = new Load(64, 2048);
    private static final int CONTEXT = 128;
    private static final int BLOCK_TOKENS = 16;

    private final Clock clock;
    private final String device;
    private final long budgetNanos;
    private final Load load;

    /// @param together sequences that decode together
    /// @param prompt tokens of the prompt, where the model takes so many
    record Load(int together, int prompt) {}

    /// @param device as the options name it
    /// @param budgetNanos time for each kind of step, warming up included
    public CudaRatios(Clock clock, String device, long budgetNanos) {
        this(clock, device, budgetNanos, STANDARD);
    }

    CudaRatios(Clock clock, String device, long budgetNanos, Load load) {
        this.load = load;
        this.clock = clock;
        this.device = device;
        this.budgetNanos = budgetNanos;
    }

    /// Decode of one sequence, prefill, many together and two streams, of one model.
    ///
    /// @throws ExecutorException when there is no such GPU, or the model does not fit
    public List<BackendRatio> steps(ModelShape shape, ModelWeights weights)
            throws ExecutorException, InterruptedException {
        try {
            DeviceRates rates = DeviceRates.measure(device);
            int prefill = Math.min(load.prompt(), shape.maxPositions() - 1);
            List<BackendRatio> ratios = new ArrayList<>();
            StepTurns turns = new StepTurns(clock, budgetNanos);
            long togetherNanos;
            try (Executor executor = open(shape, weights, 1, prefill)) {
                List<StepTurns.Best> best = turns
                        .measure(List.of(new StepTurns.Load(executor, TimedSteps.decode(1, 1, CONTEXT, BLOCK_TOKENS)),
                                new StepTurns.Load(executor,
                                        TimedSteps.decode(1, load.together(), CONTEXT, BLOCK_TOKENS)),
                                new StepTurns.Load(executor, List.of(TimedSteps.prefill(prefill, BLOCK_TOKENS)))));
                togetherNanos = best.get(1).nanos();
                ratios.add(decode(shape, weights, rates, best.getFirst()));
                ratios.add(prefill(shape, weights, rates, best.get(2), prefill));
                ratios.add(together(best.getFirst(), best.get(1)));
            }
            try (Executor executor = open(shape, weights, 2, CONTEXT)) {
                long streams = turns.measure(List.of(
                        new StepTurns.Load(executor, TimedSteps.decode(2, load.together() / 2, CONTEXT, BLOCK_TOKENS))))
                        .getFirst().nanos();
                ratios.add(new BackendRatio("cuda_lanes", "two streams against one, " + load.together() + " sequences",
                        (double) togetherNanos / streams, "x", true, OptionalDouble.empty(),
                        String.format(Locale.ROOT,
                                "%d sequences take %.3f ms on one stream and %.3f ms on two, which read the weights twice.",
                                load.together(), togetherNanos / 1e6, streams / 1e6)));
            }
            return ratios;
        } catch (CudaFailure failure) {
            throw new ExecutorException("The GPU's rates could not be measured: " + failure.getMessage() + ".",
                    failure);
        }
    }

    private static BackendRatio decode(ModelShape shape, ModelWeights weights, DeviceRates rates,
            StepTurns.Best alone) {
        long bytes = DeviceModel.bytesRead(weights) + CONTEXT * KvPool.tokenBytes(shape, options("0", 1));
        double ideal = bytes / rates.copyBytesPerSecond();
        return new BackendRatio("cuda_decode", "decode of one sequence against its bytes at the rate of copies",
                ideal * 1e9 / alone.nanos(), "x", true, 0.70,
                String.format(Locale.ROOT,
                        "A step takes %.3f ms, %.3f ms of it on the device, and reads %.3f GB; copies run at %.0f GB/s.",
                        alone.nanos() / 1e6, alone.kernelNanos() / 1e6, bytes / 1e9, rates.copyBytesPerSecond() / 1e9));
    }

    private static BackendRatio prefill(ModelShape shape, ModelWeights weights, DeviceRates rates,
            StepTurns.Best prompt, int tokens) {
        // The causal half of scores and of mixing values, beside every matrix but the head, which sees one row.
        double flops = 2.0 * DeviceModel.multipliedPerToken(weights) * tokens
                + 2.0 * tokens * tokens * shape.layers() * shape.queryWidth();
        double rate = flops * 1e9 / prompt.nanos();
        return new BackendRatio("cuda_prefill",
                "prefill of " + tokens + " tokens against the BF16 tensor-core instruction",
                rate / rates.productFlops(), "x", true, 0.40,
                String.format(Locale.ROOT, "%.1f TFLOP/s in %.2f ms; the instruction alone reaches %.1f TFLOP/s.",
                        rate / 1e12, prompt.nanos() / 1e6, rates.productFlops() / 1e12));
    }

    private BackendRatio together(StepTurns.Best alone, StepTurns.Best together) {
        return new BackendRatio("cuda_together", load.together() + " sequences together against one",
                (double) load.together() * alone.nanos() / together.nanos(), "x", true, 20,
                String.format(Locale.ROOT, "A step takes %.3f ms for one sequence and %.3f ms for %d.",
                        alone.nanos() / 1e6, together.nanos() / 1e6, load.together()));
    }

    private Executor open(ModelShape shape, ModelWeights weights, int lanes, int prompt) throws ExecutorException {
        CudaOptions options = options(device, lanes);
        int blocks = Math.max(Math.ceilDiv(prompt + 1, BLOCK_TOKENS),
                load.together() * Math.ceilDiv(CONTEXT + 1, BLOCK_TOKENS));
        ExecutorSizes sizes = new ExecutorSizes(blocks * KvPool.blockBytes(shape, options),
                Math.max(prompt, load.together()), Math.max(prompt, CONTEXT) + 1, load.together());
        return CudaExecutor.open(shape, weights, options, LaneLayout.sharing(lanes), sizes, clock);
    }

    private static CudaOptions options(String device, int lanes) {
        return new CudaOptions(device, lanes, BLOCK_TOKENS, CudaOptions.KvDtype.FP16, true);
    }
}
