package org.inferometer.report.timeline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.inferometer.record.Phase;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunPlan;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.SamplePlans;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.results.SampleRecords;
import org.inferometer.scheduling.Lane;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.LaneLayout;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.RequestId;

/// Runs made by hand or by rule, for timelines.
public final class RunTimelineRecords {
    /// A millisecond.
    public static final long MS = 1_000_000;
    /// One context lane, one generation lane, and the lane that copies between their pools.
    public static final LaneLayout SPLIT =
            new LaneLayout(List.of(new Lane(new LaneId(0), Lane.Role.PREFILL, new PoolId(0)),
                    new Lane(new LaneId(1), Lane.Role.DECODE, new PoolId(1)),
                    new Lane(new LaneId(2), Lane.Role.TRANSFER, new PoolId(1))), List.of(0.5, 0.5));

    private RunTimelineRecords() {}

    /// A run of these parts, in pools of 64 blocks each.
    public static RunRecord run(LaneLayout layout, List<RequestOutcome> requests, List<StepReport> steps,
            List<RunEvent> events) {
        RunPlan plan = SampleRecords.plan(SampleRecords.spec(1), 0, 0, Path.of("results"));
        return run(SamplePlans.plan(plan.index().experiment(), plan.index().run(), plan.index().cell(), plan.cell(),
                plan.index().repetition(), SamplePlans.engine(plan).engineFolder(), plan.folder(),
                plan.procedure().warmUpRequests(), plan.procedure().workloadSeed(),
                plan.procedure().sampleEveryMillis(), SamplePlans.engine(plan).kvBytes(),
                SamplePlans.engine(plan).limits(), layout), requests, steps, events);
    }

    /// A run of a plan, in pools of 64 blocks each.
    public static RunRecord run(RunPlan plan, List<RequestOutcome> requests, List<StepReport> steps,
            List<RunEvent> events) {
        RunManifest sample = SampleRecords.manifest(plan, RunStatus.COMPLETE);
        RunManifest.Pools pools = new RunManifest.Pools(SamplePlans.engine(plan).layout().lanes().size(), 16,
                SamplePlans.engine(plan).layout().poolShares().stream().map(share -> 64).toList(), 4096, List.of(),
                false);
        RunManifest manifest = new RunManifest(sample.formatVersion(), plan, sample.machine(),
                new RunManifest.SystemUnderTest(sample.system().target(), sample.system().executor(),
                        sample.system().model(), sample.system().precision(), sample.system().syntheticWeights(),
                        pools),
                sample.workloadHash(), sample.anchorWall(),
                new RunManifest.RunOutcome(sample.status(), "", 0, sample.outcome().verdict()));
        RunObservations observations = new RunObservations(requests, steps, List.of(),
                new RunObservations.Setup(SamplePlans.engine(plan).layout().lanes().size(), 8, 2, 64), events);
        return new RunRecord("run-000", manifest, observations, List.of());
    }

    /// A request; its last token ends it.
    public static RequestOutcome request(int id, long sent, long admitted, long prefillStart, long... tokens) {
        return new RequestOutcome(new RequestId(id), false, 32, Math.max(1, tokens.length), sent, sent, admitted,
                prefillStart, tokens.length == 0 ? sent : tokens[tokens.length - 1], RequestStatus.OK, "", tokens);
    }

    /// A step that works on one position of each request, or on a prompt of 32 where prefill says so.
    public static StepReport step(long number, int lane, long start, long end, int prefill, int decode, int padding,
            int... requests) {
        List<Slice> slices = Arrays.stream(requests)
                .mapToObj(request -> new Slice(new RequestId(request), 0, prefill > 0 ? 32 : 1)).toList();
        return new StepReport(number, new LaneId(lane), start, end, (end - start) * 9 / 10, 40_000,
                StepSlices.of(slices), prefill, decode, padding, 0, requests.length, 2, 10 + requests.length,
                prefill > 0 ? "prefill before decode" : "decode");
    }

    /// A step that copies a request's keys and values.
    public static StepReport transfer(long number, int lane, long start, long end, int request) {
        return new StepReport(number, new LaneId(lane), start, end, 0, 20_000,
                StepSlices.of(List.of(new Slice(new RequestId(request), 0, 32))), 0, 0, 0, 65_536, 1, 0, 2,
                "prompt computed");
    }

    /// The timeline of a run, without progress.
    public static RunTimeline timeline(RunRecord run) {
        return RunTimeline.of(run, share -> {});
    }

    /// Context, copy and generation of two requests, the first preempted once and let in again.
    public static RunRecord small() {
        List<RequestOutcome> requests = List.of(request(0, 10 * MS, 12 * MS, 12 * MS, 20 * MS, 30 * MS, 60 * MS),
                request(1, 11 * MS, 20 * MS, 20 * MS, 28 * MS, 36 * MS));
        List<StepReport> steps = List.of(step(0, 0, 12 * MS, 20 * MS, 32, 0, 0, 0), transfer(1, 2, 20 * MS, 22 * MS, 0),
                step(2, 0, 20 * MS, 28 * MS, 32, 0, 32, 1), step(3, 1, 22 * MS, 30 * MS, 0, 1, 1, 0),
                step(4, 1, 30 * MS, 36 * MS, 0, 1, 0, 1), step(5, 0, 44 * MS, 50 * MS, 33, 0, 0, 0),
                step(6, 1, 52 * MS, 60 * MS, 0, 1, 0, 0));
        List<RunEvent> events =
                List.of(new RunEvent.PhaseStarted(0, Phase.WARM_UP, 1, 0),
                        new RunEvent.PhaseStarted(10 * MS, Phase.MEASURE, 2, 0),
                        new RunEvent.Admitted(12 * MS, new RequestId(0), new LaneId(0), false, 0),
                        new RunEvent.Admitted(20 * MS, new RequestId(1), new LaneId(0), false, 16),
                        new RunEvent.KvTransferred(22 * MS, new RequestId(0), new PoolId(0), new PoolId(1), 32, 65_536,
                                2 * MS),
                        new RunEvent.Preempted(32 * MS, new RequestId(0), 33),
                        new RunEvent.Admitted(44 * MS, new RequestId(0), new LaneId(0), true, 0));
        return run(SPLIT, requests, steps, events);
    }

    /// Lanes that run steps of a millisecond back to back: a prefill first of each ten, the third lane's with padding.
    public static RunRecord large(int steps, int lanes, int rows) {
        LaneLayout layout = LaneLayout.sharing(lanes);
        List<StepReport> made = new ArrayList<>(steps);
        int[] requests = new int[rows];
        for (int i = 0; i < rows; i++) {
            requests[i] = i;
        }
        for (int i = 0; i < steps; i++) {
            long start = i / lanes * MS;
            boolean prefill = i / lanes % 10 == 0;
            made.add(step(i, i % lanes, start, start + MS * 9 / 10, prefill ? 64 : 0, rows, i % lanes == 2 ? rows : 0,
                    requests));
        }
        return run(layout, List.of(), made, List.of(new RunEvent.PhaseStarted(0, Phase.MEASURE, 0, 0)));
    }
}
