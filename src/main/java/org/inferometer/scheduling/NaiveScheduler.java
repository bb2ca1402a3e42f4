package org.inferometer.scheduling;

import org.inferometer.options.Option;

/// `naive`: collects up to `batch_size` requests, or those that arrived until `batch_timeout` after the first; pads them
/// to the longest; runs the batch to its last token; repeats. It does not wait if no further request can arrive.
public final class NaiveScheduler implements Scheduler {
    /// For the registry.
    public static final SchedulerDescription<NaiveOptions> DESCRIPTION =
            new SchedulerDescription<>("naive", "Fixed padded batches, each run to its last token.",
                    "Equal requests that arrive together. It is the baseline for other loads.", NaiveOptions.class,
                    NaiveScheduler::new);

    /// @param batchSize requests in a batch; the run's limits may make it smaller
    /// @param batchTimeoutSeconds counts from the arrival of the oldest request that waits
    public record NaiveOptions(
            @Option(name = "batch_size", aliases = "batch", standard = "4", min = 1, max = 1 << 20, unit = "requests",
                    help = "Batch size.") int batchSize,
            @Option(name = "batch_timeout", aliases = "timeout", standard = "0.5", max = 3600, unit = "s",
                    help = "Maximum wait for a full batch after its first request.") double batchTimeoutSeconds) {}

    private final int batchSize;
    private final long timeoutNanos;
    private final String timeoutReason;
    private final PaddedBatching batching = new PaddedBatching();

    /// A new instance for one run.
    public NaiveScheduler(NaiveOptions options) {
        this.batchSize = options.batchSize();
        this.timeoutNanos = Math.round(options.batchTimeoutSeconds() * 1e9);
        this.timeoutReason = PaddedBatching.seconds(options.batchTimeoutSeconds()) + " since the first arrival";
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        return batching.nextStep(lane, view).orElseGet(() -> batching.collect(lane, view, batchSize,
                first -> new PaddedBatching.CollectionDeadline(first.arrivedNanos() + timeoutNanos, timeoutReason)));
    }

    /// A batch that decodes has no state of its own.
    @Override
    public boolean decidesAhead() {
        return true;
    }
}
