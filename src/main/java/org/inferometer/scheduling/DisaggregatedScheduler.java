package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.options.Option;

/// `disaggregated`: context lanes compute prompts in their own KV pool, generation lanes generate in another, and a
/// transfer lane copies keys and values between them.
///
/// - Requests are admitted by age with the blocks of their prompt in the context pool, which yields the first token. A
///   request for one token ends there.
/// - The oldest request with a complete prompt is transferred next. It needs blocks in the generation pool to its end
///   and a free row on the generation lanes. Younger requests wait, so there is no preemption and no starvation.
/// - Generation lanes have equal numbers of requests; a request stays on its lane while that holds.
/// - The context pool never has more requests than one step of all context lanes, which bounds the prompts computed
///   ahead.
/// - Idle context lanes share the prompts that can start; a prompt continues on any idle context lane.
public final class DisaggregatedScheduler implements Scheduler {
    private static final PoolId CONTEXT_POOL = new PoolId(0);
    private static final PoolId GENERATION_POOL = new PoolId(1);

    /// For the registry.
    public static final SchedulerDescription<DisaggregatedOptions> DESCRIPTION =
            new SchedulerDescription<>("disaggregated",
                    "Prefill and decode on separate lanes with separate KV pools, and a lane that copies between them.",
                    "Long prompts that would delay running generations, if copying is cheap.",
                    DisaggregatedOptions.class, DisaggregatedScheduler::new, (options, asked) -> layout(options));

    /// @param contextRows prompts in a step; 0 for the run's limit
    /// @param contextPositions positions in a step of a context lane; 0 for the run's limit
    /// @param generationRows requests in a step of a generation lane; 0 for the run's limit
    /// @param contextShare share of the KV memory
    public record DisaggregatedOptions(
            @Option(name = "ctx", aliases = "contexts", standard = "1", min = 1, max = 16, unit = "lanes",
                    help = "Number of context lanes.") int contexts,
            @Option(name = "gen", aliases = "generations", standard = "1", min = 1, max = 16, unit = "lanes",
                    help = "Number of generation lanes.") int generations,
            @Option(name = "ctx_max_batch_size", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Maximum prompts in a step of a context lane.", zero = "the run's limit") int contextRows,
            @Option(name = "ctx_max_num_tokens", standard = "0", max = 1 << 24, unit = "tokens",
                    help = "Maximum tokens in a step of a context lane.",
                    zero = "the run's limit") int contextPositions,
            @Option(name = "gen_max_batch_size", standard = "0", max = 1 << 20, unit = "requests",
                    help = "Maximum requests in a step of a generation lane.",
                    zero = "the run's limit") int generationRows,
            @Option(name = "context_chunking_policy", aliases = "chunking", standard = "none",
                    help = "How long prompts are split: not at all, oldest first, or in equal chunks.") ChunkingPolicy chunking,
            @Option(name = "ctx_kv_share", standard = "0.25", min = 0.05, max = 0.95,
                    help = "Share of the KV memory for the context pool.") double contextShare) {}

    private final DisaggregatedOptions options;
    private final MicroBatchSelector microBatch;
    private final boolean[] busy; // [context lanes]
    private final int[] sizes; // [generation lanes]

    /// A new instance for one run.
    public DisaggregatedScheduler(DisaggregatedOptions options) {
        this.options = options;
        this.microBatch = new MicroBatchSelector(options.chunking(), 0);
        this.busy = new boolean[options.contexts()];
        this.sizes = new int[options.generations()];
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        return switch (lane.role()) {
            case PREFILL -> prefill(lane, view);
            case DECODE -> decode(lane, view);
            case TRANSFER -> transfer(lane, view);
            case ANY -> throw new IllegalStateException(
                    "disaggregated cannot use lane " + lane.id().index() + ", which takes any work");
        };
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return microBatch.faults("disaggregated", "ctx_max_num_tokens", CapacityPolicy.GUARANTEED_NO_EVICT,
                Limits.orLess(options.contextPositions(), limits.maxStepPositions()), promptTokens, totalPositions);
    }

    private Decision prefill(Lane lane, EngineView view) {
        int maxRows = Limits.orLess(options.contextRows(), view.limits().maxBatchRows());
        int maxPositions = Limits.orLess(options.contextPositions(), view.limits().maxStepPositions());
        KvReservation kv = view.reserveKv(lane.pool());
        List<RequestProgress> candidates = new ArrayList<>();
        long mayEnter = (long) maxRows * options.contexts() - findBegun(lane, view, candidates);
        String limit = "all prompts scheduled";
        int free = kv.freeBlocks();
        for (RequestProgress progress : view.waiting()) {
            int needed = Math.ceilDiv(progress.known(), kv.blockTokens());
            if (mayEnter-- <= 0 || needed > free) {
                limit = needed > free ? "context KV pool full" : "enough prompts computed ahead";
                break;
            }
            free -= needed;
            candidates.add(progress);
        }
        int idleLanes = idleContextLanes();
        int share = Math.min(maxRows, Math.ceilDiv(candidates.size(), idleLanes));
        StepSelection selection = microBatch.select(candidates, kv.blockTokens(), share, maxPositions);
        boolean isShared = idleLanes > 1 && share < maxRows && selection.size() == share;
        String why =
                isShared ? "shared with idle context lanes" : selection.limit().isEmpty() ? limit : selection.limit();
        return MicroBatchSelector.draft(selection, kv).decision(kv, 0, why);
    }

    /// Collects started prompts that are not in flight and marks busy context lanes; returns the number of requests in
    /// the context pool.
    private int findBegun(Lane lane, EngineView view, List<RequestProgress> candidates) {
        Arrays.fill(busy, false);
        List<RequestProgress> running = view.running();
        int inPool = 0;
        for (int i = 0; i < running.size(); i++) {
            RequestProgress progress = running.get(i);
            if (!progress.pool().equals(lane.pool())) {
                continue;
            }
            inPool++;
            if (!progress.inFlight()) {
                if (progress.inContext()) {
                    candidates.add(progress);
                }
            } else if (progress.lane().index() < busy.length) {
                busy[progress.lane().index()] = true;
            }
        }
        return inPool;
    }

    /// Idle context lanes, including the asking one.
    private int idleContextLanes() {
        int idle = 0;
        for (boolean isBusy : busy) {
            idle += isBusy ? 0 : 1;
        }
        return idle;
    }

    private Decision transfer(Lane lane, EngineView view) {
        long rows = (long) generationRows(view.limits()) * options.generations();
        List<RequestProgress> running = view.running();
        RequestProgress oldest = null;
        int generating = 0;
        for (int i = 0; i < running.size(); i++) {
            RequestProgress progress = running.get(i);
            if (progress.pool().equals(lane.pool())) {
                generating++;
            } else if (oldest == null && !progress.inContext() && !progress.inFlight()) {
                oldest = progress;
            }
        }
        KvReservation kv = view.reserveKv(lane.pool());
        if (oldest == null || generating >= rows || !kv.reserve(oldest, oldest.request().totalPositions())) {
            return new Decision.Idle();
        }
        return new Decision.Run(new Work.Transfer(oldest.request().id(), oldest.pool(), lane.pool()), kv.plan(),
                "transfer 1; prefill complete");
    }

    private Decision decode(Lane lane, EngineView view) {
        List<RequestProgress> running = view.running();
        int mine = lane.id().index() - options.contexts();
        int total = countInFlight(lane, running);
        int fair = Math.ceilDiv(total, sizes.length);
        int maxRows = generationRows(view.limits());
        int maxPositions = view.limits().maxStepPositions();
        KvReservation kv = view.reserveKv(lane.pool());
        StepBuilder draft = new StepBuilder(fair);
        for (int i = 0; i < running.size(); i++) {
            RequestProgress progress = running.get(i);
            if (progress.inFlight() || !progress.pool().equals(lane.pool())) {
                continue;
            }
            int goesTo = generationLane(progress, fair);
            sizes[goesTo]++;
            if (goesTo == mine && draft.rows() < maxRows && draft.positions() < maxPositions) {
                draft.add(progress, Math.min(progress.pending(), maxPositions - draft.positions()));
            }
        }
        return draft.decision(kv, 0, draft.rows() < maxRows ? "all generations scheduled" : "batch full");
    }

    /// Counts requests in flight per lane; returns the number of requests on all generation lanes.
    private int countInFlight(Lane lane, List<RequestProgress> running) {
        Arrays.fill(sizes, 0);
        int total = 0;
        for (int i = 0; i < running.size(); i++) {
            RequestProgress progress = running.get(i);
            if (progress.pool().equals(lane.pool())) {
                total++;
                if (progress.inFlight()) {
                    sizes[progress.lane().index() - options.contexts()]++;
                }
            }
        }
        return total;
    }

    /// The lane that ran the request last if it has no more than its share, else the lane with the fewest requests.
    private int generationLane(RequestProgress progress, int fair) {
        int last = progress.lane().index() - options.contexts();
        if (last >= 0 && last < sizes.length && sizes[last] < fair) {
            return last;
        }
        int emptiest = 0;
        for (int lane = 1; lane < sizes.length; lane++) {
            emptiest = sizes[lane] < sizes[emptiest] ? lane : emptiest;
        }
        return emptiest;
    }

    private int generationRows(Limits limits) {
        return Math.min(Limits.orLess(options.generationRows(), limits.maxBatchRows()), limits.maxStepPositions());
    }

    private static LaneLayout layout(DisaggregatedOptions options) {
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < options.contexts(); i++) {
            lanes.add(new Lane(new LaneId(lanes.size()), Lane.Role.PREFILL, CONTEXT_POOL));
        }
        for (int i = 0; i < options.generations(); i++) {
            lanes.add(new Lane(new LaneId(lanes.size()), Lane.Role.DECODE, GENERATION_POOL));
        }
        lanes.add(new Lane(new LaneId(lanes.size()), Lane.Role.TRANSFER, GENERATION_POOL));
        return new LaneLayout(lanes, List.of(options.contextShare(), 1 - options.contextShare()));
    }
}
