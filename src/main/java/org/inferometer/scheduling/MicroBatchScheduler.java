package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// Chooses the step among the requests that fit, after TensorRT-LLM's micro-batch scheduler.
///
/// It walks in order, skips what is in flight, and stops at the first request that would break a limit. With chunking, contexts
/// are taken whole first and cut afterwards to the positions that generations leave; a cut chunk is a multiple of the unit, and a
/// request whose chunk is empty waits for the next step. Contexts that end in this step stand behind the others.
final class MicroBatchScheduler {
    private final ChunkingPolicy chunking;
    private final int chunkUnit;

    /// @param chunkUnit positions; 0 takes the pool's block, or the step where that is smaller
    MicroBatchScheduler(ChunkingPolicy chunking, int chunkUnit) {
        this.chunking = chunking;
        this.chunkUnit = chunkUnit;
    }

    /// The step, with its blocks reserved in the trial.
    StepDraft draft(List<Progress> fitting, KvTrial kv, int maxRows, int maxPositions) {
        List<Progress> contexts = new ArrayList<>();
        List<Progress> generations = new ArrayList<>(fitting.size());
        int taken = 0;
        for (Progress progress : fitting) {
            if (contexts.size() + generations.size() >= maxRows) {
                break;
            }
            if (progress.inFlight()) {
                continue;
            }
            boolean context = StepDraft.isContext(progress);
            int counted = context && chunking != ChunkingPolicy.NONE ? 0 : progress.pending();
            if (counted > maxPositions - taken) {
                break;
            }
            taken += counted;
            (context ? contexts : generations).add(progress);
        }
        int unit = chunkUnit > 0 ? chunkUnit : Math.min(kv.blockTokens(), maxPositions);
        int[] chunks = chunks(contexts, maxPositions - taken, unit);
        StepDraft draft = new StepDraft(generations.size());
        addContexts(draft, contexts, chunks, false, kv);
        addContexts(draft, contexts, chunks, true, kv);
        for (Progress progress : generations) {
            add(draft, progress, progress.pending(), kv);
        }
        return draft;
    }

    /// Positions of each context in this step.
    private int[] chunks(List<Progress> contexts, int capacity, int unit) {
        int[] chunks = new int[contexts.size()];
        long wanted = 0;
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = contexts.get(i).pending();
            wanted += chunks[i];
        }
        if (chunking == ChunkingPolicy.NONE || wanted <= capacity) {
            return chunks;
        }
        return switch (chunking) {
            case NONE -> chunks;
            case FIRST_COME_FIRST_SERVED -> inTurn(chunks, capacity, unit);
            case EQUAL_PROGRESS -> equally(chunks, capacity, unit);
        };
    }

    private static int[] inTurn(int[] wanted, int capacity, int unit) {
        int[] chunks = new int[wanted.length];
        int left = capacity;
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = wanted[i] <= left ? wanted[i] : left / unit * unit;
            left -= chunks[i];
        }
        return chunks;
    }

    private static int[] equally(int[] wanted, int capacity, int unit) {
        int[] chunks = new int[wanted.length];
        int left = capacity;
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int i = 0; i < chunks.length; i++) {
                int more = Math.min(unit, wanted[i] - chunks[i]);
                if (more > 0 && more <= left) {
                    chunks[i] += more;
                    left -= more;
                    grew = true;
                }
            }
        }
        return chunks;
    }

    private static void addContexts(StepDraft draft, List<Progress> contexts, int[] chunks, boolean last, KvTrial kv) {
        for (int i = 0; i < chunks.length; i++) {
            Progress progress = contexts.get(i);
            if (chunks[i] > 0 && (chunks[i] == progress.pending()) == last) {
                add(draft, progress, chunks[i], kv);
            }
        }
    }

    /// A first chunk takes the blocks of its whole context at once, as the original does.
    private static void add(StepDraft draft, Progress progress, int count, KvTrial kv) {
        if (!kv.reserve(progress, progress.known())) {
            throw new IllegalStateException("request " + progress.request().id() + " was found to fit, but its blocks are not free");
        }
        draft.add(progress, count);
    }
}
