package org.inferometer.scheduling;

import java.util.List;
import org.inferometer.options.Option;

/// `simple`: a capacity scheduler chooses who fits the KV pool, then a micro-batch scheduler chooses the step, contexts before
/// generations; after TensorRT-LLM's SimpleScheduler.
///
/// `max_batch_size` counts the requests of all lanes together, `max_num_tokens` the positions of each step.
public final class SimpleScheduler implements Scheduler {
    /// As the registry knows it.
    public static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("simple",
            "Capacity scheduler, then micro-batch scheduler: requests join and leave between steps.",
            "When requests must never lose their work: by default each is let in only with all the memory it can need.",
            Options.class, SimpleScheduler::new);

    /// @param maxRequests requests let in, and requests in a step; 0 for the run's limit
    /// @param maxPositions positions in a step; 0 for the run's limit
    /// @param chunkUnit positions; 0 for the pool's block
    public record Options(@Option(name = "capacity_scheduler_policy", aliases = {"capacity", "policy"},
            standard = "guaranteed_no_evict",
            help = "Who is let in: only who can surely finish, whoever fits the next step, or a batch at a time.") CapacityPolicy capacity,
            @Option(name = "max_batch_size", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Requests in a step; 0 takes the run's limit.") int maxRequests,
            @Option(name = "max_num_tokens", standard = "0", max = 1 << 24, unit = "tokens",
                    help = "Tokens in a step; 0 takes the run's limit.") int maxPositions,
            @Option(name = "context_chunking_policy", aliases = "chunking", standard = "none",
                    help = "How long prompts are cut: not at all, first come first served, or all in equal pieces.") ChunkingPolicy chunking,
            @Option(name = "chunk_unit", standard = "0", max = 1 << 20, unit = "tokens",
                    help = "A cut prompt's pieces are multiples of this; 0 takes the KV block.") int chunkUnit) {}

    private final Options options;
    private final CapacityScheduler capacity;
    private final MicroBatchScheduler microBatch;

    /// A fresh one for one run.
    public SimpleScheduler(Options options) {
        this.options = options;
        this.capacity = new CapacityScheduler(options.capacity());
        this.microBatch = new MicroBatchScheduler(options.chunking(), options.chunkUnit());
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int maxRows = smaller(options.maxRequests(), view.limits().maxBatchRows());
        int maxPositions = smaller(options.maxPositions(), view.limits().maxStepPositions());
        KvReservation kv = view.reserveKv(lane.pool());
        List<Progress> fitting = capacity.fitting(lane.pool(), view, kv, maxRows);
        StepSelection selection = microBatch.select(fitting, kv.blockTokens(), maxRows, maxPositions);
        String why = selection.limit().isEmpty() ? capacity.limit() : selection.limit();
        return MicroBatchScheduler.draft(selection, kv).decision(kv, 0, why);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        int maxPositions = smaller(options.maxPositions(), limits.maxStepPositions());
        return microBatch.faults("simple", "max_num_tokens", options.capacity(), maxPositions, promptTokens,
                totalPositions);
    }

    private static int smaller(int asked, int limit) {
        return asked == 0 ? limit : Math.min(asked, limit);
    }
}
