package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.LoadProfile.Arrivals;
import org.inferometer.measurement.LoadProfile.Ends;
import org.inferometer.measurement.LoadProfile.Lengths;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.record.TokenSource;
import org.inferometer.scheduling.LaneId;
import org.inferometer.workload.ArrivalProcess;
import org.inferometer.workload.LengthDistribution.FixedLength;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.inferometer.workload.Sessions;
import org.inferometer.workload.TimeDistribution;
import org.inferometer.workload.WorkloadSpec;
import org.junit.jupiter.api.Test;

class LoadProfileTest {
    private static final RunObservations.Setup SETUP = new RunObservations.Setup(0, 0, 1, 0);
    private static final WorkloadSpec LOAD = new WorkloadSpec("made up", new FixedLength(10), new FixedLength(2), null,
            0, new ArrivalProcess.Poisson(4), 3, 0);

    private static RunObservations run(RequestOutcome... requests) {
        return new RunObservations(List.of(requests), List.of(), List.of(), SETUP);
    }

    private static RequestOutcome cancelled(int id, String reason, long sentNanos) {
        return new RequestOutcome(new RequestId(id), false, 10, 4, sentNanos, sentNanos, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, Math.max(0, sentNanos) + 1, RequestStatus.CANCELLED, reason, new long[0]);
    }

    @Test
    void runsOfACellAreSummedUp() {
        RunObservations first = run(Outcomes.warmUp(0, 0, 1), Outcomes.ok(1, 10, 20, 30), Outcomes.ok(2, 20, 40, 50),
                Outcomes.ok(3, 60, 70, 80));
        RunObservations second = run(Outcomes.ok(1, 0, 10, 20, 30, 100), Outcomes.ok(2, 10, 20));
        List<Integer> outputs = List.of(1, 0, 0, 3, 0, 0, 0, 0, 0, 1);
        assertThat(LoadProfile.of(List.of(first, second), Optional.of(LOAD))).isEqualTo(new LoadProfile(2, 0.07 + 0.1,
                new Ends(5, 5, 0, 0, 0, 0, 0, 0, 0, Map.of()), new Lengths(5, 50, 10, 10, 10, 10, 10, List.of(5)),
                new Lengths(5, 50, 10, 10, 10, 10, 10, List.of(5)),
                new Lengths(5, 11, 1, 2, 2.2, 3.5999999999999996, 4, outputs),
                new Lengths(5, 11, 1, 2, 2.2, 3.5999999999999996, 4, outputs),
                // Gaps of 10, 40 and 10 ms: mean 20, squares 100 + 400 + 100, deviation √300.
                new Arrivals(3, 50.0, 10.0, 37.0, Math.sqrt(3e14) / 2e7, 2), 0.0, null));
    }

    @Test
    void endsAreCountedByKind() {
        RequestOutcome cut = Outcomes.of(7, false, 10, 9, 0, 0, 0, 0, RequestStatus.OK, 5);
        LoadProfile profile = LoadProfile.of(List.of(run(Outcomes.ok(0, 0, 1), Outcomes.ended(1, RequestStatus.FAILED),
                Outcomes.ended(2, RequestStatus.TIMED_OUT), Outcomes.ended(3, RequestStatus.REFUSED),
                Outcomes.of(4, false, 10, 1, 5, 5, 5, 5, RequestStatus.GAVE_UP),
                cancelled(5, "The target was closed.", 5), cancelled(6, "Turn 4 was cancelled.", RequestOutcome.ABSENT),
                cut)), Optional.of(LOAD));
        assertThat(profile.ends()).isEqualTo(new Ends(8, 2, 1, 1, 1, 1, 1, 1, 1,
                Map.of("it broke", 2L, "timed out", 1L, "The target was closed", 1L)));
        assertThat(profile.promptTokens()).extracting(Lengths::n).isEqualTo(7);
    }

    @Test
    void histogramHasTenEqualBins() {
        RequestOutcome[] requests =
                IntStream.range(0, 21).mapToObj(i -> Outcomes.of(i, false, i, 1, i, i, i, i, RequestStatus.OK, i + 1))
                        .toArray(RequestOutcome[]::new);
        assertThat(LoadProfile.of(List.of(run(requests)), Optional.of(LOAD)).promptTokens())
                .isEqualTo(new Lengths(21, 210, 0, 10, 10, 19, 20, List.of(2, 2, 2, 2, 2, 2, 2, 2, 2, 3)));
    }

    @Test
    void askedLengthsAreAbsentIfARequestLacksThem() {
        RequestOutcome ok = Outcomes.ok(0, 0, 10);
        RequestOutcome counted = new RequestOutcome(new RequestId(1), false, 14, 1, 0, 0, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 9, RequestStatus.OK, "", new long[]{5}, 1, TokenSource.SERVER_USAGE);
        LoadProfile profile = LoadProfile.of(List.of(run(ok, counted)), Optional.empty());
        assertThat(profile.askedPromptTokens()).isNull();
        assertThat(profile.promptTokens()).extracting(Lengths::total).isEqualTo(24L);
        assertThat(profile.sharedPrefixShare()).isNull();
    }

    @Test
    void missingTimesHaveNoRate() {
        RequestOutcome request = Outcomes.without(Outcomes.ok(0, 0, 10, 20), true, true);
        LoadProfile profile = LoadProfile.of(List.of(run(request), run()), Optional.of(LOAD));
        assertThat(profile.arrivals()).isEqualTo(new Arrivals(0, null, null, null, null, null));
        assertThat(profile.runs()).isEqualTo(1);
        LoadProfile none = LoadProfile.of(List.of(), Optional.of(LOAD));
        assertThat(none).isEqualTo(new LoadProfile(0, null, new Ends(0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of()), null, null,
                null, null, new Arrivals(0, null, null, null, null, null), null, null));
    }

    @Test
    void requestsThatEndWhenOthersStartAreNotInFlight() {
        List<RequestOutcome> chain = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RequestOutcome ok = Outcomes.ok(i, 10L * i, 10L * i + 9);
            chain.add(new RequestOutcome(ok.id(), false, 10, 1, ok.intendedNanos(), ok.sentNanos(), ok.admittedNanos(),
                    ok.prefillStartNanos(), ok.sentNanos() + 10 * Outcomes.MS, RequestStatus.OK, "", ok.eventNanos()));
        }
        assertThat(LoadProfile.of(List.of(run(chain.toArray(RequestOutcome[]::new))), Optional.of(LOAD)).arrivals())
                .isEqualTo(new Arrivals(4, 100.0, 10.0, 10.0, 0.0, 1));
    }

    @Test
    void sharedPrefixIsKnownForDrawnPromptsOnly() {
        List<RunObservations> runs = List.of(run(Outcomes.ok(0, 0, 10), Outcomes.ok(1, 1, 20)));
        assertThat(share(runs, LOAD)).isEqualTo(0.0);
        assertThat(share(runs, LOAD.withSharedPrefix(4))).isEqualTo(0.4);
        assertThat(share(runs, LOAD.withPromptFile("prompts.txt"))).isNull();
        assertThat(share(runs,
                LOAD.withRefinements(
                        LOAD.refinements().withSessions(new Sessions(new FixedLength(2), TimeDistribution.NONE, 0)))))
                .isNull();
    }

    private static Double share(List<RunObservations> runs, WorkloadSpec load) {
        return LoadProfile.of(runs, Optional.of(load)).sharedPrefixShare();
    }

    @Test
    void prefixHitRateIsTheMeanOverRuns() {
        RunObservations.Setup caching = new RunObservations.Setup(List.of(), List.of(), List.of(), 0, 1, true, true,
                DeploymentGoal.NONE, LoadKind.UNKNOWN);
        List<RunObservations> runs = Arrays.stream(new int[]{2, 4})
                .mapToObj(cached -> new RunObservations(List.of(Outcomes.ok(0, 0, 10)),
                        List.of(new StepReport(0, new LaneId(0), 1, 2, 1, 0, StepSlices.of(List.of()), 1, 0, 0, 0, 1, 0,
                                1, "")),
                        List.of(), caching,
                        List.<RunEvent>of(new RunEvent.Admitted(1, new RequestId(0), new LaneId(0), false, cached))))
                .toList();
        assertThat(LoadProfile.of(runs, Optional.of(LOAD)).prefixHitRate()).isCloseTo(0.3, within(1e-12));
    }
}
