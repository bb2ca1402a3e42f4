package org.inferometer.scheduling;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.serving.CacheModel;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.Journal;
import org.inferometer.serving.Loads;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.workload.Request;

/// Runs requests under a scheduler in virtual time, a microsecond a step, and writes its decisions as text: `1:0+4` computes four
/// positions of request 1 from position 0 on.
final class Trace implements Scheduler {
    final List<String> steps = new ArrayList<>();
    final Journal journal = new Journal();
    private final Scheduler traced;

    private Trace(Scheduler traced) {
        this.traced = traced;
    }

    /// All requests arrive together.
    static Trace of(String scheduler, EngineSetup setup, Request... requests) throws OptionException {
        return of(scheduler, setup, new long[requests.length], requests);
    }

    static Trace of(String scheduler, EngineSetup setup, long[] sendNanos, Request... requests) throws OptionException {
        Trace trace = new Trace(SchedulerRegistry.standard().create(Selection.parse(scheduler)));
        CacheModel model = new CacheModel(setup.pools().getFirst(), 1_000, 0, 1_000);
        VirtualEngine engine = new VirtualEngine(setup, trace, model, trace.journal, trace.journal);
        for (int i = 0; i < requests.length; i++) {
            engine.sendAt(sendNanos[i], requests[i]);
        }
        engine.run();
        return trace;
    }

    static EngineSetup engine(int blockTokens, int blocks, int maxRows, int maxPositions) {
        return Loads.setup(blockTokens, blocks, new Limits(maxRows, maxPositions, 1_000));
    }

    @Override
    public Decision decide(Lane lane, EngineView view) {
        Decision decision = traced.decide(lane, view);
        if (decision instanceof Decision.Run(Work.Compute work, KvPlan plan, String _)) {
            List<String> words = new ArrayList<>();
            work.slices().forEach(slice -> words.add(slice.request() + ":" + slice.from() + "+" + slice.count()));
            if (work.paddingRows() > 0) {
                words.add("pad " + work.paddingRows());
            }
            plan.evicted().forEach(id -> words.add("evict " + id));
            steps.add(String.join(" ", words));
        }
        return decision;
    }

    @Override
    public List<String> faults(Limits limits, int promptTokens, int totalPositions) {
        return traced.faults(limits, promptTokens, totalPositions);
    }

    @Override
    public void observe(Outcome outcome) {
        traced.observe(outcome);
    }
}
