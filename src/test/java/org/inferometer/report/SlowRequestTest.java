package org.inferometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.inferometer.record.MemoryOwner;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunManifest;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunRecord;
import org.inferometer.record.RunStatus;
import org.inferometer.record.StepReport;
import org.inferometer.record.StepSlices;
import org.inferometer.record.TelemetrySample;
import org.inferometer.record.TokenSource;
import org.inferometer.scheduling.LaneId;
import org.inferometer.scheduling.PoolId;
import org.inferometer.scheduling.Slice;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

/// Records of four usual requests (10 prompt tokens, first token after 10 ms, then 9 tokens every 10 ms), and one to explain.
class SlowRequestTest {
    private static final long MS = 1_000_000L;
    private static final RunObservations.Setup SETUP = new RunObservations.Setup(1, 0, 1, 0);
    private final List<RunEvent> events = new ArrayList<>();
    private final List<StepReport> steps = new ArrayList<>();
    private final List<TelemetrySample> telemetry = new ArrayList<>();

    /// Instants in milliseconds.
    private static RequestOutcome request(int id, int prompt, long intended, long sent, long admitted, long... tokens) {
        long[] nanos = LongStream.of(tokens).map(at -> at * MS).toArray();
        return new RequestOutcome(new RequestId(id), false, prompt, tokens.length, intended * MS, sent * MS,
                admitted * MS, admitted * MS, nanos[nanos.length - 1], RequestStatus.OK, "", nanos);
    }

    private static long[] every(long gap, long first, int tokens) {
        return LongStream.range(0, tokens).map(i -> first + i * gap).toArray();
    }

    private static RequestOutcome usual(int id) {
        return request(id, 10, 0, 0, 0, every(10, 10, 10));
    }

    private static RequestOutcome onServer(RequestOutcome r) {
        return new RequestOutcome(r.id(), false, r.promptTokens(), r.outputTokens(), r.intendedNanos(), r.sentNanos(),
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, r.endNanos(), r.status(), "", r.eventNanos(),
                r.outputTokens(), TokenSource.SERVER_USAGE);
    }

    private String why(RequestOutcome slow) {
        List<RequestOutcome> requests =
                new ArrayList<>(IntStream.range(0, 4).mapToObj(SlowRequestTest::usual).toList());
        if (slow.admittedNanos() == RequestOutcome.ABSENT) {
            requests.replaceAll(SlowRequestTest::onServer);
        }
        requests.add(slow);
        List<SlowRequest> slowest = slowest(run(0, requests));
        return slowest.stream().filter(each -> each.request() == slow.id().index()).findFirst().orElseThrow().why();
    }

    private static List<SlowRequest> slowest(RunRecord... runs) {
        return SlowRequest.of(List.of(runs), List.of(runs));
    }

    private RunRecord run(int number, List<RequestOutcome> requests) {
        RunManifest manifest = RunManifest.notMeasured(
                SuiteRecords.of(List.of("naive"), List.of(1), number + 1).manifest().plan().get(number),
                SuiteRecords.of(List.of("naive"), List.of(1), 1).manifest().machine(), Instant.EPOCH,
                RunStatus.COMPLETE, "");
        return new RunRecord("run-" + number, manifest, new RunObservations(requests, steps, telemetry, SETUP, events),
                List.of());
    }

    private void step(long number, long start, long end, int prefill, int... requests) {
        stepOn(0, number, start, end, prefill, requests);
    }

    private void stepOn(int lane, long number, long start, long end, int prefill, int... requests) {
        steps.add(new StepReport(number, new LaneId(lane), start * MS, end * MS, 0, 0,
                StepSlices.of(Arrays.stream(requests).mapToObj(id -> new Slice(new RequestId(id), 0, 1)).toList()),
                prefill, requests.length, 0, 0, 1, 0, 1, ""));
    }

    private void sample(long at, long gcMillis) {
        telemetry.add(new TelemetrySample(at * MS, new long[MemoryOwner.values().length], 0, 0, 0, 0, gcMillis, null));
    }

    @Test
    void usualRequestIsNotUnusual() {
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 11))))
                .isEqualTo("Not unusual in its run; its decode took 100 ms (91 % of E2E).");
    }

    @Test
    void withoutARuleItCannotTell() {
        // Every token took 14 ms, a little below 1.5 times the usual.
        assertThat(why(request(9, 10, 0, 0, 0, every(14, 14, 10))))
                .isEqualTo("Cannot tell: no rule applies; its decode took 126 ms (90 % of E2E).");
    }

    @Test
    void lateSendIsAReasonFromATenth() {
        assertThat(why(request(9, 10, 0, 12, 12, every(10, 22, 10))))
                .isEqualTo("The load generator sent it 12.0 ms (11 % of E2E) late.");
        assertThat(why(request(9, 10, 0, 9, 9, every(10, 19, 10)))).startsWith("Not unusual");
    }

    @Test
    void queueIsAReasonFromAQuarter() {
        assertThat(why(request(9, 10, 0, 0, 300, every(10, 310, 10))))
                .isEqualTo("Waited 300 ms (75 % of E2E) in the queue.");
        assertThat(why(request(9, 10, 0, 0, 30, every(10, 40, 10)))).startsWith("Cannot tell");
        assertThat(why(onServer(request(9, 10, 0, 0, 300, every(10, 310, 10)))))
                .isEqualTo("The first token came 310 ms (78 % of E2E) after sending, 31 × the median of its run; "
                        + "what the target did until then is not recorded.");
    }

    @Test
    void longPromptNeedsALongPrefill() {
        assertThat(why(request(9, 4096, 0, 0, 0, every(10, 30, 10)))).isEqualTo(
                "Long prompt: 4096 tokens, the longest of its run (median 10); its prefill took 30.0 ms (25 % of E2E).");
        assertThat(why(request(9, 15, 0, 0, 0, every(10, 11, 10)))).startsWith(
                "Long prompt: 15 tokens, the longest of its run (median 10); its prefill took 11.0 ms (11 % of E2E).");
        assertThat(why(request(9, 14, 0, 0, 0, every(10, 15, 10)))).startsWith("Not unusual");
        assertThat(why(request(9, 4096, 0, 0, 0, every(10, 9, 10)))).startsWith("Not unusual");
    }

    @Test
    void slowPrefillOfAUsualPromptIsAReason() {
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 60, 10))))
                .isEqualTo("Its prefill took 60.0 ms (40 % of E2E), 6.0 × the median of its run.");
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 29, 10)))).startsWith("Not unusual");
    }

    @Test
    void longOutputIsAReason() {
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 15)))).isEqualTo(
                "Long output: 15 tokens, the longest of its run (median 10); its decode took 140 ms (93 % of E2E).");
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 14)))).startsWith("Cannot tell");
    }

    @Test
    void slowTokensNameThePrefillBesideThem() {
        assertThat(why(request(9, 10, 0, 0, 0, every(15, 10, 10))))
                .isEqualTo("Slow decode: TPOT 15.0 ms, 1.5 × the median of its run.");
        step(1, 10, 55, 512, 9, 3);
        step(2, 55, 145, 512, 3);
        assertThat(why(request(9, 10, 0, 0, 0, every(15, 10, 10)))).isEqualTo("Slow decode: TPOT 15.0 ms, 1.5 × the "
                + "median of its run; steps that also computed prefill tokens were 33 % of its decode.");
    }

    @Test
    void preemptionIsAReason() {
        events.add(new RunEvent.Preempted(50 * MS, new RequestId(9), 12));
        events.add(new RunEvent.Preempted(50 * MS, new RequestId(3), 99));
        events.add(new RunEvent.Admitted(80 * MS, new RequestId(9), new LaneId(0), true, 0));
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 12)))).isEqualTo(
                "Preempted once, lost 12 computed " + "positions, and waited 30.0 ms (25 % of E2E) for readmission.");
        events.add(new RunEvent.Preempted(100 * MS, new RequestId(9), 13));
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 12)))).isEqualTo("Preempted 2 times, lost 25 computed "
                + "positions, and waited 50.0 ms (42 % of E2E) for readmission.");
    }

    @Test
    void kvTransferIsAReasonFromATenth() {
        events.add(new RunEvent.KvTransferred(9 * MS, new RequestId(9), new PoolId(0), new PoolId(1), 10, 10, 11 * MS));
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 11))))
                .isEqualTo("KV transfers took 11.0 ms (10 % of E2E).");
        assertThat(why(request(9, 10, 0, 0, 0, every(10, 10, 12)))).startsWith("Not unusual");
    }

    private static final RequestOutcome GAP = request(9, 10, 0, 0, 0, 10, 20, 30, 40, 100, 110, 120, 130, 140, 150);

    @Test
    void gapNamesStepOrCollectionOrPreemption() {
        String gap = "A gap of 60.0 ms (40 % of E2E) between tokens at 0.04 s: ";
        assertThat(why(GAP)).contains(gap + "the record shows no cause.");
        step(6, 40, 90, 4096, 3);
        step(7, 70, 100, 0, 9);
        assertThat(why(GAP)).contains(gap + "step 6 took 50.0 ms with 4096 prefill tokens.");
        sample(30, 100);
        sample(120, 116);
        assertThat(why(GAP)).contains(
                gap + "step 6 took 50.0 ms with 4096 prefill tokens, garbage collection took 16.0 ms around then.");
        events.add(new RunEvent.Preempted(50 * MS, new RequestId(9), 12));
        assertThat(why(GAP)).contains(gap + "it was preempted.");
    }

    @Test
    void slowRunIsAReasonFromHalfMoreThanTheOthers() {
        List<RequestOutcome> usual = List.of(usual(0), usual(1));
        RequestOutcome slow = request(9, 10, 0, 0, 0, every(15, 15, 10));
        assertThat(slowest(run(0, usual), run(1, usual), run(2, List.of(slow))).getFirst().why())
                .isEqualTo("Its whole run was slow: median E2E 150 ms, 1.5 × that of the cell's other runs.");
        RequestOutcome less = request(9, 10, 0, 0, 0, every(14, 14, 10));
        assertThat(slowest(run(0, usual), run(1, List.of(less))).getFirst().why()).startsWith("Not unusual");
    }

    @Test
    void decodeThatIsMostlyOneGapIsNoSlowDecode() {
        assertThat(why(request(9, 10, 0, 0, 0, 10, 20, 30, 40, 240, 250, 260, 270, 280, 290)))
                .isEqualTo("A gap of 200 ms (69 % of E2E) between tokens at 0.04 s: the record shows no cause.");
    }

    @Test
    void gapNamesTheStepOfItsOwnLane() {
        stepOn(0, 6, 85, 100, 0, 9);
        stepOn(1, 7, 40, 100, 4096, 3);
        assertThat(why(GAP)).contains("between tokens at 0.04 s: step 6 took 15.0 ms.");
    }

    @Test
    void emptyTimesAndLengthsAreNoReason() {
        RequestOutcome atOnce = request(0, 0, 5, 5, 5, 5, 5);
        assertThat(slowest(run(0, List.of(atOnce)), run(1, List.of(atOnce)))).extracting(SlowRequest::why)
                .containsExactly("Not unusual in its run.", "Not unusual in its run.");
        assertThat(slowest(run(0, List.of(atOnce))).getFirst().e2eToMedian()).isEqualTo(1);
    }

    @Test
    void smallGapIsNoReason() {
        assertThat(why(request(9, 10, 0, 0, 0, 10, 20, 30, 40, 89, 99, 109, 119, 129, 139))).startsWith("Cannot tell");
    }

    @Test
    void largestPartComesFirst() {
        List<RequestOutcome> requests =
                List.of(usual(0), usual(1), usual(2), request(9, 40, 0, 40, 140, every(10, 160, 10)));
        assertThat(slowest(run(0, requests)).getFirst().reasons()).extracting(SlowRequest.Reason::rule)
                .containsExactly("queue", "late send");
    }

    @Test
    void tenSlowestOfAllRunsAreListed() {
        List<RequestOutcome> first = IntStream.range(0, 8).mapToObj(i -> request(i, 10, 0, 0, 0, 10, 100 + i)).toList();
        List<RequestOutcome> second =
                new ArrayList<>(IntStream.range(0, 8).mapToObj(i -> request(i, 10, 0, 0, 0, 10, 100 + 2 * i)).toList());
        second.add(new RequestOutcome(new RequestId(8), true, 10, 1, 0, 0, 0, 0, 999 * MS, RequestStatus.OK, "",
                new long[]{999 * MS}));
        second.add(new RequestOutcome(new RequestId(9), false, 10, 1, 0, 0, 0, 0, 999 * MS, RequestStatus.FAILED, "x",
                new long[]{999 * MS}));
        assertThat(slowest(run(0, first), run(1, second)))
                .extracting(each -> each.run() + ":" + each.request() + " " + each.e2eMillis())
                .containsExactly("1:7 114.0", "1:6 112.0", "1:5 110.0", "1:4 108.0", "0:7 107.0", "0:6 106.0",
                        "1:3 106.0", "0:5 105.0", "0:4 104.0", "1:2 104.0");
    }

    @Test
    void missingInstantsAreAbsent() {
        RequestOutcome whole = new RequestOutcome(new RequestId(0), false, 10, 5, RequestOutcome.ABSENT, 2000 * MS,
                RequestOutcome.ABSENT, RequestOutcome.ABSENT, 3000 * MS, RequestStatus.OK, "", new long[0], 5,
                TokenSource.SERVER_USAGE);
        assertThat(slowest(run(0, List.of(whole)))).containsExactly(
                new SlowRequest(0, 0, 0, 10, 5, null, null, null, null, 1000, 1, List.of(), "Not unusual in its run."));
    }
}
