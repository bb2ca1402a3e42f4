package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.options.Option;

/// `continuous`: one budget of tokens a step; running requests take from it first, then waiting ones; after vLLM's V1 scheduler.
///
/// There are no phases: a request's next positions are computed, many or one. A running request that finds no free block takes
/// those of the youngest, which starts over; after that nobody is let in in this step. Waiting requests enter by age until the
/// first that does not fit. Without chunked prefill a request enters only with all its positions in one step. With prefix caching
/// a request starts behind the whole blocks that the pool still has of its beginning; its last position is always computed.
///
/// Where it differs from the original: running requests take turns by arrival, not by admission, and a request that finds neither
/// a block nor a younger request keeps what it has and waits, where the original would make it start over itself.
public final class ContinuousScheduler implements Scheduler {
    private static final String POOL_FULL = "pool full";

    /// As the registry knows it.
    public static final SchedulerDescription<Options> DESCRIPTION = new SchedulerDescription<>("continuous",
            "One token budget a step: running requests first, then waiting ones, prompts in chunks.",
            "When lengths differ and requests come at any time: the usual choice for a server.", Options.class,
            ContinuousScheduler::new);

    /// @param maxPositions positions in a step; 0 for the run's limit
    /// @param maxRequests requests running at a time; 0 for the run's limit
    /// @param longPrefill most positions of a request in a step; 0 for no such limit
    public record Options(
            @Option(name = "max_num_batched_tokens", aliases = "tokens", standard = "0", max = 1 << 24, unit = "tokens",
                    help = "Tokens in a step; 0 takes the run's limit.") int maxPositions,
            @Option(name = "max_num_seqs", aliases = "seqs", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Requests running at a time; 0 takes the run's limit.") int maxRequests,
            @Option(name = "enable_chunked_prefill", aliases = "chunked", standard = "true",
                    help = "Whether a prompt may be spread over several steps.") boolean chunked,
            @Option(name = "enable_prefix_caching", aliases = "prefix_caching", standard = "true",
                    help = "Whether a prompt starts behind a beginning that the KV pool still has from another request.") boolean prefixCaching,
            @Option(name = "long_prefill_token_threshold", aliases = "long_prefill", standard = "0", max = 1 << 24,
                    unit = "tokens",
                    help = "Most tokens of one prompt in a step, where prompts may be spread; 0 sets no such limit.") int longPrefill) {}

    private final Options options;

    /// A fresh one for one run.
    public ContinuousScheduler(Options options) {
        this.options = options;
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        int budget = smaller(options.maxPositions(), view.limits().maxStepPositions());
        int maxRequests = smaller(options.maxRequests(), view.limits().maxBatchRows());
        KvReservation kv = view.reserveKv(lane.pool());
        StepBuilder draft = new StepBuilder(view.running().size());
        String why = addRunning(draft, lane, view.running(), kv, budget, maxRequests)
                ? addWaiting(draft, view, kv, budget, maxRequests) : POOL_FULL;
        return draft.decision(kv, 0, why);
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        List<String> faults = new ArrayList<>();
        int budget = smaller(options.maxPositions(), limits.maxStepPositions());
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

    /// Returns whether everyone found blocks without taking any away.
    private boolean addRunning(StepBuilder draft, Lane lane, List<Progress> running, KvReservation kv, int budget,
            int maxRows) {
        boolean everyoneFits = true;
        int blockTokens = kv.blockTokens();
        int end = running.size();
        for (int i = 0; i < end && draft.positions() < budget && draft.rows() < maxRows; i++) {
            Progress progress = running.get(i);
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

    /// Returns what ended the walk, in words.
    private String addWaiting(StepBuilder draft, EngineView view, KvReservation kv, int budget, int maxRequests) {
        int running = view.running().size();
        for (Progress progress : view.waiting()) {
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
                return "the next prompt needs a step with more room";
            }
            int count = Math.min(pending, left);
            if (!(cached > 0 ? kv.reserveAfterCached(progress, cached + count) : kv.reserve(progress, count))) {
                return POOL_FULL;
            }
            draft.add(progress, cached, count);
            running++;
        }
        return "all that came fit";
    }

    private int capped(int pending) {
        return options.longPrefill() > 0 && options.chunked() ? Math.min(pending, options.longPrefill()) : pending;
    }

    private static int youngestEvictable(Lane lane, List<Progress> running, int from, int end) {
        for (int i = end - 1; i >= from; i--) {
            Progress progress = running.get(i);
            if (!progress.inFlight() && progress.pool().equals(lane.pool())) {
                return i;
            }
        }
        return -1;
    }

    private static int smaller(int asked, int limit) {
        return asked == 0 ? limit : Math.min(asked, limit);
    }
}
