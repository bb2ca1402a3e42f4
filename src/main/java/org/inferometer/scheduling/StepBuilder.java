package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// A step that is being put together: contexts and generations apart, because contexts go first.
final class StepBuilder {
    private final List<Slice> contexts = new ArrayList<>();
    private final List<Slice> generations;
    private int positions;

    /// @param generations about how many there will be
    StepBuilder(int generations) {
        this.generations = new ArrayList<>(generations);
    }

    /// Adds the request's next `count` positions.
    void add(Progress progress, int count) {
        add(progress, progress.computed(), count);
    }

    /// Adds `count` positions of the request from `from` on, which lies behind what is computed where a cache has the beginning.
    void add(Progress progress, int from, int count) {
        (isContext(progress) ? contexts : generations).add(new Slice(progress.request().id(), from, count));
        positions += count;
    }

    /// Adds the single position of a request that generates.
    void addGeneration(Progress progress) {
        generations.add(new Slice(progress.request().id(), progress.computed(), 1));
        positions++;
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
    ///
    /// @param why what made the step as it is, in a few words: "batch full"
    Decision decision(KvReservation kv, int paddingRows, String why) {
        KvPlan plan = kv.plan();
        if (rows() > 0) {
            String reason = reason(plan, paddingRows, why);
            List<Slice> slices = contexts.isEmpty() ? generations : contexts;
            if (slices != generations) {
                slices.addAll(generations);
            }
            return new Decision.Run(new Work.Compute(slices, paddingRows), plan, reason);
        }
        return plan.evicted().isEmpty() ? new Decision.Idle()
                : new Decision.Evict(plan, reason(plan, paddingRows, why));
    }

    private String reason(KvPlan plan, int paddingRows, String why) {
        StringBuilder words = new StringBuilder(64);
        count(words, "prefill ", contexts.size());
        count(words, "decode ", generations.size());
        count(words, "pad ", paddingRows);
        count(words, "evict ", plan.evicted().size());
        return words.append("; ").append(plan.evicted().isEmpty() ? why : "pool full").toString();
    }

    private static void count(StringBuilder words, String what, int number) {
        if (number > 0) {
            words.append(words.isEmpty() ? "" : ", ").append(what).append(number);
        }
    }
}
