package org.inferometer.scheduling;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.inferometer.options.Option;
import org.inferometer.scheduling.SchedulerDescription.SwitchableBenefit;

/// `dynamic`: padded batches whose size follows memory use and, optionally, latency.
///
/// It collects until the batch is full, `batch_timeout` has passed since the start of collection, or the oldest request
/// has waited `max_time_wait`. A batch shrinks the size by one if memory use reached `memory_threshold` of the budget,
/// or if it took longer than `latency_slo` from its oldest arrival to its end. Otherwise the size grows by two. Without
/// `latency_slo` this is the original's rule.
public final class DynamicScheduler implements Scheduler {
    private static final int GROWTH = 2;

    /// For the registry.
    public static final SchedulerDescription<DynamicOptions> DESCRIPTION =
            new SchedulerDescription<>("dynamic", "Padded batches whose size follows memory use and latency.",
                    "Similar requests with limited memory and an unknown best batch size.", DynamicOptions.class,
                    DynamicScheduler::new);

    /// @param memoryThreshold share of the memory budget
    /// @param latencySloSeconds 0 for none
    public record DynamicOptions(
            @Option(name = "batch_size", aliases = "batch", standard = "8", min = 1, max = 1 << 20, unit = "requests",
                    help = "Size of the first batch.") int batchSize,
            @Option(name = "min_batch_size", aliases = "min", standard = "4", min = 1, max = 1 << 20, unit = "requests",
                    help = "Smallest batch size.") int minBatchSize,
            @Option(name = "max_batch_size", aliases = "max", standard = "32", min = 1, max = 1 << 20,
                    unit = "requests", help = "Largest batch size.") int maxBatchSize,
            @Option(name = "batch_timeout", aliases = "timeout", standard = "0.5", max = 3600, unit = "s",
                    help = "Maximum time to collect a batch.") double batchTimeoutSeconds,
            @Option(name = "max_time_wait", standard = "2", max = 3600, unit = "s",
                    help = "Maximum wait of a request before its batch runs.") double maxTimeWaitSeconds,
            @Option(name = "memory_threshold", standard = "0.8", max = 1,
                    help = "Batches shrink from this share of the memory budget on.") double memoryThreshold,
            @Option(name = "latency_slo", standard = "0", max = 3600, unit = "s",
                    help = "Batches shrink above this latency.", zero = "memory only") double latencySloSeconds)
            implements
                SwitchableBenefit {
        /// The size cannot follow anything.
        @Override
        public boolean isOff() {
            return minBatchSize == maxBatchSize;
        }
    }

    private final DynamicOptions options;
    private final long timeoutNanos;
    private final long maxWaitNanos;
    private final String timeoutReason;
    private final String maxWaitReason;
    private final PaddedBatching batching = new PaddedBatching();
    private final Map<LaneId, BatchMeasurement> measurements = new HashMap<>();
    private final Map<LaneId, Long> collectingSinceNanos = new HashMap<>();
    private int batchSize;

    /// A new instance for one run.
    public DynamicScheduler(DynamicOptions options) {
        this.options = options;
        this.timeoutNanos = Math.round(options.batchTimeoutSeconds() * 1e9);
        this.maxWaitNanos = Math.round(options.maxTimeWaitSeconds() * 1e9);
        this.timeoutReason = PaddedBatching.seconds(options.batchTimeoutSeconds()) + " collecting";
        this.maxWaitReason = "oldest request waited " + PaddedBatching.seconds(options.maxTimeWaitSeconds());
        this.batchSize = bounded(options.batchSize());
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        BatchMeasurement measured = measurements.get(lane.id());
        if (measured != null) {
            measured.record(view.memory());
        }
        Optional<Decision> next = batching.nextStep(lane, view);
        if (next.isPresent()) {
            return next.get();
        }
        if (measured != null) {
            measurements.remove(lane.id());
            batchSize = bounded(isTooMuch(measured, view.nowNanos()) ? batchSize - 1 : batchSize + GROWTH);
        }
        return collect(lane, view);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return options.minBatchSize() <= options.maxBatchSize() ? List.of() : List.of("dynamic has min_batch_size "
                + options.minBatchSize() + " above max_batch_size " + options.maxBatchSize() + "; swap them.");
    }

    /// A batch that decodes has no state but its peak of memory, which holds all blocks from its start.
    @Override
    public boolean decidesAhead() {
        return true;
    }

    private Decision collect(Lane lane, EngineView view) {
        if (view.waitingCount() == 0) {
            return new Decision.Idle();
        }
        RequestProgress oldest = view.waiting().iterator().next();
        long notedNanos = collectingSinceNanos.computeIfAbsent(lane.id(), id -> view.nowNanos());
        // The request that started the collection may be cancelled or on another lane.
        long sinceNanos = Math.max(notedNanos, oldest.arrivedNanos());
        Decision decision = batching.collect(lane, view, batchSize, first -> deadline(sinceNanos, first));
        if (decision instanceof Decision.Run) {
            collectingSinceNanos.remove(lane.id());
            measurements.put(lane.id(), new BatchMeasurement(oldest.arrivedNanos()));
        }
        return decision;
    }

    private PaddedBatching.CollectionDeadline deadline(long sinceNanos, RequestProgress first) {
        long collectedNanos = sinceNanos + timeoutNanos;
        long waitedNanos = first.arrivedNanos() + maxWaitNanos;
        return collectedNanos <= waitedNanos ? new PaddedBatching.CollectionDeadline(collectedNanos, timeoutReason)
                : new PaddedBatching.CollectionDeadline(waitedNanos, maxWaitReason);
    }

    private boolean isTooMuch(BatchMeasurement measured, long nowNanos) {
        boolean tooSlow = options.latencySloSeconds() > 0
                && (nowNanos - measured.oldestArrivedNanos) / 1e9 > options.latencySloSeconds();
        return tooSlow || measured.peakMemoryShare >= options.memoryThreshold();
    }

    private int bounded(int size) {
        return Math.max(options.minBatchSize(), Math.min(size, options.maxBatchSize()));
    }

    /// Measurements of one batch.
    private static final class BatchMeasurement {
        private final long oldestArrivedNanos;
        private double peakMemoryShare;

        private BatchMeasurement(long oldestArrivedNanos) {
            this.oldestArrivedNanos = oldestArrivedNanos;
        }

        private void record(EngineView.MemoryState memory) {
            peakMemoryShare = Math.max(peakMemoryShare, memory.usedBytes() / (double) memory.budgetBytes());
        }
    }
}
