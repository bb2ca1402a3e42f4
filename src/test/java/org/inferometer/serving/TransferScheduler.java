package org.inferometer.serving;

import java.util.ArrayList;
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

/// A toy that computes contexts in one pool, one at a time, moves them, and generates in another; a request moves only with room
/// for its whole answer.
final class TransferScheduler implements Scheduler {
    static final PoolId CONTEXTS = new PoolId(0);
    static final PoolId GENERATIONS = new PoolId(1);
    static final Lane PREFILLS = new Lane(new LaneId(0), Lane.Role.PREFILL, CONTEXTS);
    static final Lane DECODES = new Lane(new LaneId(1), Lane.Role.DECODE, GENERATIONS);
    static final Lane TRANSFERS = new Lane(new LaneId(2), Lane.Role.TRANSFER, GENERATIONS);
    static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("mover",
            "Contexts here, generations there.", "Never: it is a toy.", Options.class, TransferScheduler::new,
            (options, asked) -> new LaneLayout(List.of(PREFILLS, DECODES, TRANSFERS), List.of(0.5, 0.5)));

    record Options(@Option(name = "reuse", standard = "false", help = "Whether prefixes are reused.") boolean reuse,
            @Option(name = "chunk", standard = "8", min = 1, max = 32, unit = "tokens",
                    help = "Most tokens of a context in a step.") int chunk) {}

    private final Options options;

    TransferScheduler(Options options) {
        this.options = options;
    }

    @Override
    public boolean reusesPrefixes() {
        return options.reuse();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        KvReservation kv = view.reserveKv(lane.pool());
        return switch (lane.role()) {
            case PREFILL -> prefill(lane, view, kv);
            case DECODE -> decode(lane, view, kv);
            case TRANSFER -> transfer(lane, view, kv);
            case ANY -> new Decision.Idle();
        };
    }

    private Decision prefill(Lane lane, EngineView view, KvReservation kv) {
        int most = Math.min(options.chunk(), view.limits().maxStepPositions());
        for (RequestProgress progress : view.running()) {
            if (progress.pool().equals(lane.pool()) && progress.inContext() && !progress.inFlight()) {
                return run(slice(progress, progress.computed(), Math.min(most, progress.pending())), kv, "go on");
            }
        }
        for (RequestProgress progress : view.waiting()) {
            int cached = kv.cachedPositions(progress);
            if (!kv.reserveAfterCached(progress, progress.known())) {
                break;
            }
            return run(slice(progress, cached, Math.min(most, progress.known() - cached)), kv, "begin");
        }
        return new Decision.Idle();
    }

    private static Decision transfer(Lane lane, EngineView view, KvReservation kv) {
        for (RequestProgress progress : view.running()) {
            boolean isDone = !progress.pool().equals(lane.pool()) && !progress.inContext() && !progress.inFlight();
            if (isDone && kv.reserve(progress, progress.request().totalPositions())) {
                Work.Transfer move = new Work.Transfer(progress.request().id(), progress.pool(), lane.pool());
                return new Decision.Run(move, kv.plan(), "move");
            }
        }
        return new Decision.Idle();
    }

    private static Decision decode(Lane lane, EngineView view, KvReservation kv) {
        List<Slice> slices = new ArrayList<>();
        int most = Math.min(view.limits().maxBatchRows(), view.limits().maxStepPositions());
        for (RequestProgress progress : view.running()) {
            if (slices.size() < most && progress.pool().equals(lane.pool()) && !progress.inFlight()) {
                slices.add(slice(progress, progress.computed(), 1));
            }
        }
        return slices.isEmpty() ? new Decision.Idle()
                : new Decision.Run(new Work.Compute(slices, 0), kv.plan(), "decode");
    }

    private static Slice slice(RequestProgress progress, int from, int count) {
        return new Slice(progress.request().id(), from, count);
    }

    private static Decision run(Slice slice, KvReservation kv, String reason) {
        return new Decision.Run(new Work.Compute(List.of(slice), 0), kv.plan(), reason);
    }
}
