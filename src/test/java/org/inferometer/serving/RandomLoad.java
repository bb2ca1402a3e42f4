package org.inferometer.serving;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.Limits;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// A random load and the engine it meets.
///
/// @param lanes lanes asked for, where a scheduler leaves that open
/// @param blocks of all pools together
record RandomLoad(int lanes, int blockTokens, int blocks, Limits limits, List<Ask> asks) {
    /// @param family requests of one family begin alike
    /// @param sharedTokens that many prompt tokens
    /// @param cancelNanos when it is given up, after its arrival; negative for never
    record Ask(int promptTokens, int outputTokens, int family, int sharedTokens, long gapNanos, long cancelNanos) {}

    /// On one lane, all sent at the start and none cancelled.
    RandomLoad atOnce() {
        return new RandomLoad(1, blockTokens, blocks, limits, asks.stream()
                .map(ask -> new Ask(ask.promptTokens, ask.outputTokens, ask.family, ask.sharedTokens, 0, -1)).toList());
    }

    EngineSetup setup(LaneLayout layout) {
        List<KvGeometry> pools = new ArrayList<>();
        for (int i = 0; i < layout.poolShares().size(); i++) {
            int share = (int) Math.max(1, Math.round(blocks * layout.poolShares().get(i)));
            pools.add(new KvGeometry(new PoolId(i), blockTokens, share, 1024));
        }
        return new EngineSetup(layout.lanes(), pools, limits, () -> new OwnedMemory(1000, 0, 0, 0));
    }

    List<Request> requests() {
        List<Request> requests = new ArrayList<>();
        for (int id = 0; id < asks.size(); id++) {
            Ask ask = asks.get(id);
            int[] prompt = new int[ask.promptTokens()];
            for (int i = 0; i < prompt.length; i++) {
                prompt[i] = i < ask.sharedTokens() ? -1 - ask.family() : id * 1000 + i;
            }
            requests.add(
                    new Request(new RequestId(id), prompt, ask.outputTokens(), new Arrival.At(0), Sampling.GREEDY));
        }
        return requests;
    }

    /// Every position of every request once for each request that could evict it, with a move each time, and the same again for
    /// slack.
    long mostSteps() {
        long positions = asks.stream().mapToLong(ask -> ask.promptTokens() + ask.outputTokens()).sum();
        return 4 * (positions + 1) * (asks.size() + 1);
    }

    /// Sends everything at its time and runs to the end. The books of [EngineAuditor] have no place for queued steps.
    VirtualEngine serve(EngineSetup setup, Scheduler scheduler, StepModel model, EventJournal journal) {
        ReservationAuditor watch = new ReservationAuditor(scheduler, model);
        Scheduler audited = setup.queuedSteps() > 0 ? watch : new EngineAuditor(watch, setup);
        VirtualEngine engine = new VirtualEngine(setup, audited, watch, journal, journal);
        watch.watch(setup, engine.core());
        long nanos = 0;
        for (Request request : requests()) {
            Ask ask = asks.get(request.id().index());
            nanos += ask.gapNanos();
            engine.sendAt(nanos, request);
            if (ask.cancelNanos() >= 0) {
                engine.cancelAt(nanos + ask.cancelNanos(), request.id());
            }
        }
        engine.run();
        return engine;
    }

    /// Whether an engine must refuse the request on arrival: prefill pools hold prompts, the others all of it.
    boolean neverFits(EngineSetup setup, Request request, Scheduler scheduler) {
        int prompt = request.promptTokens().length;
        int total = request.totalPositions();
        if (total > limits.maxSequencePositions() || !scheduler.faults(limits, prompt, total).isEmpty()) {
            return true;
        }
        return setup.lanes().stream().anyMatch(lane -> {
            int positions = setup.pools().get(lane.pool().index()).blocks() * blockTokens;
            return lane.role() == Lane.Role.PREFILL ? prompt > positions
                    : lane.role() != Lane.Role.TRANSFER && total > positions;
        });
    }
}
