package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.units.Seed;
import org.inferometer.workload.Request;

/// A model whose next token depends on every token before it, read back from a paged cache: a wrong block, a position computed
/// twice or not at all, or a block shared by two requests changes what a request is answered.
public final class CacheModel implements StepModel {
    private static final int VOCABULARY = 1 << 20;

    private final long[] cache; // [blocks * blockTokens]
    private final int blockTokens;
    private final long fixedNanos;
    private final long rowNanos;
    private final long mostSteps;

    /// @param mostSteps more steps than this are a livelock
    public CacheModel(KvGeometry pool, long fixedNanos, long rowNanos, long mostSteps) {
        this.cache = new long[pool.blocks() * pool.blockTokens()];
        this.blockTokens = pool.blockTokens();
        this.fixedNanos = fixedNanos;
        this.rowNanos = rowNanos;
        this.mostSteps = mostSteps;
    }

    @Override
    public StepOutcome run(Lane lane, Step step, long startNanos) {
        if (step.number() >= mostSteps) {
            throw new AssertionError("livelock: more than " + mostSteps + " steps");
        }
        List<Integer> tokens = new ArrayList<>();
        for (StepSlice slice : step.slices()) {
            long state = slice.firstPosition() == 0 ? 0 : cache[at(slice, slice.firstPosition() - 1)];
            for (int i = 0; i < slice.tokens().length; i++) {
                state = next(state, slice.tokens()[i]);
                cache[at(slice, slice.firstPosition() + i)] = state;
            }
            if (slice.sample()) {
                tokens.add(token(state));
            }
        }
        long nanos = fixedNanos + rowNanos * step.rows();
        int[] chosen = tokens.stream().mapToInt(Integer::intValue).toArray();
        return new StepOutcome.Completed(chosen, startNanos, startNanos + nanos, nanos, new float[0][]);
    }

    /// What a request must be answered, worked out without any cache.
    public static List<Integer> answer(Request request) {
        long state = 0;
        for (int token : request.promptTokens()) {
            state = next(state, token);
        }
        Integer[] answer = new Integer[request.outputTokens()];
        for (int i = 0; i < answer.length; i++) {
            answer[i] = token(state);
            state = next(state, answer[i]);
        }
        return Arrays.asList(answer);
    }

    private int at(StepSlice slice, int position) {
        return slice.blockTable()[position / blockTokens] * blockTokens + position % blockTokens;
    }

    private static long next(long state, int token) {
        return Seed.mix(state * 31 + token + 1);
    }

    private static int token(long state) {
        return (int) Math.floorMod(state, (long) VOCABULARY);
    }
}
