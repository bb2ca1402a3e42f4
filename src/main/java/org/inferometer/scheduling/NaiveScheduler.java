package org.inferometer.scheduling;

import org.inferometer.options.Option;

/// `naive`: collects up to `batch_size` requests, or what has come `batch_timeout` after the first; pads them to the longest; runs
/// the batch to its last token; repeats.
///
/// It does not wait when no further request can come.
public final class NaiveScheduler implements Scheduler {
    /// As the registry knows it.
    public static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("naive",
            "Fixed padded batches, each run to its last token before the next begins.",
            "When all requests are of one length and come together; otherwise it is the baseline to beat.",
            Options.class, NaiveScheduler::new);

    /// @param batchSize requests in a batch; the run's limits may make it smaller
    /// @param batchTimeoutSeconds counts from the arrival of the oldest request that waits
    public record Options(
            @Option(name = "batch_size", aliases = "batch", standard = "4", min = 1, max = 1 << 20, unit = "requests",
                    help = "Requests in a batch.") int batchSize,
            @Option(name = "batch_timeout", aliases = "timeout", standard = "0.5", max = 3600, unit = "s",
                    help = "Longest wait for a full batch since its first request came.") double batchTimeoutSeconds) {}

    private final int batchSize;
    private final long timeoutNanos;
    private final String timeoutWords;
    private final PaddedBatching batching = new PaddedBatching();

    /// A fresh one for one run.
    public NaiveScheduler(Options options) {
        this.batchSize = options.batchSize();
        this.timeoutNanos = Math.round(options.batchTimeoutSeconds() * 1e9);
        this.timeoutWords = PaddedBatching.words(options.batchTimeoutSeconds()) + " since the first came";
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        return batching.goOn(lane, view).orElseGet(() -> batching.collect(lane, view, batchSize,
                first -> new PaddedBatching.Deadline(first.arrivedNanos() + timeoutNanos, timeoutWords)));
    }
}
