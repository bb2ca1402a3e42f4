package com.example;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;

/// Runs one request at a time: of those that are there, the one with the fewest tokens left.
public final class ShortestFirstScheduler implements Scheduler {
    static final SchedulerDescription<Options> DESCRIPTION =
            new SchedulerDescription<>("shortest-first", "One request at a time, the shortest answer first.",
                    "Few requests with answers of very different lengths.", Options.class, ShortestFirstScheduler::new);

    /// @param chunkTokens most positions of a step
    public record Options(@Option(name = "chunk", standard = "64", min = 1, max = 1 << 20, unit = "tokens",
            help = "Most positions of a step.") int chunkTokens) {}

    private final int chunkTokens;

    ShortestFirstScheduler(Options options) {
        this.chunkTokens = options.chunkTokens();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        // A request that runs keeps its memory, so it ends before another begins.
        List<RequestProgress> candidates = new ArrayList<>(view.running());
        if (candidates.isEmpty()) {
            view.waiting().forEach(candidates::add);
        }
        return candidates.stream()
                .filter(progress -> !progress.inFlight() && fits(lane, view, progress))
                .min(Comparator.comparingInt(RequestProgress::remaining))
                .map(shortest -> step(lane, view, shortest))
                .orElseGet(Decision.Idle::new);
    }

    private static boolean fits(Lane lane, EngineView view, RequestProgress progress) {
        return view.reserveKv(lane.pool()).reserve(progress, progress.request().totalPositions());
    }

    private Decision step(Lane lane, EngineView view, RequestProgress shortest) {
        KvReservation kv = view.reserveKv(lane.pool());
        kv.reserve(shortest, shortest.request().totalPositions());
        int tokens = Math.min(chunkTokens, Math.min(shortest.pending(), view.limits().maxStepPositions()));
        Slice slice = new Slice(shortest.request().id(), shortest.computed(), tokens);
        return new Decision.Run(new Work.Compute(List.of(slice), 0), kv.plan(), "shortest of those here");
    }
}
