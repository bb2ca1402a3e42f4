package org.inferometer.run;

import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.Decision;
import org.inferometer.scheduling.EngineView;
import org.inferometer.scheduling.KvReservation;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.RequestProgress;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.scheduling.SchedulerDescription;
import org.inferometer.scheduling.Slice;
import org.inferometer.scheduling.Work;

/// A toy: one request at a time is prefilled on a context lane, moved, and decoded on one of the generation lanes.
public final class SplitScheduler implements Scheduler {
    public static final SchedulerDescription<Options> DESCRIPTION =
            new SchedulerDescription<>("split", "One request at a time, moved between pools.", "Never: it is a toy.",
                    Options.class, options -> new SplitScheduler(), (options, asked) -> layout(options));

    record Options(
            @Option(name = "gen", standard = "1", min = 1, max = 8, help = "Generation lanes.") int generationLanes,
            @Option(name = "share", standard = "0.2", min = 0.05, max = 0.95,
                    help = "Share of the context pool.") double share) {}

    private static final PoolId CONTEXTS = new PoolId(0);
    private static final PoolId GENERATIONS = new PoolId(1);

    private static LaneLayout layout(Options options) {
        List<Lane> lanes = new java.util.ArrayList<>();
        lanes.add(new Lane(new LaneId(0), Lane.Role.PREFILL, CONTEXTS));
        for (int i = 0; i < options.generationLanes(); i++) {
            lanes.add(new Lane(new LaneId(lanes.size()), Lane.Role.DECODE, GENERATIONS));
        }
        lanes.add(new Lane(new LaneId(lanes.size()), Lane.Role.TRANSFER, GENERATIONS));
        return new LaneLayout(lanes, List.of(options.share(), 1 - options.share()));
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        List<RequestProgress> idle = view.running().stream().filter(progress -> !progress.inFlight()).toList();
        KvReservation kv = view.reserveKv(lane.pool());
        return switch (lane.role()) {
            case PREFILL -> {
                RequestProgress next =
                        view.running().isEmpty() && view.waitingCount() > 0 ? view.waiting().iterator().next() : null;
                yield next != null && kv.reserve(next, next.known()) ? compute(next, kv, "prefill")
                        : new Decision.Idle();
            }
            case TRANSFER -> idle.stream()
                    .filter(progress -> progress.pool().equals(CONTEXTS)
                            && kv.reserve(progress, progress.request().totalPositions()))
                    .findFirst()
                    .<Decision>map(progress -> new Decision.Run(
                            new Work.Transfer(progress.request().id(), CONTEXTS, GENERATIONS), kv.plan(), "move"))
                    .orElseGet(Decision.Idle::new);
            case DECODE, ANY -> idle.stream().filter(progress -> progress.pool().equals(lane.pool())).findFirst()
                    .<Decision>map(progress -> compute(progress, kv, "decode")).orElseGet(Decision.Idle::new);
        };
    }

    private static Decision compute(RequestProgress progress, KvReservation kv, String reason) {
        Slice slice = new Slice(progress.request().id(), progress.computed(), progress.pending());
        return new Decision.Run(new Work.Compute(List.of(slice), 0), kv.plan(), reason);
    }
}
