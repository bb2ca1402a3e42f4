package org.inferometer.execution.backend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.inferometer.execution.Executor;
import org.inferometer.execution.ExecutorException;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.workload.Sampling;

/// Drives an executor in tests: submits steps and waits for them.
public class ExecutorRun implements AutoCloseable {
    /// Positions of the longest sequence.
    public static final int MAX_SEQUENCE = 96;
    private final Executor executor;
    private long steps;

    /// Takes over an open executor.
    public ExecutorRun(Executor executor) {
        this.executor = executor;
    }

    /// A block table that scatters a sequence over the pool; different for each sequence number.
    public int[] blocks(int sequence) {
        int blockTokens = executor.pools().get(0).blockTokens();
        int count = Math.ceilDiv(MAX_SEQUENCE, blockTokens);
        int[] table = new int[count];
        for (int i = 0; i < count; i++) {
            table[i] = sequence * count + (count - 1 - i);
        }
        return table;
    }

    public StepSlice slice(int sequence, int first, int[] tokens, boolean sample) {
        return new StepSlice(first, tokens, blocks(sequence), sample, Sampling.GREEDY);
    }

    public CompletableFuture<StepOutcome> start(int lane, List<StepSlice> slices, int padding) {
        CompletableFuture<StepOutcome> done = new CompletableFuture<>();
        executor.submit(executor.lanes().get(lane), new Step(steps++, slices, padding, true), done::complete);
        return done;
    }

    public StepOutcome.Completed step(int padding, StepSlice... slices) {
        return completed(start(0, List.of(slices), padding));
    }

    public static StepOutcome.Completed completed(CompletableFuture<StepOutcome> done) {
        StepOutcome outcome = done.orTimeout(60, TimeUnit.SECONDS).join();
        return switch (outcome) {
            case StepOutcome.Completed completed -> completed;
            case StepOutcome.Transferred moved -> throw new AssertionError("moved: " + moved);
            case StepOutcome.Failed(ExecutorException cause) -> throw new AssertionError(cause);
        };
    }

    /// Logits after every position of a sequence, fed in chunks of the given sizes (the last size repeats); only the last row of
    /// a chunk has logits, so the others are null.
    public List<float[]> feed(int sequence, int[] tokens, int... chunks) {
        List<float[]> logits = new ArrayList<>();
        int at = 0;
        for (int i = 0; at < tokens.length; i++) {
            int count = Math.min(chunks[Math.min(i, chunks.length - 1)], tokens.length - at);
            StepOutcome.Completed done = step(0, slice(sequence, at, Arrays.copyOfRange(tokens, at, at + count), true));
            for (int j = 0; j < count - 1; j++) {
                logits.add(null);
            }
            logits.add(done.logits()[0]);
            at += count;
        }
        return logits;
    }

    @Override
    public void close() {
        executor.close();
    }
}
