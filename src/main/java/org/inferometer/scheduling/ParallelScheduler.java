package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.options.Option;
import org.inferometer.scheduling.SchedulerDescription.SwitchableBenefit;

/// `parallel`: the two stages of `simple`, with the step divided among several streams; after TensorRT-LLM's
/// ParallelStreamScheduler.
///
/// With synchronization all streams start together, each runs its share, and the next decision for all follows the last
/// end; requests are divided again, which costs nothing with a shared pool. Without synchronization each stream decides
/// alone and keeps its requests. Without fusion a stream's contexts and generations are two steps.
///
/// Differences from the original: any number of streams; limits hold for the steps of all streams together unless
/// `limits` says otherwise; a decision with too few requests to divide runs on stream 0 only.
public final class ParallelScheduler implements Scheduler {
    /// For the registry.
    public static final SchedulerDescription<ParallelOptions> DESCRIPTION = new SchedulerDescription<>("parallel",
            "The step of simple, divided among concurrent streams.",
            "Devices that one stream leaves idle: small batches, or long prompts beside many generations.",
            ParallelOptions.class, ParallelScheduler::new,
            (options, asked) -> LaneLayout.sharing(options.enabled() ? options.streams() : 1, options.priority()));

    /// @param enabled false for one stream
    /// @param stages options of the two stages
    public record ParallelOptions(
            @Option(name = "enable_parallel_execution", aliases = "enabled", standard = "true",
                    help = "false: one stream, like simple.") boolean enabled,
            @Option(name = "load_balancing_strategy", aliases = "strategy", standard = "smart",
                    help = "Division among streams: round robin, per kind, by estimated work, or by measured busy time.") BalancingStrategy strategy,
            @Option(name = "min_requests_for_parallel", aliases = {
                    "min_requests", "threshold"}, standard = "2", min = 1, max = 1 << 20, unit = "requests",
                    help = "Fewer requests all run on stream 0.") int minRequests,
            @Option(name = "streams", standard = "2", min = 2, max = 64, unit = "streams",
                    help = "Number of concurrent streams.") int streams,
            @Option(name = "stream_priority", aliases = "priority", standard = "0", min = -5, max = 5,
                    help = "Stream priority; lower goes first; a device may ignore it.") int priority,
            @Option(name = "enable_stream_synchronization", aliases = {"synchronization", "sync"}, standard = "true",
                    help = "true: all streams start together; false: each continues alone.") boolean synchronous,
            @Option(name = "context_generation_fusion", aliases = "fusion", standard = "false",
                    help = "true: contexts and generations of a stream in one step; false: in two.") boolean fusion,
            @Option(name = "limits", standard = "per_step",
                    help = "Limits apply to all streams together (per_step) or to each (per_stream).") LimitScope limits,
            TwoStageOptions stages) implements SwitchableBenefit {
        @Override
        public boolean isOff() {
            return !enabled;
        }
    }

    private final ParallelOptions options;
    private final CapacitySelector capacity;
    private final MicroBatchSelector microBatch;
    private StreamStates streams = new StreamStates(BalancingStrategy.SMART, 0);
    private String limit = "";

    /// A new instance for one run.
    public ParallelScheduler(ParallelOptions options) {
        this.options = options;
        this.capacity = options.stages().capacitySelector();
        this.microBatch = options.stages().microBatchSelector();
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        if (streams.count == 0) {
            // The number of lanes is known with the first view.
            streams = new StreamStates(options.strategy(), view.laneBusyNanos().length);
        }
        int stream = lane.id().index();
        KvReservation kv = view.reserveKv(lane.pool());
        StepSelection left = streams.shares[stream].next(view, kv, options.fusion());
        if (left.size() > 0) {
            return run(stream, left, kv, false);
        }
        boolean anyBusy = streams.look(view);
        if (options.synchronous() && (anyBusy || streams.someShareIsAlive(view))) {
            return new Decision.Idle();
        }
        kv = view.reserveKv(lane.pool());
        share(stream, view, kv, lane.pool());
        return run(stream, streams.shares[stream].first(options.fusion()), kv, true);
    }

    @Override
    public void observe(CompletedWork outcome) {
        int stream = outcome.lane().id().index();
        if (!streams.shares[stream].hasGenerations()) {
            streams.homes.shareEnded(stream);
        }
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return options.stages().faults("parallel", limits, promptTokens, totalPositions);
    }

    /// Selects the requests that run now and divides them: for all streams with synchronization, else for the asking
    /// one.
    private void share(int asking, EngineView view, KvReservation kv, PoolId pool) {
        int maxRows = options.stages().maxRequests(view.limits());
        int maxPositions = options.stages().maxPositions(view.limits());
        boolean perStep = options.limits() == LimitScope.PER_STEP;
        List<RequestProgress> fitting = capacity.fitting(pool, view, kv, perStep ? maxRows : maxRows * streams.count);
        boolean together = !options.enabled() || fitting.size() < options.minRequests();
        int[] streamOf = streams.assign(fitting, view, together, options);
        limit = together ? "too few requests for several streams" : capacity.limit();
        boolean passesOver = false;
        for (int stream = 0; stream < streams.count; stream++) {
            boolean isMeant = options.synchronous() || stream == asking;
            if (isMeant) {
                streams.shares[stream].begin(fitting.size() / streams.count);
            }
            if (!perStep && isMeant) {
                passesOver |= select(fitting, streamOf, stream, kv, maxRows, maxPositions);
            }
        }
        if (passesOver) {
            // Its stream has too many generations. Younger prompts on other streams would become further generations.
            Arrays.stream(streams.shares).forEach(StreamShare::withholdContexts);
        }
        if (perStep) {
            selectTogether(fitting, streamOf, asking, kv, maxRows, maxPositions - streams.busyPositions());
        }
    }

    /// Returns whether the oldest context is on this stream and was cut to nothing.
    private boolean select(List<RequestProgress> fitting, int[] streamOf, int stream, KvReservation kv, int maxRows,
            int maxPositions) {
        List<RequestProgress> candidates = new ArrayList<>(fitting.size());
        RequestProgress oldestContext = null;
        for (int i = 0; i < fitting.size(); i++) {
            RequestProgress progress = fitting.get(i);
            if (oldestContext == null && StepBuilder.isContext(progress)) {
                oldestContext = progress;
            }
            if (streamOf[i] == stream) {
                candidates.add(progress);
            }
        }
        StepSelection selection = microBatch.select(candidates, kv.blockTokens(), maxRows, maxPositions);
        noteLimit(selection);
        boolean passesOver = false;
        for (int i = 0; i < selection.size(); i++) {
            if (selection.count(i) > 0) {
                streams.shares[stream].add(selection.request(i), selection.count(i));
            } else {
                passesOver |= selection.request(i) == oldestContext;
            }
        }
        return passesOver;
    }

    /// Selects for all idle streams at once. Requests of other streams use the budget and keep their turn.
    private void selectTogether(List<RequestProgress> fitting, int[] streamOf, int asking, KvReservation kv,
            int maxRows, int maxPositions) {
        List<RequestProgress> candidates = new ArrayList<>(fitting.size());
        for (int i = 0; i < fitting.size(); i++) {
            if (!streams.busy[streamOf[i]]) {
                candidates.add(fitting.get(i));
            }
        }
        StepSelection selection = microBatch.select(candidates, kv.blockTokens(), maxRows, Math.max(0, maxPositions));
        noteLimit(selection);
        int place = 0;
        for (int i = 0; i < selection.size(); i++) {
            RequestProgress progress = selection.request(i);
            while (fitting.get(place) != progress) {
                place++;
            }
            int stream = streamOf[place];
            if (selection.count(i) > 0 && (options.synchronous() || stream == asking)) {
                streams.shares[stream].add(progress, selection.count(i));
            }
        }
    }

    private Decision run(int stream, StepSelection selection, KvReservation kv, boolean isFirst) {
        StepBuilder draft = MicroBatchSelector.draft(selection, kv);
        streams.positions[stream] = draft.positions();
        boolean more = streams.shares[stream].hasGenerations();
        String why = more ? "contexts before generations" : isFirst || options.fusion() ? limit : "share of the step";
        return draft.decision(kv, 0, why);
    }

    private void noteLimit(StepSelection selection) {
        if (!selection.limit().isEmpty()) {
            limit = selection.limit();
        }
    }

    /// The state of the streams.
    private static final class StreamStates {
        private final int count;
        private final BalancingStrategy strategy;
        private final StreamShare[] shares;
        private final StreamBalancer split;
        private final StreamAffinity homes;
        private final boolean[] busy; // [streams]
        private final int[] positions; // [streams], of the step that runs or ran last

        private StreamStates(BalancingStrategy strategy, int count) {
            this.count = count;
            this.strategy = strategy;
            this.shares = new StreamShare[count];
            for (int stream = 0; stream < count; stream++) {
                shares[stream] = new StreamShare();
            }
            this.split = new StreamBalancer(strategy, count);
            this.homes = new StreamAffinity(strategy, count);
            this.busy = new boolean[count];
            this.positions = new int[count];
        }

        /// Finds the streams that compute; returns whether there are any.
        private boolean look(EngineView view) {
            List<RequestProgress> running = view.running();
            boolean any = false;
            Arrays.fill(busy, false);
            for (int i = 0; i < running.size(); i++) {
                RequestProgress progress = running.get(i);
                if (progress.inFlight()) {
                    busy[progress.lane().index()] = true;
                    any = true;
                }
            }
            return any;
        }

        private int busyPositions() {
            int sum = 0;
            for (int stream = 0; stream < count; stream++) {
                sum += busy[stream] ? positions[stream] : 0;
            }
            return sum;
        }

        private boolean someShareIsAlive(EngineView view) {
            for (StreamShare share : shares) {
                if ((share.hasContexts() || share.hasGenerations()) && share.isAlive(view)) {
                    return true;
                }
            }
            return false;
        }

        private int[] assign(List<RequestProgress> fitting, EngineView view, boolean together,
                ParallelOptions options) {
            boolean redivided = options.synchronous() && strategy != BalancingStrategy.RUNTIME && !together;
            return redivided ? split.split(fitting) : homes.assign(fitting, view, together, busy);
        }
    }
}
