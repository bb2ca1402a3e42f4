package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.KvGeometry;
import org.inferometer.execution.OwnedMemory;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.serving.Auditor;
import org.inferometer.serving.CacheModel;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.Journal;
import org.inferometer.serving.Loads;
import org.inferometer.serving.StepModel;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.workload.Request;

/// Runs requests under a scheduler in virtual time, a microsecond a step unless a model says otherwise, and writes its decisions as
/// text: `1:0+4` computes four positions of request 1 from position 0 on. Where there are several lanes, lane and microsecond stand
/// before it: `L1@3 1:0+4`.
final class Trace implements Scheduler {
    final List<String> steps = new ArrayList<>();
    final List<String> reasons = new ArrayList<>();
    final Journal journal = new Journal();
    private final Scheduler traced;
    private final boolean withLanes;

    private Trace(Scheduler traced, boolean withLanes) {
        this.traced = traced;
        this.withLanes = withLanes;
    }

    /// All requests arrive together.
    static Trace of(String scheduler, EngineSetup setup, Request... requests) throws OptionException {
        return of(scheduler, setup, new long[requests.length], requests);
    }

    static Trace of(String scheduler, EngineSetup setup, long[] sendNanos, Request... requests) throws OptionException {
        return of(scheduler, setup, new CacheModel(setup.pools(), 1_000, 0, 10_000), sendNanos, requests);
    }

    static Trace of(String scheduler, EngineSetup setup, StepModel model, long[] sendNanos, Request... requests)
            throws OptionException {
        Trace trace =
                new Trace(SchedulerRegistry.standard().create(Selection.parse(scheduler)), setup.lanes().size() > 1);
        VirtualEngine engine = new VirtualEngine(setup, new Auditor(trace, setup), model, trace.journal, trace.journal);
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
        return Loads.setup(blockTokens, blocks, new Limits(maxRows, maxPositions, 1_000));
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        Decision decision = traced.decide(lane, view);
        String where = withLanes ? "L" + lane.id().index() + "@" + view.nowNanos() / 1000 + " " : "";
        if (decision instanceof Decision.Run(Work.Move move, KvPlan plan, String reason)) {
            steps.add(where + "move " + move.request() + " into " + plan.reserved().getFirst().blocks() + " blocks");
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
    public void observe(Outcome outcome) {
        traced.observe(outcome);
    }
}
