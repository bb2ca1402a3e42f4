package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.options.Option;

/// `continuous`: one token budget per step for running requests first, then waiting ones, like vLLM's V1 scheduler.
///
/// There are no phases: a step computes the next positions of a request, many or one. A running request without a free
/// block evicts the youngest; then no request is admitted in this step. Waiting requests are admitted by age until the
/// first that does not fit. Without chunked prefill a request needs all its positions in one step. With prefix caching a
/// request starts after the cached blocks of its prefix; its last position is always computed.
///
/// Differences from vLLM: running requests are ordered by arrival, not by admission. A request that finds neither a block
/// nor a younger request keeps its blocks and waits; vLLM preempts it.
public final class ContinuousScheduler implements Scheduler {
    private static final String POOL_FULL = "KV pool full";

    /// For the registry.
    public static final SchedulerDescription<ContinuousOptions> DESCRIPTION = new SchedulerDescription<>("continuous",
            "One token budget per step: running requests first, then waiting ones; prompts in chunks.",
            "Mixed lengths and arrivals at any time, as on a server.", ContinuousOptions.class,
            ContinuousScheduler::new);

    /// @param maxPositions positions in a step; 0 for the run's limit
    /// @param maxRequests running requests; 0 for the run's limit
    /// @param longPrefill maximum positions of one request in a step; 0 for no limit
    public record ContinuousOptions(
            @Option(name = "max_num_batched_tokens", aliases = "tokens", standard = "0", max = 1 << 24, unit = "tokens",
                    help = "Maximum tokens in a step.", zero = "the run's limit") int maxPositions,
            @Option(name = "max_num_seqs", aliases = "seqs", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Maximum running requests.", zero = "the run's limit") int maxRequests,
            @Option(name = "enable_chunked_prefill", aliases = "chunked", standard = "true",
                    help = "Split prompts over several steps.") boolean chunked,
            @Option(name = "enable_prefix_caching", aliases = "prefix_caching", standard = "true",
                    help = "Reuse the KV blocks of a common prompt prefix.") boolean prefixCaching,
            @Option(name = "long_prefill_token_threshold", aliases = "long_prefill", standard = "0", max = 1 << 24,
                    unit = "tokens", help = "Maximum tokens of one prompt in a step, with chunked prefill.",
                    zero = "no limit") int longPrefill) {}

    private final ContinuousOptions options;

    /// A new instance for one run.
    public ContinuousScheduler(ContinuousOptions options) {
        this.options = options;
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int budget = Limits.orLess(options.maxPositions(), view.limits().maxStepPositions());
        int maxRequests = Limits.orLess(options.maxRequests(), view.limits().maxBatchRows());
        KvReservation kv = view.reserveKv(lane.pool());
        StepBuilder draft = new StepBuilder(view.running().size());
        String why = addRunning(draft, lane, view.running(), kv, budget, maxRequests)
                ? addWaiting(draft, view, kv, budget, maxRequests) : POOL_FULL;
        return draft.decision(kv, 0, why);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        List<String> faults = new ArrayList<>();
        int budget = Limits.orLess(options.maxPositions(), limits.maxStepPositions());
        if (!options.chunked() && totalPositions > budget) {
            faults.add("continuous without chunked prefill may have to compute " + totalPositions
                    + " tokens of a request in one step of " + budget
                    + "; raise max_num_batched_tokens or set enable_chunked_prefill=true.");
        }
        return faults;
    }

    @Override
    public boolean reusesPrefixes() {
        return options.prefixCaching();
    }

    @Override
    public boolean decidesAhead() {
        return true;
    }

    /// Returns false if a request found too few blocks.
    private boolean addRunning(StepBuilder draft, Lane lane, List<RequestProgress> running, KvReservation kv,
            int budget, int maxRows) {
        boolean everyoneFits = true;
        int blockTokens = kv.blockTokens();
        int end = running.size();
        for (int i = 0; i < end && draft.positions() < budget && draft.rows() < maxRows; i++) {
            RequestProgress progress = running.get(i);
            if (progress.inFlight() || !progress.pool().equals(lane.pool())) {
                continue;
            }
            int count = Math.min(capped(progress.pending()), budget - draft.positions());
            while (!progress.fillsBegunBlock(blockTokens) && !kv.reserve(progress, progress.computed() + count)) {
                everyoneFits = false;
                int victim = youngestEvictable(lane, running, i + 1, end);
                if (victim < 0) {
                    return false;
                }
                kv.evict(running.get(victim));
                end = victim;
            }
            draft.add(progress, count);
        }
        return everyoneFits;
    }

    /// Returns why the admission ended.
    private String addWaiting(StepBuilder draft, EngineView view, KvReservation kv, int budget, int maxRequests) {
        int running = view.running().size();
        for (RequestProgress progress : view.waiting()) {
            int left = budget - draft.positions();
            if (left <= 0) {
                return "token budget used";
            }
            if (running >= maxRequests) {
                return "batch full";
            }
            int cached = options.prefixCaching() ? kv.cachedPositions(progress) : 0;
            int pending = capped(progress.known() - cached);
            if (pending > left && !options.chunked()) {
                return "next prompt does not fit the step";
            }
            int count = Math.min(pending, left);
            if (!(cached > 0 ? kv.reserveAfterCached(progress, cached + count) : kv.reserve(progress, count))) {
                return POOL_FULL;
            }
            draft.add(progress, cached, count);
            running++;
        }
        return "all requests fit";
    }

    private int capped(int pending) {
        return options.longPrefill() > 0 && options.chunked() ? Math.min(pending, options.longPrefill()) : pending;
    }

    private static int youngestEvictable(Lane lane, List<RequestProgress> running, int from, int end) {
        for (int i = end - 1; i >= from; i--) {
            RequestProgress progress = running.get(i);
            if (!progress.inFlight() && progress.pool().equals(lane.pool())) {
                return i;
            }
        }
        return -1;
    }
}
