package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// A step that is being put together: contexts and generations apart, because contexts go first.
final class StepDraft {
    private final List<Slice> contexts = new ArrayList<>();
    private final List<Slice> generations;
    private int positions;

    /// @param generations about how many there will be
    StepDraft(int generations) {
        this.generations = new ArrayList<>(generations);
    }

    /// Adds the request's next `count` positions.
    void add(Progress progress, int count) {
        Slice slice = new Slice(progress.request().id(), progress.computed(), count);
        (isContext(progress) ? contexts : generations).add(slice);
        positions += count;
    }

    /// Whether the next positions of a request belong to its context; those of a waiting request do.
    static boolean isContext(Progress progress) {
        return progress.isWaiting() || progress.inContext();
    }

    int rows() {
        return contexts.size() + generations.size();
    }

    int positions() {
        return positions;
    }

    /// Runs the draft with what the trial reserved and evicted; without slices only evictions are left, if there are any.
    Decision decision(KvTrial kv, int paddingRows) {
        KvPlan plan = kv.plan();
        if (rows() > 0) {
            List<Slice> slices = new ArrayList<>(rows());
            slices.addAll(contexts);
            slices.addAll(generations);
            return new Decision.Run(new Work.Compute(slices, paddingRows), plan, reason(plan, paddingRows));
        }
        return plan.evicted().isEmpty() ? new Decision.Idle() : new Decision.Evict(plan, reason(plan, paddingRows));
    }

    private String reason(KvPlan plan, int paddingRows) {
        StringBuilder words = new StringBuilder(48);
        count(words, "decode ", generations.size());
        count(words, "prefill ", contexts.size());
        count(words, "evict ", plan.evicted().size());
        count(words, "pad ", paddingRows);
        return words.toString();
    }

    private static void count(StringBuilder words, String what, int number) {
        if (number > 0) {
            words.append(words.isEmpty() ? "" : ", ").append(what).append(number);
        }
    }
}
