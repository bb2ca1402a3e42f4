package org.inferometer.scheduling;

import java.util.List;

/// `simple`: a capacity scheduler selects the requests that fit the KV pool, then a micro-batch scheduler selects the
/// step, contexts before generations; after TensorRT-LLM's SimpleScheduler.
///
/// `max_batch_size` counts the requests of all lanes together, `max_num_tokens` the positions of each step.
public final class SimpleScheduler implements Scheduler {
    /// For the registry.
    public static final SchedulerDescription<TwoStageOptions> DESCRIPTION = new SchedulerDescription<>("simple",
            "Capacity scheduler, then micro-batch scheduler: requests join and leave between steps.",
            "Loads without preemption: a request is admitted with all the memory it can need.", TwoStageOptions.class,
            SimpleScheduler::new);

    private final TwoStageOptions options;
    private final CapacitySelector capacity;
    private final MicroBatchSelector microBatch;

    /// A new instance for one run.
    public SimpleScheduler(TwoStageOptions options) {
        this.options = options;
        this.capacity = options.capacitySelector();
        this.microBatch = options.microBatchSelector();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int maxRows = options.maxRequests(view.limits());
        int maxPositions = options.maxPositions(view.limits());
        KvReservation kv = view.reserveKv(lane.pool());
        List<RequestProgress> fitting = capacity.fitting(lane.pool(), view, kv, maxRows);
        StepSelection selection = microBatch.select(fitting, kv.blockTokens(), maxRows, maxPositions);
        String why = selection.limit().isEmpty() ? capacity.limit() : selection.limit();
        return MicroBatchSelector.draft(selection, kv).decision(kv, 0, why);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return options.faults("simple", limits, promptTokens, totalPositions);
    }

    @Override
    public boolean decidesAhead() {
        return true;
    }
}
