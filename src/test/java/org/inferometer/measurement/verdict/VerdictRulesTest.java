package org.inferometer.measurement.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.inferometer.experiment.DeploymentGoal;
import org.inferometer.measurement.Outcomes;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TelemetrySample.GpuSample;
import org.inferometer.record.TokenSource;
import org.inferometer.record.Verdict;
import org.inferometer.record.Verdict.Condition;
import org.inferometer.record.Verdict.Grade;
import org.inferometer.record.Verdict.Requirement;
import org.inferometer.record.Verdict.State;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class VerdictRulesTest {
    private static final RunExpectation ASKED = RunExpectation.requests(30);
    private static final RunCircumstances QUIET = RunCircumstances.dropped(0);
    private static final List<TelemetrySample> SAMPLED = List.of(sample(1000, Double.NaN));

    private static TelemetrySample sample(long millis, double throttle) {
        GpuSample gpu =
                Double.isNaN(throttle) ? null : new GpuSample(0, 0, 0, 0, 0, 0, 0, throttle, Double.NaN, Double.NaN);
        return new TelemetrySample(millis * MS, new long[MemoryOwner.values().length], 1, 0, 0, 0, 0, gpu);
    }

    /// `n` requests, one every half second, sent so late, each with a first token after `ttftMillis` and a last one at its end.
    private static List<RequestOutcome> requests(int n, long lateMillis, long ttftMillis) {
        return new ArrayList<>(IntStream.range(0, n)
                .mapToObj(i -> Outcomes.of(i, false, 10, 2, 500L * i, 500L * i + lateMillis, 500L * i + lateMillis,
                        500L * i + lateMillis, RequestStatus.OK, 500L * i + ttftMillis, 500L * i + ttftMillis + 5))
                .toList());
    }

    private static Verdict judge(List<RequestOutcome> requests, RunExpectation expectation,
            RunCircumstances circumstances) {
        return VerdictRules.judge(observations(requests, SAMPLED), expectation, circumstances);
    }

    private static RunObservations observations(List<RequestOutcome> requests, List<TelemetrySample> samples) {
        return new RunObservations(requests, List.of(), samples, new Setup(1, 4, 2, 100));
    }

    private static Condition named(Verdict verdict, String part) {
        return verdict.conditions().stream().filter(condition -> condition.name().contains(part)).findFirst()
                .orElseThrow();
    }

    private static void assertBroken(Verdict verdict, String part) {
        assertThat(named(verdict, part).state()).isEqualTo(State.BROKEN);
        assertThat(named(verdict, part).remedy()).isNotBlank();
        assertThat(verdict.grade()).isEqualTo(Grade.INVALID);
    }

    private static void assertMet(Verdict verdict, String part) {
        assertThat(named(verdict, part).state()).isEqualTo(State.MET);
        assertThat(named(verdict, part).remedy()).isEmpty();
    }

    @Test
    void validRunMayHaveUncheckedConditions() {
        Verdict verdict = judge(requests(30, 0, 20), ASKED, QUIET);
        assertThat(verdict.grade()).isEqualTo(Grade.VALID);
        assertThat(verdict.conditions()).filteredOn(condition -> condition.state() == State.NOT_CHECKED)
                .extracting(Condition::name).containsExactly("steady output throughput", "steady TTFT",
                        "steady E2E latency", "load generator below 50 % of its ceiling", "no other process on the GPU",
                        "no thermal throttling");
    }

    @Test
    void generatorMayBeOneMillisecondLate() {
        assertMet(judge(requests(30, 1, 20), ASKED, QUIET), "send lateness");
        assertBroken(judge(requests(30, 2, 20), ASKED, QUIET), "send lateness");
    }

    @Test
    void oneLateRequestAmongFewIsPreview() {
        List<RequestOutcome> requests = requests(29, 0, 20);
        requests.add(Outcomes.of(29, false, 10, 2, 14_500, 14_505, 14_505, 14_505, RequestStatus.OK, 14_520, 14_525));
        Verdict verdict = judge(requests, ASKED, QUIET);
        assertThat(named(verdict, "send lateness").state()).isEqualTo(State.TOO_LITTLE);
        assertThat(verdict.grade()).isEqualTo(Grade.PREVIEW);
    }

    /// A batch of four ends, and the generator wakes 6 ms later: 4 of 24 sends are late, P90 too.
    @Test
    void oneStallAmongFewRequestsIsPreview() {
        List<RequestOutcome> requests = requests(24, 0, 40);
        for (int i = 8; i < 12; i++) {
            requests.set(i, Outcomes.of(i, false, 10, 2, 4000, 4006, 4006, 4006, RequestStatus.OK, 4046, 4051));
        }
        Condition lateness = named(judge(requests, ASKED, QUIET), "send lateness");
        assertThat(lateness.state()).isEqualTo(State.TOO_LITTLE);
        assertThat(lateness.observed())
                .isEqualTo("6.00 ms, limit 1.00 ms, n = 23: one stall of the load generator delayed 4 requests");
        List<RequestOutcome> twice = new ArrayList<>(requests);
        twice.set(20, Outcomes.of(20, false, 10, 2, 10_000, 10_006, 10_006, 10_006, RequestStatus.OK, 10_046, 10_051));
        assertBroken(judge(twice, ASKED, QUIET), "send lateness");
        for (int i = 8; i < 12; i++) {
            requests.set(i, Outcomes.of(i, false, 10, 2, 4000, 4020, 4020, 4020, RequestStatus.OK, 4060, 4065));
        }
        assertBroken(judge(requests, ASKED, QUIET), "send lateness");
    }

    @Test
    void latenessMayBeOnePercentOfServiceTtft() {
        assertMet(judge(requests(30, 4, 404), ASKED, QUIET), "send lateness");
        assertBroken(judge(requests(30, 5, 404), ASKED, QUIET), "send lateness");
    }

    @Test
    void firstFillOfAClosedLoopIsNotLate() {
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            requests.add(Outcomes.of(i, false, 10, 2, 0, 6, 6, 6, RequestStatus.OK, 24, 29));
        }
        requests(38, 0, 20).subList(8, 38).forEach(requests::add);
        assertMet(judge(requests, RunExpectation.requests(38), QUIET), "send lateness");
        List<RequestOutcome> open = List.copyOf(requests);
        assertThat(new PaceConditions(open, LoadKind.OPEN_LOOP).lateness().state()).isEqualTo(State.BROKEN);
    }

    @Test
    void failedRequestsBreakARun() {
        List<RequestOutcome> requests = requests(29, 0, 20);
        requests.add(Outcomes.ended(29, RequestStatus.REFUSED));
        assertThat(named(judge(requests, ASKED, QUIET), "no failed requests").observed())
                .isEqualTo("1 of 30 failed: 1 × it broke");
        assertBroken(judge(requests, ASKED, QUIET), "no failed requests");
    }

    @Test
    void requestsGivenUpAreNoFailuresAndCancelledOnesAre() {
        List<RequestOutcome> requests = requests(27, 0, 20);
        requests.add(Outcomes.ended(27, RequestStatus.GAVE_UP));
        requests.add(Outcomes.ended(28, RequestStatus.GAVE_UP));
        assertMet(judge(requests, ASKED, QUIET), "no failed requests");
        assertThat(named(judge(requests, ASKED, QUIET), "no failed requests").observed())
                .isEqualTo("0 of 27 failed, 2 given up");
        requests.add(Outcomes.ended(29, RequestStatus.CANCELLED));
        assertBroken(judge(requests, ASKED, QUIET), "no failed requests");
        assertThat(named(judge(requests, ASKED, QUIET), "no failed requests").observed())
                .isEqualTo("1 of 28 failed, 2 given up: 1 × it broke");
    }

    @Test
    void failuresAreCountedByReason() {
        List<RequestOutcome> requests = requests(20, 0, 20);
        for (int i = 20; i < 29; i++) {
            requests.add(failed(i, i < 24 ? RequestStatus.TIMED_OUT : RequestStatus.FAILED,
                    i < 24 ? "Timed out after " + i + " s." : "Connection " + i + " refused."));
        }
        requests.add(failed(29, RequestStatus.REFUSED, ""));
        assertThat(named(judge(requests, ASKED, QUIET), "no failed requests").observed())
                .isEqualTo("10 of 30 failed: 5 × Connection 24 refused, 4 × timed out, 1 × refused");
    }

    private static RequestOutcome failed(int id, RequestStatus status, String reason) {
        return new RequestOutcome(new RequestId(id), false, 10, 2, 0, 0, 0, 0, 1, status, reason, new long[0]);
    }

    @Test
    void generatorThatStoodStillBreaksARun() {
        // 2,000 requests, one every 10 ms; from the 1,000th on the generator stands still for a second.
        List<RequestOutcome> requests = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            long due = 10L * i;
            long sent = i >= 1000 && i < 1100 ? 11_000 : due;
            requests.add(Outcomes.of(i, false, 10, 2, due, sent, sent, sent, RequestStatus.OK, sent + 20, sent + 25));
        }
        Verdict verdict = judge(requests, RunExpectation.requests(20_000), QUIET);
        assertMet(verdict, "send lateness");
        assertBroken(verdict, "stood still");
        assertThat(named(verdict, "stood still").observed()).isEqualTo("latest send 1000 ms late, limit 100 ms");
    }

    @Test
    void longGapsThatWereDrawnAreNoStandstill() {
        List<RequestOutcome> requests = requests(30, 0, 20);
        requests.add(Outcomes.ok(30, 600_000, 600_020));
        assertMet(judge(requests, ASKED, QUIET), "stood still");
    }

    private static List<RequestOutcome> prompted(int asked, int received, int cut) {
        List<RequestOutcome> requests = requests(30, 0, 20);
        for (int i = 0; i < requests.size(); i++) {
            RequestOutcome r = requests.get(i);
            requests.set(i,
                    new RequestOutcome(r.id(), false, i < cut ? received : asked, r.askedOutputTokens(),
                            r.intendedNanos(), r.sentNanos(), r.admittedNanos(), r.prefillStartNanos(), r.endNanos(),
                            r.status(), "", r.eventNanos(), r.eventTokens(), r.outputTokens(), TokenSource.SERVER_USAGE,
                            asked));
        }
        return requests;
    }

    @Test
    void promptsThatTheServerCutBreakARun() {
        assertMet(judge(prompted(1024, 1020, 30), ASKED, QUIET), "prompt lengths");
        Verdict cut = judge(prompted(1024, 256, 30), ASKED, QUIET);
        assertBroken(cut, "prompt lengths");
        assertThat(named(cut, "prompt lengths").observed())
                .isEqualTo("30 of 30 prompts were cut, the most from 1024 tokens to 256");
        assertMet(judge(prompted(1024, 256, 1), ASKED, QUIET), "prompt lengths");
        assertBroken(judge(prompted(1024, 900, 2), ASKED, QUIET), "prompt lengths");
        assertThat(named(judge(prompted(64, 90, 30), ASKED, QUIET), "prompt lengths").state()).isEqualTo(State.WARNING);
    }

    @Test
    void unknownPromptLengthsAreNotChecked() {
        List<RequestOutcome> requests = requests(30, 0, 20);
        requests.replaceAll(request -> counted(request, TokenSource.SERVER_USAGE));
        assertThat(named(judge(requests, ASKED, QUIET), "prompt lengths").state()).isEqualTo(State.NOT_CHECKED);
    }

    @Test
    void chunksCountedAsTokensBreakARun() {
        List<RequestOutcome> requests = requests(30, 0, 20);
        assertMet(judge(requests, ASKED, QUIET), "output tokens counted");
        requests.set(3, counted(requests.get(3), TokenSource.SERVER_USAGE));
        assertMet(judge(requests, ASKED, QUIET), "output tokens counted");
        requests.set(3, counted(requests.get(3), TokenSource.CHUNKS));
        assertBroken(judge(requests, ASKED, QUIET), "output tokens counted");
        Verdict nothing = judge(List.of(Outcomes.ended(0, RequestStatus.FAILED)), ASKED, QUIET);
        assertThat(named(nothing, "output tokens counted").state()).isEqualTo(State.NOT_CHECKED);
    }

    @Test
    void contradictingTokenCountsBreakARun() {
        List<RequestOutcome> requests = requests(30, 0, 20);
        assertThat(judge(requests, ASKED, QUIET).conditions()).extracting(Condition::name)
                .doesNotContain("server's token counts agree with its events");
        requests.replaceAll(request -> counted(request, TokenSource.SERVER_USAGE));
        assertMet(judge(requests, ASKED, QUIET), "agree");
        List<RunEvent> events = IntStream.of(3, 7, 7, 99, 12)
                .<RunEvent>mapToObj(i -> new RunEvent.TokenCountsContradicted(i, new RequestId(i), 1, 2)).toList();
        Verdict verdict = VerdictRules.judge(
                new RunObservations(requests, List.of(), SAMPLED, new Setup(1, 4, 2, 100), events), ASKED, QUIET);
        assertBroken(verdict, "agree");
        assertThat(named(verdict, "agree").observed())
                .isEqualTo("3 of 30 requests: the server's token counts contradict its events");
    }

    private static RequestOutcome counted(RequestOutcome r, TokenSource source) {
        return new RequestOutcome(r.id(), r.warmUp(), r.promptTokens(), r.askedOutputTokens(), r.intendedNanos(),
                r.sentNanos(), r.admittedNanos(), r.prefillStartNanos(), r.endNanos(), r.status(), r.reason(),
                r.eventNanos(), r.outputTokens(), source);
    }

    /// 600 requests, one every 20 ms, of two tokens; `slowing` moves the later ones further apart.
    private static List<RequestOutcome> paced(double slowing) {
        List<RequestOutcome> requests = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < 600; i++) {
            long start = (long) at;
            requests.add(
                    Outcomes.of(i, false, 10, 2, start, start, start, start, RequestStatus.OK, start + 5, start + 9));
            at += 20 * (1 + slowing * i / 600);
        }
        return requests;
    }

    @Test
    void unsteadyRunIsAWarning() {
        assertMet(judge(paced(0), RunExpectation.requests(600), QUIET), "steady");
        Verdict slowing = judge(paced(1), RunExpectation.requests(600), QUIET);
        assertThat(named(slowing, "steady").state()).isEqualTo(State.WARNING);
        assertThat(named(slowing, "steady").observed()).startsWith("moved by -");
        assertThat(named(slowing, "steady").remedy()).isNotBlank();
        assertThat(slowing.grade()).isEqualTo(Grade.VALID);
    }

    @Test
    void answersMustBeAsLongAsAsked() {
        List<RequestOutcome> requests = requests(29, 0, 20);
        requests.add(Outcomes.of(29, false, 10, 3, 14_500, 14_500, 14_500, 14_500, RequestStatus.OK, 14_600, 14_700));
        assertBroken(judge(requests, ASKED, QUIET), "output lengths");
    }

    @Test
    void answersMayEndEarlyWhereTheLoadAllowsIt() {
        List<RequestOutcome> requests = requests(29, 0, 20);
        requests.add(Outcomes.of(29, false, 10, 3, 14_500, 14_500, 14_500, 14_500, RequestStatus.OK, 14_600, 14_700));
        Verdict verdict = judge(requests, ASKED.endingEarly(true), QUIET);
        assertMet(verdict, "output lengths at most");
        assertThat(named(verdict, "output lengths at most").observed()).isEqualTo("all; 1 of 30 ended early");
    }

    @Test
    void everyPlannedRequestMustEnd() {
        assertMet(judge(requests(30, 0, 20), ASKED, QUIET), "30 requests completed");
        assertBroken(judge(requests(29, 0, 20), ASKED, QUIET), "30 requests completed");
    }

    @Test
    void warmUpDoesNotCountAsDone() {
        List<RequestOutcome> requests = requests(29, 0, 20);
        requests.add(Outcomes.warmUp(29, 0, 5));
        assertBroken(judge(requests, ASKED, QUIET), "30 requests completed");
    }

    @Test
    void askedDurationMustHaveBeenMeasured() {
        assertMet(judge(requests(30, 0, 20), RunExpectation.requests(30).lasting(14_000 * MS), QUIET), "measured");
        assertBroken(judge(requests(30, 0, 20), RunExpectation.requests(30).lasting(15_000 * MS), QUIET), "s measured");
    }

    @Test
    void droppedTelemetryBreaksARun() {
        assertMet(judge(requests(30, 0, 20), ASKED, QUIET), "telemetry");
        List<TelemetrySample> samples = IntStream.range(0, 38).mapToObj(i -> sample(100L * i, Double.NaN)).toList();
        RunObservations sampled = observations(requests(30, 0, 20), samples);
        assertMet(VerdictRules.judge(sampled, ASKED, RunCircumstances.dropped(2)), "telemetry");
        assertBroken(VerdictRules.judge(sampled, ASKED, RunCircumstances.dropped(3)), "telemetry");
        RunObservations elsewhere = new RunObservations(sampled.requests(), List.of(), samples,
                new Setup(List.of(), List.of(), List.of(), 4, 2, false, false, DeploymentGoal.NONE, LoadKind.UNKNOWN));
        assertThat(named(VerdictRules.judge(elsewhere, ASKED, RunCircumstances.dropped(30)), "telemetry").state())
                .isEqualTo(State.NOT_CHECKED);
        assertBroken(judge(requests(30, 0, 20), ASKED, RunCircumstances.dropped(1)), "telemetry");
        Verdict unsampled = VerdictRules.judge(observations(requests(30, 0, 20), List.of()), ASKED, QUIET);
        assertThat(named(unsampled, "telemetry").state()).isEqualTo(State.NOT_CHECKED);
    }

    @Test
    void generatorMustStayBelowHalfItsCeiling() {
        assertMet(
                judge(requests(30, 0, 20), ASKED,
                        new RunCircumstances(0, OptionalDouble.of(0.5), Optional.empty(), OptionalDouble.empty())),
                "ceiling");
        assertBroken(
                judge(requests(30, 0, 20), ASKED,
                        new RunCircumstances(0, OptionalDouble.of(0.51), Optional.empty(), OptionalDouble.empty())),
                "ceiling");
    }

    @Test
    void aBusyMachineWarns() {
        assertThat(judge(requests(30, 0, 20), ASKED, RunCircumstances.dropped(0)).conditions())
                .noneMatch(condition -> condition.requirement() == Requirement.QUIET_MACHINE);
        for (double share : List.of(0.1, 0.93)) {
            Verdict verdict = judge(requests(30, 0, 20), ASKED,
                    new RunCircumstances(0, OptionalDouble.empty(), Optional.empty(), OptionalDouble.of(share)));
            assertThat(named(verdict, "other programs").state()).isEqualTo(share > 0.1 ? State.WARNING : State.MET);
        }
    }

    @Test
    void otherGpuProcessBreaksARun() {
        assertMet(
                judge(requests(30, 0, 20), ASKED,
                        new RunCircumstances(0, OptionalDouble.empty(), Optional.of(false), OptionalDouble.empty())),
                "other process");
        assertBroken(
                judge(requests(30, 0, 20), ASKED,
                        new RunCircumstances(0, OptionalDouble.empty(), Optional.of(true), OptionalDouble.empty())),
                "other process");
    }

    @Test
    void heatBreaksARunButAPowerLimitDoesNot() {
        List<RequestOutcome> requests = requests(30, 0, 20);
        assertMet(
                VerdictRules.judge(observations(requests, List.of(sample(1000, 0x4), sample(2000, 0x1))), ASKED, QUIET),
                "throttling");
        assertBroken(
                VerdictRules.judge(observations(requests, List.of(sample(1000, 0), sample(2000, 0x20))), ASKED, QUIET),
                "throttling");
    }

    @Test
    void throttlingOutsideTheWindowIsIgnored() {
        Verdict verdict = VerdictRules
                .judge(observations(requests(30, 0, 20), List.of(sample(1000, 0), sample(90_000, 0x40))), ASKED, QUIET);
        assertMet(verdict, "throttling");
    }

    @Test
    void fewRequestsMakeAPreview() {
        List<RequestOutcome> slow = requests(30, 0, 20).subList(0, 19);
        slow.add(Outcomes.ok(19, 0, 12_000));
        assertMet(judge(slow, RunExpectation.requests(20), QUIET), "20 successful requests");
        Verdict preview = judge(slow.subList(1, 20), RunExpectation.requests(19), QUIET);
        assertThat(named(preview, "20 successful requests").state()).isEqualTo(State.TOO_LITTLE);
        assertThat(preview.grade()).isEqualTo(Grade.PREVIEW);
    }

    @Test
    void fewSecondsMakeAPreview() {
        Verdict preview = judge(requests(20, 0, 20), RunExpectation.requests(20), QUIET);
        assertThat(named(preview, "10 s").state()).isEqualTo(State.TOO_LITTLE);
        assertThat(preview.grade()).isEqualTo(Grade.PREVIEW);
        assertMet(judge(requests(21, 0, 20), RunExpectation.requests(20), QUIET), "10 s");
    }

    @Test
    void invalidOutweighsPreview() {
        assertThat(judge(requests(5, 9, 20), RunExpectation.requests(5), QUIET).grade()).isEqualTo(Grade.INVALID);
    }

    @Test
    void runInWhichEveryRequestFailedIsAFailure() {
        List<RequestOutcome> broken =
                List.of(Outcomes.ended(0, RequestStatus.FAILED), Outcomes.ended(1, RequestStatus.FAILED));
        assertThat(VerdictRules.failure(broken)).contains("None of 2 requests succeeded: 2 × it broke.");
        assertThat(VerdictRules.failure(List.of(Outcomes.warmUp(0, 0, 5)))).contains("No measured request ended.");
        assertThat(VerdictRules.failure(requests(1, 0, 20))).isEmpty();
        assertBroken(judge(broken, RunExpectation.requests(2), QUIET), "at least 1 successful request");
    }
}
