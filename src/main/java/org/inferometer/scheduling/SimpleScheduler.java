package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.options.Option;

/// `simple`: a capacity scheduler selects the requests that fit the KV pool, then a micro-batch scheduler selects the
/// step, contexts before generations; after TensorRT-LLM's SimpleScheduler.
///
/// `max_batch_size` counts the requests of all lanes together, `max_num_tokens` the positions of each step.
public final class SimpleScheduler implements Scheduler {
    /// For the registry.
    public static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("simple",
            "Capacity scheduler, then micro-batch scheduler: requests join and leave between steps.",
            "Loads without preemption: a request is admitted with all the memory it can need.", Options.class,
            SimpleScheduler::new);

    /// @param maxRequests admitted requests, and requests in a step; 0 for the run's limit
    /// @param maxPositions positions in a step; 0 for the run's limit
    /// @param chunkUnit positions; 0 for the KV block
    public record Options(@Option(name = "capacity_scheduler_policy", aliases = {"capacity", "policy"},
            standard = "guaranteed_no_evict",
            help = "Admission: requests that can finish, requests that fit the next step, or whole batches.") CapacityPolicy capacity,
            @Option(name = "max_batch_size", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Maximum requests in a step; 0 for the run's limit.") int maxRequests,
            @Option(name = "max_num_tokens", standard = "0", max = 1 << 24, unit = "tokens",
                    help = "Maximum tokens in a step; 0 for the run's limit.") int maxPositions,
            @Option(name = "context_chunking_policy", aliases = "chunking", standard = "none",
                    help = "How long prompts are split: not at all, oldest first, or in equal chunks.") ChunkingPolicy chunking,
            @Option(name = "chunk_unit", standard = "0", max = 1 << 20, unit = "tokens",
                    help = "Chunks are multiples of this; 0 for the KV block.") int chunkUnit) {}

    private final Options options;
    private final CapacitySelector capacity;
    private final MicroBatchSelector microBatch;

    /// A new instance for one run.
    public SimpleScheduler(Options options) {
        this.options = options;
        this.capacity = new CapacitySelector(options.capacity());
        this.microBatch = new MicroBatchSelector(options.chunking(), options.chunkUnit());
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int maxRows = Limits.orLess(options.maxRequests(), view.limits().maxBatchRows());
        int maxPositions = Limits.orLess(options.maxPositions(), view.limits().maxStepPositions());
        KvReservation kv = view.reserveKv(lane.pool());
        List<Progress> fitting = capacity.fitting(lane.pool(), view, kv, maxRows);
        StepSelection selection = microBatch.select(fitting, kv.blockTokens(), maxRows, maxPositions);
        String why = selection.limit().isEmpty() ? capacity.limit() : selection.limit();
        return MicroBatchSelector.draft(selection, kv).decision(kv, 0, why);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        int maxPositions = Limits.orLess(options.maxPositions(), limits.maxStepPositions());
        return microBatch.faults("simple", "max_num_tokens", options.capacity(), maxPositions, promptTokens,
                totalPositions);
    }
}
