package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.Step;
import org.inferometer.execution.StepOutcome;
import org.inferometer.execution.StepSlice;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
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
    private final Map<LaneId, Use> uses = new ConcurrentHashMap<>();

    /// Blocks that a lane's step reads or writes until it ends.
    private record Use(Set<Integer> blocks, long endNanos) {}

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
        long endNanos = startNanos + fixedNanos + rowNanos * step.rows();
        noteUse(lane, step, startNanos, endNanos);
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
        int[] chosen = tokens.stream().mapToInt(Integer::intValue).toArray();
        return new StepOutcome.Completed(chosen, startNanos, endNanos, endNanos - startNanos, new float[0][]);
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

    private void noteUse(Lane lane, Step step, long startNanos, long endNanos) {
        Set<Integer> blocks = new HashSet<>();
        for (StepSlice slice : step.slices()) {
            int positions = slice.firstPosition() + slice.tokens().length;
            for (int i = 0; i * blockTokens < positions; i++) {
                if (!blocks.add(slice.blockTable()[i])) {
                    throw new AssertionError("two slices share block " + slice.blockTable()[i]);
                }
            }
        }
        uses.forEach((other, use) -> {
            if (!other.equals(lane.id()) && use.endNanos() > startNanos && !Collections.disjoint(use.blocks(), blocks)) {
                throw new AssertionError("two lanes use one block at the same time");
            }
        });
        uses.put(lane.id(), new Use(blocks, endNanos));
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
