package org.inferometer.serving;

import java.util.ArrayList;
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

/// A toy that reuses prefixes on any number of lanes: running requests first, then waiting ones behind what is cached of them; the
/// youngest makes room.
final class PrefixReuseScheduler implements Scheduler {
    static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("reuser",
            "Prefixes are reused.", "Never: it is a toy.", Options.class, PrefixReuseScheduler::new);

    record Options(
            @Option(name = "tokens", standard = "16", min = 1, max = 64, unit = "tokens",
                    help = "Most tokens in a step.") int tokens,
            @Option(name = "seqs", standard = "4", min = 1, max = 8, unit = "requests",
                    help = "Most requests running.") int seqs) {}

    private final Options options;

    PrefixReuseScheduler(Options options) {
        this.options = options;
    }

    @Override
    public boolean reusesPrefixes() {
        return true;
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int budget = Math.min(options.tokens(), view.limits().maxStepPositions());
        int rows = Math.min(options.seqs(), view.limits().maxBatchRows());
        KvReservation kv = view.reserveKv(lane.pool());
        List<Slice> slices = new ArrayList<>();
        int left = budget;
        int end = view.running().size();
        boolean evicted = false;
        for (int i = 0; i < end && left > 0 && slices.size() < rows; i++) {
            RequestProgress progress = view.running().get(i);
            if (progress.inFlight()) {
                continue;
            }
            int count = Math.min(left, progress.pending());
            while (!kv.reserve(progress, progress.computed() + count)) {
                int victim = end - 1;
                while (victim > i && view.running().get(victim).inFlight()) {
                    victim--;
                }
                if (victim <= i) {
                    return decision(slices, kv);
                }
                kv.evict(view.running().get(victim));
                evicted = true;
                end = victim;
            }
            slices.add(new Slice(progress.request().id(), progress.computed(), count));
            left -= count;
        }
        int running = view.running().size();
        for (RequestProgress progress : view.waiting()) {
            int cached = kv.cachedPositions(progress);
            int count = Math.min(left, progress.known() - cached);
            if (evicted || left == 0 || running++ >= rows || slices.size() >= rows
                    || !kv.reserveAfterCached(progress, cached + count)) {
                break;
            }
            slices.add(new Slice(progress.request().id(), cached, count));
            left -= count;
        }
        return decision(slices, kv);
    }

    private static Decision decision(List<Slice> slices, KvReservation kv) {
        if (!slices.isEmpty()) {
            return new Decision.Run(new Work.Compute(slices, 0), kv.plan(), "toy");
        }
        return kv.plan().evicted().isEmpty() ? new Decision.Idle() : new Decision.Evict(kv.plan(), "toy");
    }
}
