package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// Selects the step among the requests that fit; TensorRT-LLM calls this part the micro-batch scheduler.
///
/// It takes requests in order, skips those in flight, and stops at the first that would exceed a limit. With chunking,
/// contexts are cut to the positions that generations leave; a cut chunk is a multiple of the unit, and a request with an
/// empty chunk waits for the next step. Contexts that end in this step go after the others.
///
/// Unlike in the original, no younger request takes the positions that rounding leaves: with endless short prompts, an
/// older request whose unit is as large as the step would never find enough.
final class MicroBatchSelector {
    private final ChunkingPolicy chunking;
    private final int chunkUnit;

    /// @param chunkUnit positions; 0 takes the pool's block, or the step where that is smaller
    MicroBatchSelector(ChunkingPolicy chunking, int chunkUnit) {
        this.chunking = chunking;
        this.chunkUnit = chunkUnit;
    }

    /// The requests of the step in the order in which they fit.
    StepSelection select(List<RequestProgress> fitting, int blockTokens, int maxRows, int maxPositions) {
        StepSelection selection = new StepSelection(Math.min(fitting.size(), maxRows));
        int taken = 0;
        long ofContexts = 0;
        for (int i = 0; i < fitting.size(); i++) {
            RequestProgress progress = fitting.get(i);
            if (progress.inFlight()) {
                continue;
            }
            if (selection.size() >= maxRows) {
                selection.limit("batch full");
                break;
            }
            int pending = progress.pending();
            if (chunking != ChunkingPolicy.NONE && StepBuilder.isContext(progress)) {
                ofContexts += pending;
            } else if (pending <= maxPositions - taken) {
                taken += pending;
            } else if (taken < maxPositions && !StepBuilder.isContext(progress)) {
                pending = maxPositions - taken;
                taken = maxPositions;
            } else {
                selection.limit("token limit");
                break;
            }
            selection.add(progress, pending);
        }
        if (ofContexts > maxPositions - taken) {
            selection.limit("prompts chunked to the token limit");
            cut(selection, maxPositions - taken,
                    chunkUnit > 0 ? chunkUnit : Math.max(1, Math.min(blockTokens, maxPositions)));
        }
        return selection;
    }

    /// The step of a selection, with its blocks reserved in the trial.
    static StepBuilder draft(StepSelection selection, KvReservation kv) {
        StepBuilder draft = new StepBuilder(selection.size());
        if (selection.contexts() > 0) {
            addContexts(draft, selection, kv, false);
            addContexts(draft, selection, kv, true);
        }
        int blockTokens = kv.blockTokens();
        for (int i = 0; i < selection.size(); i++) {
            RequestProgress progress = selection.request(i);
            if (progress.fillsBegunBlock(blockTokens) && !progress.inContext()) {
                draft.addGeneration(progress);
            } else if (!StepBuilder.isContext(progress)) {
                reserve(progress, kv);
                draft.add(progress, selection.count(i));
            }
        }
        return draft;
    }

    /// A first chunk takes the blocks of its whole context at once, as the original does.
    private static void addContexts(StepBuilder draft, StepSelection selection, KvReservation kv, boolean ending) {
        for (int i = 0; i < selection.size(); i++) {
            RequestProgress progress = selection.request(i);
            int count = selection.count(i);
            if (count > 0 && StepBuilder.isContext(progress) && (count == progress.pending()) == ending) {
                reserve(progress, kv);
                draft.add(progress, count);
            }
        }
    }

    /// Why a request of these lengths could never be computed in steps of this size, as sentences.
    ///
    /// @param who the scheduler's name
    /// @param option what raises the size of a step
    List<String> faults(String who, String option, CapacityPolicy capacity, int maxPositions, int promptTokens,
            int totalPositions) {
        List<String> faults = new ArrayList<>();
        if (chunking == ChunkingPolicy.NONE) {
            if (promptTokens > maxPositions) {
                faults.add(who + " without chunking cannot run a prompt of " + promptTokens + " tokens in steps of "
                        + maxPositions + "; raise " + option + " or set context_chunking_policy.");
            } else if (capacity == CapacityPolicy.MAX_UTILIZATION && totalPositions > maxPositions) {
                faults.add(who + " with max_utilization and without chunking may have to compute " + totalPositions
                        + " tokens of a preempted request in one step of " + maxPositions + "; raise " + option
                        + " or set context_chunking_policy.");
            }
        } else if (chunkUnit > maxPositions) {
            faults.add(who + " cannot split prompts into chunks of " + chunkUnit + " tokens in steps of " + maxPositions
                    + "; lower chunk_unit or raise " + option + ".");
        }
        return faults;
    }

    private void cut(StepSelection selection, int capacity, int unit) {
        switch (chunking) {
            case NONE -> {}
            case FIRST_COME_FIRST_SERVED -> cutInTurn(selection, capacity, unit);
            case EQUAL_PROGRESS -> cutEqually(selection, capacity, unit);
        }
    }

    private static void cutInTurn(StepSelection selection, int capacity, int unit) {
        int left = capacity;
        for (int i = 0; i < selection.size(); i++) {
            if (StepBuilder.isContext(selection.request(i))) {
                int wanted = selection.count(i);
                boolean isCut = wanted > left;
                selection.count(i, isCut ? left / unit * unit : wanted);
                left = isCut ? 0 : left - wanted;
            }
        }
    }

    private static void cutEqually(StepSelection selection, int capacity, int unit) {
        for (int i = 0; i < selection.size(); i++) {
            if (StepBuilder.isContext(selection.request(i))) {
                selection.count(i, 0);
            }
        }
        int left = capacity;
        boolean grew = true;
        while (grew) {
            grew = false;
            for (int i = 0; i < selection.size(); i++) {
                int more = Math.min(unit, selection.request(i).pending() - selection.count(i));
                if (more > left) {
                    break;
                }
                if (more > 0) {
                    selection.count(i, selection.count(i) + more);
                    left -= more;
                    grew = true;
                }
            }
        }
    }

    private static void reserve(RequestProgress progress, KvReservation kv) {
        if (!kv.reserve(progress, progress.known())) {
            throw new IllegalStateException(
                    "request " + progress.request().id() + " was selected, but its blocks are not free");
        }
    }
}
