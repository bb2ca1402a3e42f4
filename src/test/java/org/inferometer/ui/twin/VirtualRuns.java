package org.inferometer.ui.twin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.inferometer.execution.Executor.KvGeometry;
import org.inferometer.execution.Executor.OwnedMemory;
import org.inferometer.options.OptionException;
import org.inferometer.options.Selection;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.StepReport;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.SchedulerRegistry;
import org.inferometer.serving.AffineSteps;
import org.inferometer.serving.EngineListener;
import org.inferometer.serving.EngineSetup;
import org.inferometer.serving.VirtualEngine;
import org.inferometer.target.RequestListener;
import org.inferometer.units.Seed;
import org.inferometer.workload.Arrival;
import org.inferometer.workload.Request;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sampling;

/// Runs that the real schedulers made in virtual time, as records: what a timeline of each of them looks like, without measuring.
public final class VirtualRuns implements RequestListener, EngineListener {
    private static final long FIXED_NANOS = 700_000;
    private static final long ROW_NANOS = 60_000;
    private static final int BLOCK_TOKENS = 16;
    private final List<StepReport> steps = new ArrayList<>();
    private final List<RunEvent> events = new ArrayList<>();
    private final Map<Integer, Life> lives = new TreeMap<>();

    private static final class Life {
        private long admitted = RequestOutcome.ABSENT;
        private long prefillStart = RequestOutcome.ABSENT;
        private long end;
        private RequestStatus status = RequestStatus.OK;
        private String reason = "";
        private final List<Long> tokens = new ArrayList<>();
    }

    private VirtualRuns() {}

    /// The record of a plan's scheduler under a load of mixed lengths.
    ///
    /// @param blocks blocks of all pools together; few make preemptions
    public static RunRecord run(RunRecord like, int requests, int blocks) {
        RunPlan plan = like.manifest().plan();
        Selection scheduler = SamplePlans.engine(plan.cell()).scheduler();
        try {
            return new VirtualRuns().serve(like,
                    SchedulerRegistry.standard().find(scheduler.name()).layout(scheduler, 0), requests, blocks);
        } catch (OptionException e) {
            throw new IllegalStateException(e);
        }
    }

    private RunRecord serve(RunRecord like, LaneLayout layout, int requests, int blocks) throws OptionException {
        RunPlan plan = like.manifest().plan();
        List<KvGeometry> pools = IntStream.range(0, layout.poolShares().size()).mapToObj(
                i -> new KvGeometry(new PoolId(i), BLOCK_TOKENS, (int) (blocks * layout.poolShares().get(i)), 4096))
                .toList();
        EngineSetup setup = new EngineSetup(layout.lanes(), pools, SamplePlans.engine(plan).limits(),
                () -> new OwnedMemory(1000, 0, 0, 0));
        VirtualEngine engine = new VirtualEngine(setup,
                SchedulerRegistry.standard().create(SamplePlans.engine(plan.cell()).scheduler()),
                new AffineSteps(FIXED_NANOS, ROW_NANOS, 9_000), this, this);
        RandomGenerator random = new Seed(7 + plan.index().repetition()).generator();
        List<RequestOutcome> outcomes = new ArrayList<>();
        List<Request> drawn = new ArrayList<>();
        long at = 5_000_000;
        for (int i = 0; i < requests; i++) {
            int[] prompt = new int[8 + random.nextInt(90)];
            Arrays.setAll(prompt, position -> position < 24 ? position : 1000 + random.nextInt(1000));
            drawn.add(
                    new Request(new RequestId(i), prompt, 4 + random.nextInt(44), new Arrival.At(at), Sampling.GREEDY));
            engine.sendAt(at, drawn.getLast());
            at += i < 4 ? 1_000_000 : i == 4 ? 150_000_000 : (long) (-Math.log(1 - random.nextDouble()) * 6e6);
        }
        engine.run();
        events.add(new RunEvent.PhaseStarted(1_000_000, Phase.WARM_UP, 4, 0));
        events.add(new RunEvent.PhaseStarted(9_000_000, Phase.MEASURE, requests - 4, 0));
        for (Request request : drawn) {
            Life life = lives.get(request.id().index());
            long sent = ((Arrival.At) request.arrival()).offsetNanos();
            outcomes.add(new RequestOutcome(request.id(), request.id().index() < 4, request.promptTokens().length,
                    request.outputTokens(), sent, sent, life.admitted, life.prefillStart, life.end, life.status,
                    life.reason, life.tokens.stream().mapToLong(Long::longValue).toArray()));
        }
        RunManifest old = like.manifest();
        RunPlan laid = SamplePlans.plan(plan.index().experiment(), plan.index().run(), plan.index().cell(), plan.cell(),
                plan.index().repetition(), SamplePlans.engine(plan).engineFolder(), plan.folder(),
                plan.procedure().warmUpRequests(), plan.procedure().workloadSeed(),
                plan.procedure().sampleEveryMillis(), SamplePlans.engine(plan).kvBytes(),
                SamplePlans.engine(plan).limits(), layout);
        RunManifest manifest = new RunManifest(old.formatVersion(), laid, old.machine(),
                new RunManifest.SystemUnderTest(old.system().target(), old.system().executor(), old.system().model(),
                        old.system().precision(), old.system().syntheticWeights(),
                        new RunManifest.Pools(layout.lanes().size(), BLOCK_TOKENS,
                                pools.stream().map(KvGeometry::blocks).toList(), 4096, List.of(), false)),
                old.workloadHash(), old.anchorWall(), new RunManifest.RunOutcome(old.status(), old.outcome().failure(),
                        old.outcome().droppedSamples(), old.outcome().verdict()));
        events.sort(Comparator.comparingLong(RunEvent::nanos));
        RunObservations observations = new RunObservations(outcomes, List.copyOf(steps), List.of(),
                like.observations().setup(), List.copyOf(events));
        return new RunRecord(like.folderName(), manifest, observations, List.of());
    }

    private Life life(RequestId request) {
        return lives.computeIfAbsent(request.index(), index -> new Life());
    }

    @Override
    public void admitted(RequestId request, long nanos) {
        life(request).admitted = nanos;
    }

    @Override
    public void prefillStarted(RequestId request, long nanos) {
        life(request).prefillStart = nanos;
    }

    @Override
    public void tokens(RequestId request, long nanos, int[] tokens) {
        for (int i = 0; i < tokens.length; i++) {
            life(request).tokens.add(nanos);
        }
    }

    @Override
    public void ended(RequestId request, long nanos, RequestStatus status, String reason) {
        Life life = life(request);
        life.end = nanos;
        life.status = status;
        life.reason = reason;
    }

    @Override
    public void stepEnded(StepReport step) {
        steps.add(step);
    }

    @Override
    public void admitted(RequestId request, LaneId lane, long nanos, boolean again, int cachedPositions) {
        events.add(new RunEvent.Admitted(nanos, request, lane, again, cachedPositions));
    }

    @Override
    public void transferred(RequestId request, PoolId from, PoolId to, int positions, long bytes, long startNanos,
            long endNanos) {
        events.add(new RunEvent.KvTransferred(endNanos, request, from, to, positions, bytes, endNanos - startNanos));
    }

    @Override
    public void preempted(RequestId request, long nanos, int lostPositions) {
        events.add(new RunEvent.Preempted(nanos, request, lostPositions));
    }

    @Override
    public void engineFailed(long nanos, String sentence) {
        events.add(new RunEvent.EngineFailed(nanos, sentence));
    }
}
