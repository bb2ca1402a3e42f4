package org.inferometer.execution.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.inferometer.engine.ModelFamily;
import org.inferometer.engine.ModelShape;
import org.inferometer.engine.Precision;
import org.inferometer.execution.BackendCheck.BackendFigure;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.workload.Sampling;

/// Compares a backend's sampled tokens with the reference rule, given the backend's logits: greedy, temperature, top-k
/// and top-p in one batch.
///
/// @param backend prefix of the ids: "cuda"
/// @param steps number of steps; each samples one token per sequence
public record SamplingAgreement(String backend, int steps) {
    /// Concurrent sequences.
    public static final int TOGETHER = 16;
    /// Positions of a KV block.
    public static final int BLOCK_TOKENS = 16;

    private static final long MODEL_SEED = 7;
    private static final List<Sampling> WAYS = List.of(Sampling.GREEDY, new Sampling(1, 0, 1, 3),
            new Sampling(0.7, 5, 1, 4), new Sampling(1.3, 0, 0.8, 5), new Sampling(0.9, 20, 0.6, 6),
            new Sampling(3, 1, 1, 7), new Sampling(2, 0, 0, 8), new Sampling(1e-3, 0, 0.99, 9));

    private int blocksEach() {
        return Math.ceilDiv(steps, BLOCK_TOKENS);
    }

    /// The number of sampled tokens that the rule does not allow.
    ///
    /// @param blockBytes of a block of the KV cache
    /// @throws ExecutorException if the executor cannot be opened or a step fails
    BackendFigure ratio(int vocabulary, ToLongFunction<ModelShape> blockBytes, Agreement.Opening opening)
            throws ExecutorException, InterruptedException {
        RandomModel model = RandomModel.of(RandomModel.shape(ModelFamily.LLAMA, 1, 40, 30, 2, 1, 16, vocabulary, null),
                Precision.BF16, MODEL_SEED);
        ExecutorSizes sizes = new ExecutorSizes(TOGETHER * blocksEach() * blockBytes.applyAsLong(model.shape()),
                TOGETHER, steps, TOGETHER);
        try (Executor executor = opening.open(model, sizes)) {
            return ratio(executor, vocabulary);
        }
    }

    private BackendFigure ratio(Executor executor, int vocabulary) throws ExecutorException, InterruptedException {
        int wrong = 0;
        String first = "";
        for (int position = 0; position < steps; position++) {
            List<StepSlice> slices = slices(position, vocabulary);
            StepOutcome.Completed done = new AwaitedSteps(executor).one(new Step(position, slices, 0, true));
            for (int i = 0; i < TOGETHER; i++) {
                Sampling sampling = slices.get(i).sampling();
                if (!ReferenceSampler.permits(done.logits()[i], sampling, position + 1, done.tokens()[i])) {
                    wrong++;
                    first = first.isEmpty()
                            ? describe(sampling) + " chose token " + done.tokens()[i] + " in step " + position + "."
                            : first;
                }
            }
        }
        String counted = String.format(Locale.ROOT,
                "%d tokens sampled from %,d with %d settings, using the backend's own logits.", TOGETHER * steps,
                vocabulary, WAYS.size());
        return new BackendFigure(backend + "_agreement_sampling", "sampled tokens outside the reference rule", wrong,
                "", false, 0, first.isEmpty() ? counted : counted + " First wrong token: " + first);
    }

    private List<StepSlice> slices(int position, int vocabulary) {
        List<StepSlice> slices = new ArrayList<>();
        for (int i = 0; i < TOGETHER; i++) {
            int[] blocks = new int[blocksEach()];
            for (int block = 0; block < blocks.length; block++) {
                blocks[block] = i * blocks.length + block;
            }
            int[] token = {(37 * i + position) % vocabulary};
            slices.add(new StepSlice(position, token, blocks, true, WAYS.get((i + position) % WAYS.size())));
        }
        return slices;
    }

    private static String describe(Sampling sampling) {
        return "temperature " + sampling.temperature() + ", top-k " + sampling.topK() + ", top-p " + sampling.topP();
    }
}
