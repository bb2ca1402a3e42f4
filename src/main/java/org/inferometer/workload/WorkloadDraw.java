package org.inferometer.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.engine.Tokenizer;
import org.inferometer.units.Seed;

/// Draws the requests of a run from a specification and a seed: lengths, tokens and arrivals each from a part of their own.
public final class WorkloadDraw {
    private final Tokenizer tokenizer;

    /// @param tokenizer of the engine that will answer
    public WorkloadDraw(Tokenizer tokenizer) {
        this.tokenizer = tokenizer;
    }

    /// All requests; equal arguments give equal requests.
    ///
    /// @throws IOException when a prompt file cannot be read
    public Workload draw(WorkloadSpec spec, int warmUpRequests, Seed seed) throws IOException {
        List<PromptFile.Prompt> prompts = spec.promptFile() == null ? List.of() : new PromptFile().read(Path.of(spec.promptFile()));
        int measured = spec.requests() == 0 ? prompts.size() : spec.requests();
        ArrivalProcess closed = new ArrivalProcess.ClosedLoop(1);
        List<Request> warmUp = requests(spec, closed, prompts, warmUpRequests, 0, seed.part("warm-up"), seed);
        List<Request> load = requests(spec, spec.arrivals(), prompts, measured, warmUpRequests, seed.part("measured"), seed);
        return new Workload(warmUp, load, hash(warmUp, load));
    }

    private List<Request> requests(
            WorkloadSpec spec, ArrivalProcess arrivals, List<PromptFile.Prompt> prompts, int count, int firstId, Seed seed, Seed whole) {
        RandomGenerator promptLengths = seed.part("prompt lengths").generator();
        RandomGenerator outputLengths = seed.part("output lengths").generator();
        RandomGenerator gaps = seed.part("arrivals").generator();
        int[] prefix = synthetic(spec.sharedPrefixTokens(), whole.part("shared prefix").generator());
        List<Request> requests = new ArrayList<>(count);
        double offsetNanos = 0;
        for (int i = 0; i < count; i++) {
            int outputTokens = spec.outputTokens().draw(outputLengths);
            int[] tokens;
            if (prompts.isEmpty()) {
                tokens = join(prefix, synthetic(spec.promptTokens().draw(promptLengths), seed.part("tokens").part(i).generator()));
            } else {
                PromptFile.Prompt prompt = prompts.get(i % prompts.size());
                tokens = tokenizer.encode(prompt.text());
                outputTokens = prompt.outputTokens().orElse(outputTokens);
            }
            Arrival arrival = switch (arrivals) {
                case ArrivalProcess.ClosedLoop closed -> new Arrival.WhenFree(0);
                case ArrivalProcess.Poisson(double rate) -> {
                    offsetNanos += -Math.log1p(-gaps.nextDouble()) / rate * 1e9;
                    yield new Arrival.At((long) offsetNanos);
                }
            };
            Sampling sampling = spec.temperature() == 0
                    ? Sampling.GREEDY
                    : new Sampling(spec.temperature(), 0, 1, seed.part("sampling").part(i).value());
            requests.add(new Request(new RequestId(firstId + i), tokens, outputTokens, arrival, sampling));
        }
        return requests;
    }

    private int[] synthetic(int length, RandomGenerator random) {
        int[] tokens = new int[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = random.nextInt(tokenizer.vocabulary());
        }
        return tokens;
    }

    private static int[] join(int[] first, int[] second) {
        int[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    private static String hash(List<Request> warmUp, List<Request> measured) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            warmUp.forEach(request -> update(digest, request));
            measured.forEach(request -> update(digest, request));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static void update(MessageDigest digest, Request request) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * request.promptTokens().length + 48);
        bytes.putInt(request.promptTokens().length).putInt(request.outputTokens());
        switch (request.arrival()) {
            case Arrival.At(long offset) -> bytes.putInt(1).putLong(offset);
            case Arrival.WhenFree(long think) -> bytes.putInt(2).putLong(think);
        }
        bytes.putDouble(request.sampling().temperature()).putLong(request.sampling().seed());
        for (int token : request.promptTokens()) {
            bytes.putInt(token);
        }
        digest.update(bytes.flip());
    }
}
