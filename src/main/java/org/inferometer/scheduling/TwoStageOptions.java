package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.SchedulerDescription.SwitchableBenefit;

/// The options of the two stages of `simple` and `parallel`: capacity, then micro batch.
///
/// @param maxRequests admitted requests, and requests in a step; 0 for the run's limit
/// @param maxPositions positions in a step; 0 for the run's limit
/// @param chunkUnit positions; 0 for the KV block
/// @param twoSteps whether `max_utilization` counts the blocks of two steps
public record TwoStageOptions(@Option(name = "capacity_scheduler_policy", aliases = {
        "capacity", "policy"}, standard = "guaranteed_no_evict",
        help = "Admission: requests that can finish, requests that fit the next step, or whole batches.") CapacityPolicy capacity,
        @Option(name = "max_batch_size", standard = "0", max = 1 << 20, unit = "requests",
                help = "Maximum requests in a step.", zero = "the run's limit") int maxRequests,
        @Option(name = "max_num_tokens", standard = "0", max = 1 << 24, unit = "tokens",
                help = "Maximum tokens in a step.", zero = "the run's limit") int maxPositions,
        @Option(name = "context_chunking_policy", aliases = "chunking", standard = "none",
                help = "How long prompts are split: not at all, oldest first, or in equal chunks.") ChunkingPolicy chunking,
        @Option(name = "chunk_unit", standard = "0", max = 1 << 20, unit = "tokens",
                help = "Chunks are multiples of this.", zero = "the KV block") int chunkUnit,
        @Option(name = "two_step_lookahead", aliases = "lookahead", standard = "false",
                help = "true: max_utilization keeps the blocks of two steps for each generation.") boolean twoSteps)
        implements
            SwitchableBenefit {

    /// This policy preempts.
    @Override
    public boolean isOff() {
        return capacity == CapacityPolicy.MAX_UTILIZATION;
    }

    int maxRequests(Limits limits) {
        return Limits.orLess(maxRequests, limits.maxBatchRows());
    }

    int maxPositions(Limits limits) {
        return Limits.orLess(maxPositions, limits.maxStepPositions());
    }

    CapacitySelector capacitySelector() {
        return new CapacitySelector(capacity, twoSteps);
    }

    MicroBatchSelector microBatchSelector() {
        return new MicroBatchSelector(chunking, chunkUnit);
    }

    /// Reasons why requests of these lengths can never run; see [Scheduler#faults].
    ///
    /// @param scheduler its name
    List<String> faults(String scheduler, Limits limits, int promptTokens, int totalPositions) {
        return microBatchSelector().faults(scheduler, "max_num_tokens", capacity, maxPositions(limits), promptTokens,
                totalPositions);
    }
}
