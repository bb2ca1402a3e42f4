package org.inferometer.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.load.LiveCounters;
import org.inferometer.load.LoadGenerator;
import org.inferometer.load.RequestRecorder;
import org.inferometer.load.RunPhase;
import org.inferometer.record.Phase;
import org.inferometer.record.PlannedSubject.PlannedEngine;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest.Pools;
import org.inferometer.record.RunObservations;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Scheduler;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.target.RequestListener;
import org.inferometer.units.Seed;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Workload;
import org.inferometer.workload.WorkloadSpec;
import org.jspecify.annotations.Nullable;

/// A run in virtual time: load generator, scheduler and engine state are those of a measured run, only the steps are predicted.
///
/// One thread; equal input gives equal observations.
public final class SimulatedRun {
    private static final long MOST_BLOCKS = 1 << 24;

    private final PlannedEngine engine;
    private final Pools pools;
    private final RunObservations.Setup setup;
    private final OwnedMemory memory;
    private final AtomicBoolean cancelled;

    /// @param engine with lanes and limits
    /// @param pools KV pools of the engine
    /// @param setup of the observations
    /// @param memory of the engine, which some schedulers look at
    /// @param cancelled ends a run early if true
    public SimulatedRun(PlannedEngine engine, Pools pools, RunObservations.Setup setup, OwnedMemory memory,
            AtomicBoolean cancelled) {
        this.engine = engine;
        this.pools = pools;
        this.setup = setup;
        this.memory = memory;
        this.cancelled = cancelled;
    }

    /// What would be observed; without telemetry, since no process computes.
    ///
    /// @param scheduler a new instance
    /// @param seed of the draw of step times
    /// @throws IllegalArgumentException if lanes and pools do not match, or the pools have more blocks than any machine
    public RunObservations observe(Workload workload, WorkloadSpec spec, Scheduler scheduler, ServingTimes times,
            Seed seed) {
        long blocks = pools.blocks().stream().mapToLong(Integer::longValue).sum();
        if (blocks > MOST_BLOCKS) {
            throw new IllegalArgumentException(
                    "Its KV pools have " + blocks + " blocks; at most " + MOST_BLOCKS + " can be simulated.");
        }
        Events events = new Events();
        List<KvGeometry> geometry =
                IntStream.range(0, pools.blocks().size()).mapToObj(pool -> new KvGeometry(new PoolId(pool),
                        pools.blockTokens(), pools.blocks().get(pool), pools.blockBytes())).toList();
        EngineSetup engineSetup = new EngineSetup(engine.layout().lanes(), geometry, engine.limits(), () -> memory);
        VirtualEngine virtual = new VirtualEngine(engineSetup, scheduler, times.drawn(seed), events, events);
        VirtualTarget target = new VirtualTarget(virtual, times.sendDelays(seed));
        ArrivalProcess warmUp = new ArrivalProcess.ClosedLoop(Math.max(1, engine.limits().maxBatchRows()));
        run(new RunPhase(Phase.WARM_UP, workload.warmUp(), warmUp), virtual, target, events);
        run(RunPhase.measured(workload, spec), virtual, target, events);
        events.outcomes.sort(Comparator.comparingInt(outcome -> outcome.id().index()));
        return new RunObservations(events.outcomes, events.steps, List.of(), setup, events.all);
    }

    private void run(RunPhase phase, VirtualEngine virtual, VirtualTarget target, Events events) {
        if (phase.requests().isEmpty()) {
            return;
        }
        RequestRecorder recorder = new RequestRecorder(phase, new LiveCounters(), events.outcomes::add);
        LoadGenerator generator = new LoadGenerator(virtual.clock(), cancelled, target);
        events.all.add(new RunEvent.PhaseStarted(virtual.clock().nanos(), phase.phase(), phase.total(),
                phase.durationNanos()));
        events.enter(recorder, generator, target);
        generator.run(phase, target, recorder);
    }

    /// Passes the events of requests on to the phase, and keeps those of the engine.
    private static final class Events implements RequestListener, EngineListener {
        private final List<RequestOutcome> outcomes = new ArrayList<>();
        private final List<StepReport> steps = new ArrayList<>();
        private final List<RunEvent> all = new ArrayList<>();
        private @Nullable RequestRecorder recorder;
        private @Nullable LoadGenerator generator;
        private @Nullable VirtualTarget target;

        private void enter(RequestRecorder ofPhase, LoadGenerator generating, VirtualTarget driven) {
            recorder = ofPhase;
            generator = generating;
            target = driven;
        }

        @Override
        public void admitted(RequestId request, long nanos) {
            if (recorder != null) {
                recorder.admitted(request, nanos);
            }
        }

        @Override
        public void prefillStarted(RequestId request, long nanos) {
            if (recorder != null) {
                recorder.prefillStarted(request, nanos);
            }
        }

        @Override
        public void tokens(RequestId request, long nanos, int[] tokens) {
            if (recorder != null) {
                recorder.tokens(request, nanos, tokens);
            }
        }

        @Override
        public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
            if (recorder != null && generator != null && target != null) {
                recorder.ended(request, nanos, status, reason);
                generator.requestEnded(request, nanos, status);
                target.requestEnded();
            }
        }

        @Override
        public void stepEnded(StepReport step) {
            steps.add(step);
        }

        @Override
        public void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {
            all.add(new RunEvent.Admitted(nanos, request, lane, again, cachedPositions));
        }

        @Override
        public void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
                long endNanos) {
            all.add(new RunEvent.KvTransferred(endNanos, request, from, to, positions, bytes, endNanos - startNanos));
        }

        @Override
        public void preempted(RequestId request, long nanos, int lostPositions) {
            all.add(new RunEvent.Preempted(nanos, request, lostPositions));
        }

        @Override
        public void engineFailed(long nanos, String sentence) {
            all.add(new RunEvent.EngineFailed(nanos, sentence));
        }
    }
}
