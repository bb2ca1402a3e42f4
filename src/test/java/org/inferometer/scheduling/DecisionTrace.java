package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.serving.EngineAuditor;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.EventJournal;
import org.inferometer.serving.PrefixCacheModel;
import org.inferometer.serving.StepModel;
import org.inferometer.serving.TestRequests;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.workload.Request;

/// Runs requests under a scheduler in virtual time, a microsecond a step unless a model says otherwise, and writes its decisions as
/// text: `1:0+4` computes four positions of request 1 from position 0 on. Where there are several lanes, lane and microsecond stand
/// before it: `L1@3 1:0+4`.
final class DecisionTrace implements Scheduler {
    final List<String> steps = new ArrayList<>();
    final List<String> reasons = new ArrayList<>();
    final EventJournal journal = new EventJournal();
    private final Scheduler traced;
    private final boolean withLanes;

    private DecisionTrace(Scheduler traced, boolean withLanes) {
        this.traced = traced;
        this.withLanes = withLanes;
    }

    /// All requests arrive together.
    static DecisionTrace of(String scheduler, EngineSetup setup, Request... requests) throws OptionException {
        return of(scheduler, setup, new long[requests.length], requests);
    }

    static DecisionTrace of(String scheduler, EngineSetup setup, long[] sendNanos, Request... requests)
            throws OptionException {
        return of(scheduler, setup, new PrefixCacheModel(setup.pools(), 1_000, 0, 10_000), sendNanos, requests);
    }

    static DecisionTrace of(String scheduler, EngineSetup setup, StepModel model, long[] sendNanos, Request... requests)
            throws OptionException {
        DecisionTrace trace = new DecisionTrace(SchedulerRegistry.standard().create(Selection.parse(scheduler)),
                setup.lanes().size() > 1);
        VirtualEngine engine =
                new VirtualEngine(setup, new EngineAuditor(trace, setup), model, trace.journal, trace.journal);
        for (int i = 0; i < requests.length; i++) {
            engine.sendAt(sendNanos[i], requests[i]);
        }
        engine.run();
        return trace;
    }

    /// An engine with the lanes and pools that a scheduler asks for.
    ///
    /// @param blocks of all pools together
    static EngineSetup engineFor(String scheduler, int blockTokens, int blocks, int maxRows, int maxPositions)
            throws OptionException {
        Selection selection = Selection.parse(scheduler);
        LaneLayout layout = SchedulerRegistry.standard().find(selection.name()).layout(selection, 0);
        List<KvGeometry> pools = new ArrayList<>();
        for (double share : layout.poolShares()) {
            pools.add(new KvGeometry(new PoolId(pools.size()), blockTokens, (int) Math.round(share * blocks), 1));
        }
        Limits limits = new Limits(maxRows, maxPositions, 1_000);
        return new EngineSetup(layout.lanes(), pools, limits, () -> new OwnedMemory(1000, 0, 0, 0));
    }

    static EngineSetup engine(int blockTokens, int blocks, int maxRows, int maxPositions) {
        return TestRequests.setup(blockTokens, blocks, new Limits(maxRows, maxPositions, 1_000));
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        Decision decision = traced.decide(lane, view);
        String where = withLanes ? "L" + lane.id().index() + "@" + view.nowNanos() / 1000 + " " : "";
        if (decision instanceof Decision.Run(Work.Transfer move, KvPlan plan, String reason)) {
            steps.add(where + "move " + move.request() + " into " + plan.allocations().getFirst().blocks() + " blocks");
            reasons.add(reason);
        } else if (decision instanceof Decision.Run(Work.Compute work, KvPlan plan, String reason)) {
            List<String> words = new ArrayList<>();
            work.slices().forEach(slice -> words.add(slice.request() + ":" + slice.from() + "+" + slice.count()));
            if (work.paddingRows() > 0) {
                words.add("pad " + work.paddingRows());
            }
            plan.evicted().forEach(id -> words.add("evict " + id));
            steps.add(where + String.join(" ", words));
            reasons.add(reason);
        }
        return decision;
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return traced.faults(limits, promptTokens, totalPositions);
    }

    @Override
    public boolean reusesPrefixes() {
        return traced.reusesPrefixes();
    }

    @Override
    public void observe(CompletedWork outcome) {
        traced.observe(outcome);
    }
}
