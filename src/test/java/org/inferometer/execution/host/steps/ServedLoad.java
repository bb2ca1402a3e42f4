package org.inferometer.execution.host.steps;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.backend.ExecutorSizes;
import org.inferometer.execution.check.RandomModel;
import org.inferometer.execution.host.machine.HostOptions;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.units.Seed;
import org.inferometer.units.SystemClock;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// A small random load and what a model answers to each of its requests when it runs alone.
///
/// @param answers by request
record ServedLoad(RandomModel model, List<Request> requests, List<Answer> answers) {
    static final int LONGEST_PROMPT = 40;
    static final int LONGEST_OUTPUT = 16;
    static final int MOST_POSITIONS = LONGEST_PROMPT + LONGEST_OUTPUT - 1;
    static final int BLOCK_TOKENS = 4;
    private static final int REQUESTS = 12;
    private static final int SHARED_PREFIX = 18;

    /// @param logits `[tokens][vocabulary]`, from which each token was chosen
    record Answer(int[] tokens, float[][] logits) {}

    /// Half of the prompts begin alike, half of the requests are sampled, each with a seed of its own.
    static ServedLoad draw(RandomModel model, long seed) throws ExecutorException {
        RandomGenerator random = new Seed(seed).part("load").generator();
        int vocabulary = model.shape().vocabulary();
        int[] prefix = random.ints(SHARED_PREFIX, 0, vocabulary).toArray();
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            int[] prompt = random.ints(1 + random.nextInt(LONGEST_PROMPT), 0, vocabulary).toArray();
            if (i % 2 == 0) {
                System.arraycopy(prefix, 0, prompt, 0, Math.min(SHARED_PREFIX, prompt.length));
            }
            Sampling sampling = random.nextBoolean() ? Sampling.GREEDY : new Sampling(0.5 + random.nextDouble(),
                    random.nextInt(3) * 7, random.nextBoolean() ? 0.9 : 1, random.nextLong());
            requests.add(new Request(new RequestId(i), prompt, 1 + random.nextInt(LONGEST_OUTPUT), new Arrival.At(0),
                    sampling));
        }
        HostOptions options = options(1, 1);
        ExecutorSizes sizes = new ExecutorSizes(1 << 20, LONGEST_PROMPT, MOST_POSITIONS, 1);
        try (Executor executor = HostExecutor.open(model.shape(), model.weights(), options, LaneLayout.sharing(1),
                sizes, new SystemClock())) {
            List<Answer> answers = new ArrayList<>();
            for (Request request : requests) {
                answers.add(alone(executor, request));
            }
            return new ServedLoad(model, List.copyOf(requests), answers);
        }
    }

    /// The options that every run has: prompts of BF16 and FP8 are rounded.
    static HostOptions options(int threads, int lanes) {
        return HostRun.options(threads, lanes, BLOCK_TOKENS, HostOptions.KvDtype.FP32,
                HostOptions.FloatActivations.BF16, HostOptions.Activations.FP32);
    }

    /// The prompt in one step, then a token a step.
    private static Answer alone(Executor executor, Request request) {
        int[] blocks = new int[Math.ceilDiv(MOST_POSITIONS, BLOCK_TOKENS)];
        Arrays.setAll(blocks, i -> i);
        int[] tokens = new int[request.outputTokens()];
        float[][] logits = new float[request.outputTokens()][];
        int[] fed = request.promptTokens();
        int position = 0;
        for (int i = 0; i < tokens.length; i++) {
            CompletableFuture<StepOutcome> outcome = new CompletableFuture<>();
            StepSlice slice = new StepSlice(position, fed, blocks, true, request.sampling());
            executor.submit(executor.lanes().getFirst(), new Step(i, List.of(slice), 0, true), outcome::complete);
            StepOutcome.Completed done = (StepOutcome.Completed) outcome.orTimeout(60, TimeUnit.SECONDS).join();
            tokens[i] = done.tokens()[0];
            logits[i] = done.logits()[0];
            position += fed.length;
            fed = new int[]{tokens[i]};
        }
        return new Answer(tokens, logits);
    }
}
