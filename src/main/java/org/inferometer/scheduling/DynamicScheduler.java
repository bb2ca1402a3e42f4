package org.inferometer.scheduling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Option;

/// `dynamic`: padded batches whose size follows the memory and, if asked, the latency.
///
/// It collects until the batch is full, `batch_timeout` has passed since it began to collect, or the oldest request has waited
/// `max_time_wait`. After each batch the size falls by one where the memory in use reached `memory_threshold` of the budget or a
/// batch took longer than `latency_slo` from the arrival of its oldest request to its end; else it grows by two. Without
/// `latency_slo` this is the rule of the original, which looks at memory alone.
public final class DynamicScheduler implements Scheduler {
    private static final int GROWTH = 2;

    /// As the registry knows it.
    public static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("dynamic",
            "Padded batches that grow while memory and latency allow and shrink when they do not.",
            "When memory is the limit, requests are alike, and the best batch size is not known beforehand.",
            Options.class, DynamicScheduler::new);

    /// @param memoryThreshold share of the memory budget
    /// @param latencySloSeconds 0 for none
    public record Options(
            @Option(name = "batch_size", aliases = "batch", standard = "8", min = 1, max = 1 << 20, unit = "requests",
                    help = "Requests in the first batch.") int batchSize,
            @Option(name = "min_batch_size", aliases = "min", standard = "4", min = 1, max = 1 << 20, unit = "requests",
                    help = "The batch never shrinks below this.") int minBatchSize,
            @Option(name = "max_batch_size", aliases = "max", standard = "32", min = 1, max = 1 << 20,
                    unit = "requests", help = "The batch never grows above this.") int maxBatchSize,
            @Option(name = "batch_timeout", aliases = "timeout", standard = "0.5", max = 3600, unit = "s",
                    help = "Longest time spent on collecting a batch.") double batchTimeoutSeconds,
            @Option(name = "max_time_wait", standard = "2", max = 3600, unit = "s",
                    help = "Longest wait of a request before its batch runs.") double maxTimeWaitSeconds,
            @Option(name = "memory_threshold", standard = "0.8", max = 1,
                    help = "Share of the memory budget from which on batches shrink.") double memoryThreshold,
            @Option(name = "latency_slo", standard = "0", max = 3600, unit = "s",
                    help = "Latency above which batches shrink; 0 looks at memory alone.") double latencySloSeconds) {}

    private final Options options;
    private final long timeoutNanos;
    private final long maxWaitNanos;
    private final String timeoutWords;
    private final String maxWaitWords;
    private final PaddedBatching batching = new PaddedBatching();
    private final Map<LaneId, Watch> watches = new HashMap<>();
    private final Map<LaneId, Long> collectingSinceNanos = new HashMap<>();
    private int batchSize;

    /// A fresh one for one run.
    public DynamicScheduler(Options options) {
        this.options = options;
        this.timeoutNanos = Math.round(options.batchTimeoutSeconds() * 1e9);
        this.maxWaitNanos = Math.round(options.maxTimeWaitSeconds() * 1e9);
        this.timeoutWords = PaddedBatching.words(options.batchTimeoutSeconds()) + " spent on collecting";
        this.maxWaitWords = "the oldest waited " + PaddedBatching.words(options.maxTimeWaitSeconds());
        this.batchSize = bounded(options.batchSize());
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        Watch watch = watches.get(lane.id());
        if (watch != null) {
            watch.look(view.memory());
        }
        Optional<Decision> next = batching.goOn(lane, view);
        if (next.isPresent()) {
            return next.get();
        }
        if (watch != null) {
            watches.remove(lane.id());
            batchSize = bounded(isTooMuch(watch, view.nowNanos()) ? batchSize - 1 : batchSize + GROWTH);
        }
        return collect(lane, view);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return options.minBatchSize() <= options.maxBatchSize() ? List.of() : List.of("dynamic has min_batch_size "
                + options.minBatchSize() + " above max_batch_size " + options.maxBatchSize() + "; swap them.");
    }

    private Decision collect(Lane lane, EngineView view) {
        if (view.waitingCount() == 0) {
            return new Decision.Idle();
        }
        Progress oldest = view.waiting().iterator().next();
        long notedNanos = collectingSinceNanos.computeIfAbsent(lane.id(), id -> view.nowNanos());
        // Whoever it was noted for may be gone since, cancelled or onto another lane.
        long sinceNanos = Math.max(notedNanos, oldest.arrivedNanos());
        Decision decision = batching.collect(lane, view, batchSize, first -> deadline(sinceNanos, first));
        if (decision instanceof Decision.Run) {
            collectingSinceNanos.remove(lane.id());
            watches.put(lane.id(), new Watch(oldest.arrivedNanos()));
        }
        return decision;
    }

    private PaddedBatching.Deadline deadline(long sinceNanos, Progress first) {
        long collectedNanos = sinceNanos + timeoutNanos;
        long waitedNanos = first.arrivedNanos() + maxWaitNanos;
        return collectedNanos <= waitedNanos ? new PaddedBatching.Deadline(collectedNanos, timeoutWords)
                : new PaddedBatching.Deadline(waitedNanos, maxWaitWords);
    }

    private boolean isTooMuch(Watch watch, long nowNanos) {
        boolean tooSlow = options.latencySloSeconds() > 0
                && (nowNanos - watch.oldestArrivedNanos) / 1e9 > options.latencySloSeconds();
        return tooSlow || watch.peakMemoryShare >= options.memoryThreshold();
    }

    private int bounded(int size) {
        return Math.max(options.minBatchSize(), Math.min(size, options.maxBatchSize()));
    }

    /// What one batch showed.
    private static final class Watch {
        private final long oldestArrivedNanos;
        private double peakMemoryShare;

        private Watch(long oldestArrivedNanos) {
            this.oldestArrivedNanos = oldestArrivedNanos;
        }

        private void look(EngineView.MemoryState memory) {
            peakMemoryShare = Math.max(peakMemoryShare, memory.usedBytes() / (double) memory.budgetBytes());
        }
    }
}
