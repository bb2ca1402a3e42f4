package org.inferometer.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.LaneJob.KvTransfer;
import org.inferometer.execution.LaneJob.Step;
import org.inferometer.execution.LaneJob.StepSlice;
import org.inferometer.execution.StepOutcome;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.units.Seed;
import org.inferometer.workload.Request;

/// A model whose next token depends on every token before it, read back from paged caches: a wrong block, a position computed
/// twice or not at all, or a block that someone else writes changes what a request is answered.
///
/// Each position of a cache keeps the token it was computed from and the state after it, so every slice can check that the
/// positions below it are one unbroken sequence, whoever computed them and wherever they were copied from.
public final class PrefixCacheModel implements StepModel {
    private static final int VOCABULARY = 1 << 20;

    private final long[][] states; // [pools][blocks * blockTokens]
    private final int[][] tokens; // the same
    private final int[] blockTokens; // [pools]
    private final long fixedNanos;
    private final long rowNanos;
    private final long mostSteps;
    private final int mostTokens;
    private final Map<LaneId, List<Integer>> sampledBefore = new ConcurrentHashMap<>();
    private final Map<LaneId, Use> uses = new ConcurrentHashMap<>();

    /// Blocks that a lane reads and writes until it ends.
    private record Use(Set<Place> reads, Set<Place> writes, long endNanos) {
        boolean disturbs(Use other) {
            return writes.stream().anyMatch(place -> other.writes.contains(place) || other.reads.contains(place))
                    || reads.stream().anyMatch(other.writes::contains);
        }
    }

    private record Place(PoolId pool, int block) {}

    /// @param mostSteps more steps than this are a livelock
    public PrefixCacheModel(KvGeometry pool, long fixedNanos, long rowNanos, long mostSteps) {
        this(List.of(pool), fixedNanos, rowNanos, mostSteps);
    }

    /// The same for several pools; copying a position takes as long as computing it.
    public PrefixCacheModel(List<KvGeometry> pools, long fixedNanos, long rowNanos, long mostSteps) {
        this(pools, fixedNanos, rowNanos, mostSteps, 1);
    }

    /// The same with 1 to `mostTokens` tokens of each sampled slice, all of them right.
    public PrefixCacheModel(List<KvGeometry> pools, long fixedNanos, long rowNanos, long mostSteps, int mostTokens) {
        this.mostTokens = mostTokens;
        this.states = new long[pools.size()][];
        this.tokens = new int[pools.size()][];
        this.blockTokens = pools.stream().mapToInt(KvGeometry::blockTokens).toArray();
        for (int i = 0; i < states.length; i++) {
            states[i] = new long[pools.get(i).blocks() * blockTokens[i]];
            tokens[i] = new int[states[i].length];
        }
        this.fixedNanos = fixedNanos;
        this.rowNanos = rowNanos;
        this.mostSteps = mostSteps;
    }

    @Override
    public StepOutcome run(Lane lane, Step step, long startNanos) {
        guardAgainstLivelock(step.number());
        long endNanos = startNanos + fixedNanos + rowNanos * step.rows();
        noteUse(lane, step, startNanos, endNanos);
        List<Integer> chosen = new ArrayList<>();
        List<Integer> ends = new ArrayList<>();
        for (int row = 0; row < step.slices().size(); row++) {
            StepSlice slice = step.slices().get(row);
            int[] input = step.repeats() ? new int[]{sampledBefore.get(lane.id()).get(row)} : slice.tokens();
            long state = stateBelow(lane.pool(), slice);
            for (int i = 0; i < input.length; i++) {
                state = next(state, input[i]);
                int at = at(lane.pool(), slice.blockTable(), slice.firstPosition() + i);
                states[lane.pool().index()][at] = state;
                tokens[lane.pool().index()][at] = input[i];
            }
            if (slice.sample()) {
                int count = 1 + (int) Math.floorMod(state >> 32, (long) mostTokens);
                for (int i = 0; i < count; i++) {
                    chosen.add(token(state));
                    state = next(state, token(state));
                }
                ends.add(chosen.size());
            }
        }
        sampledBefore.put(lane.id(), chosen);
        int[] tokenEnds = mostTokens == 1 ? new int[0] : ends.stream().mapToInt(Integer::intValue).toArray();
        return new StepOutcome.Completed(chosen.stream().mapToInt(Integer::intValue).toArray(), tokenEnds, startNanos,
                endNanos, endNanos - startNanos, new float[0][]);
    }

    @Override
    public StepOutcome transfer(Lane lane, KvTransfer transfer, long startNanos) {
        guardAgainstLivelock(transfer.number());
        long endNanos = startNanos + fixedNanos + rowNanos * transfer.positions();
        int from = transfer.from().index();
        int to = transfer.to().index();
        Set<Place> reads = new HashSet<>();
        Set<Place> writes = new HashSet<>();
        for (int position = 0; position < transfer.positions(); position++) {
            reads.add(new Place(transfer.from(), transfer.fromBlocks()[position / blockTokens[from]]));
            writes.add(new Place(transfer.to(), transfer.toBlocks()[position / blockTokens[to]]));
        }
        noteUse(lane, new Use(reads, writes, endNanos), startNanos);
        for (int position = 0; position < transfer.positions(); position++) {
            int source = at(transfer.from(), transfer.fromBlocks(), position);
            int target = at(transfer.to(), transfer.toBlocks(), position);
            states[to][target] = states[from][source];
            tokens[to][target] = tokens[from][source];
        }
        return new StepOutcome.Transferred(transfer.positions(), startNanos, endNanos);
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

    /// The state after the positions below a slice, each of which must follow from the one before.
    private long stateBelow(PoolId pool, StepSlice slice) {
        long state = 0;
        for (int position = 0; position < slice.firstPosition(); position++) {
            int at = at(pool, slice.blockTable(), position);
            state = next(state, tokens[pool.index()][at]);
            if (states[pool.index()][at] != state) {
                throw new AssertionError("position " + position + " holds something else");
            }
        }
        return state;
    }

    private void guardAgainstLivelock(long number) {
        if (number >= mostSteps) {
            throw new AssertionError("livelock: more than " + mostSteps + " steps");
        }
    }

    private void noteUse(Lane lane, Step step, long startNanos, long endNanos) {
        Set<Place> reads = new HashSet<>();
        Set<Place> writes = new HashSet<>();
        for (StepSlice slice : step.slices()) {
            int until = slice.firstPosition() + slice.tokens().length;
            int tokensInBlock = blockTokens[lane.pool().index()];
            for (int i = 0; i * tokensInBlock < until; i++) {
                Place place = new Place(lane.pool(), slice.blockTable()[i]);
                boolean written = (i + 1) * tokensInBlock > slice.firstPosition();
                boolean clash = writes.contains(place) || (written && reads.contains(place));
                (written ? writes : reads).add(place);
                if (clash) {
                    throw new AssertionError("two slices share " + place + ", and one of them writes it");
                }
            }
        }
        noteUse(lane, new Use(reads, writes, endNanos), startNanos);
    }

    private void noteUse(Lane lane, Use mine, long startNanos) {
        uses.forEach((other, use) -> {
            if (!other.equals(lane.id()) && use.endNanos() > startNanos && mine.disturbs(use)) {
                throw new AssertionError("two lanes use one block at the same time, and one of them writes it");
            }
        });
        uses.put(lane.id(), mine);
    }

    private int at(PoolId pool, int[] blockTable, int position) {
        int inBlock = blockTokens[pool.index()];
        return blockTable[position / inBlock] * inBlock + position % inBlock;
    }

    private static long next(long state, int token) {
        return Seed.mix(state * 31 + token + 1);
    }

    private static int token(long state) {
        return (int) Math.floorMod(state, (long) VOCABULARY);
    }
}
