package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;

/// Builds a step; contexts go before generations.
final class StepBuilder {
    private final List<Slice> contexts = new ArrayList<>();
    private final List<Slice> generations;
    private int positions;

    /// @param generations expected number
    StepBuilder(int generations) {
        this.generations = new ArrayList<>(generations);
    }

    /// Adds the request's next `count` positions.
    void add(RequestProgress progress, int count) {
        add(progress, progress.computed(), count);
    }

    /// Adds `count` positions from `from` on, which is after the cached positions.
    void add(RequestProgress progress, int from, int count) {
        (isContext(progress) ? contexts : generations).add(new Slice(progress.request().id(), from, count));
        positions += count;
    }

    /// Adds the one pending position of a generating request.
    void addGeneration(RequestProgress progress) {
        generations.add(new Slice(progress.request().id(), progress.computed(), 1));
        positions++;
    }

    /// Whether the next positions belong to the context, as those of a waiting request do.
    static boolean isContext(RequestProgress progress) {
        return progress.isWaiting() || progress.inContext();
    }

    int rows() {
        return contexts.size() + generations.size();
    }

    int positions() {
        return positions;
    }

    /// The decision for this step and the reservation; without slices only evictions, if there are any.
    ///
    /// @param why what limited the step: "batch full"
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
        StringBuilder text = new StringBuilder(64);
        count(text, "prefill ", contexts.size());
        count(text, "decode ", generations.size());
        count(text, "pad ", paddingRows);
        count(text, "evict ", plan.evicted().size());
        return text.append("; ").append(plan.evicted().isEmpty() ? why : "KV pool full").toString();
    }

    private static void count(StringBuilder text, String what, int number) {
        if (number > 0) {
            text.append(text.isEmpty() ? "" : ", ").append(what).append(number);
        }
    }
}
