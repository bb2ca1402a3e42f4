package org.inferometer.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.inferometer.measurement.Outcomes.MS;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.inferometer.record.Figure;
import org.inferometer.record.Metric;
import org.inferometer.record.RequestColumns;
import org.inferometer.record.RequestOutcome;
import org.inferometer.record.RequestStatus;
import org.inferometer.record.RunEvent;
import org.inferometer.record.RunObservations;
import org.inferometer.record.RunObservations.Setup;
import org.inferometer.record.TokenSource;
import org.inferometer.workload.LoadKind;
import org.inferometer.workload.RequestId;
import org.junit.jupiter.api.Test;

class RunFiguresTest {
    private static final Setup SETUP = new Setup(1, 4, 2, 100);

    /// Two ok requests, one that failed after a token, one refused, and a warm-up request that must not show anywhere.
    private static final List<RequestOutcome> WORKED = List.of(Outcomes.warmUp(0, 0, 900, 950),
            Outcomes.of(1, false, 10, 3, 1000, 1002, 1010, 1020, RequestStatus.OK, 1100, 1150, 1300),
            Outcomes.of(2, false, 20, 1, 1000, 1000, 1005, 1100, RequestStatus.OK, 1400),
            Outcomes.of(3, false, 40, 5, 1200, 1201, 1202, 1203, RequestStatus.FAILED, 2000),
            Outcomes.of(4, false, 80, 5, 1300, 1300, 1300, 1300, RequestStatus.REFUSED));

    private static Map<String, Double> valuesOf(List<RequestOutcome> requests) {
        return RunFigures.of(new RunObservations(requests, List.of(), List.of(), SETUP)).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value, (a, b) -> a, TreeMap::new));
    }

    private static void assertMillis(Map<String, Double> values, String id, double millis) {
        assertThat(values.get(id)).as(id).isCloseTo(millis * MS, within(1.0));
    }

    @Test
    void windowIsFirstIntendedToLastToken() {
        assertThat(RunWindow.of(WORKED)).contains(new RunWindow(1000 * MS, 2000 * MS));
    }

    @Test
    void ratesAreTakenOverTheWindow() {
        Map<String, Double> values = valuesOf(WORKED);
        assertThat(values).containsEntry("window", 1e9).containsEntry("request_throughput", 2.0)
                .containsEntry("output_tokens", 5.0).containsEntry("output_throughput", 5.0)
                .containsEntry("prompt_tokens", 70.0).containsEntry("total_throughput", 75.0);
    }

    @Test
    void requestsAreCountedByHowTheyEnded() {
        assertThat(valuesOf(WORKED)).containsEntry("requests_ok", 2.0).containsEntry("requests_failed", 1.0)
                .containsEntry("requests_timed_out", 0.0).containsEntry("requests_cancelled", 0.0)
                .containsEntry("requests_refused", 1.0);
    }

    @Test
    void reportedMemoryIsTheLargestPeak() {
        List<RunEvent> told =
                List.of(new RunEvent.MemoryPeak(900 * MS, false, 99), new RunEvent.MemoryPeak(1200 * MS, false, 7),
                        new RunEvent.MemoryPeak(2000 * MS, false, 8), new RunEvent.MemoryPeak(1500 * MS, false, 3));
        assertThat(RunFigures.of(new RunObservations(WORKED, List.of(), List.of(), SETUP, told)))
                .contains(new Figure(Metrics.REPORTED_MEMORY_PEAK, 8, 3, true))
                .noneMatch(figure -> figure.metric().equals(Metrics.REPORTED_HOST_MEMORY_PEAK));
    }

    @Test
    void memoryOfAStartedServerIsItsLargestReadingInTheWindow() {
        List<RunEvent> read = List.of(new RunEvent.Gauge(900 * MS, RunEvent.Gauge.SERVER_MEMORY, 99),
                new RunEvent.Gauge(1200 * MS, RunEvent.Gauge.SERVER_MEMORY, 7),
                new RunEvent.Gauge(1300 * MS, RunEvent.Gauge.SERVER_MEMORY, Double.NaN),
                new RunEvent.Gauge(1400 * MS, "other:memory_bytes", 50),
                new RunEvent.Gauge(1500 * MS, RunEvent.Gauge.SERVER_MEMORY, 8),
                new RunEvent.Gauge(1500 * MS, RunEvent.Gauge.SERVER_GPU_MEMORY, 21));
        assertThat(RunFigures.of(new RunObservations(WORKED, List.of(), List.of(), SETUP, read)))
                .contains(new Figure(Metrics.REPORTED_HOST_MEMORY_PEAK, 8, 2, true))
                .contains(new Figure(Metrics.REPORTED_MEMORY_PEAK, 21, 1, true));
    }

    @Test
    void computingRateExcludesWaiting() {
        // 3 tokens from 1020 to 1300 ms and 1 token from 1100 to 1400 ms.
        assertThat(valuesOf(WORKED).get("computing_rate")).isCloseTo(4 / 0.58, within(1e-9));
    }

    @Test
    void latenciesAreThoseOfOkRequests() {
        Map<String, Double> values = valuesOf(WORKED);
        assertMillis(values, "ttft_mean", (100 + 400) / 2.0);
        assertMillis(values, "ttft_p50", 250);
        assertMillis(values, "ttft_p90", 370);
        assertMillis(values, "ttft_p95", 385);
        assertMillis(values, "ttft_p99", 397);
        assertMillis(values, "service_ttft_mean", (98 + 400) / 2.0);
        assertMillis(values, "engine_queue_mean", (8 + 5) / 2.0);
        assertMillis(values, "prefill_latency_mean", (80 + 300) / 2.0);
        assertMillis(values, "e2e_mean", (300 + 400) / 2.0);
    }

    @Test
    void chunksOfSeveralTokensHaveInterChunkLatency() {
        // 9 tokens in 3 chunks at 100, 200 and 500 ms; 1 token in 1 chunk at 300 ms.
        Map<String, Double> values =
                valuesOf(List.of(Outcomes.chunked(0, 0, 9, 100, 200, 500), Outcomes.chunked(1, 0, 1, 300)));
        assertThat(values).doesNotContainKeys("itl_mean", "memory_peak_total").containsEntry("output_tokens", 10.0)
                .containsEntry("output_throughput", 20.0);
        assertMillis(values, "inter_chunk_mean", (100 + 300) / 2.0);
        // The tokens of the first chunk are not known.
        assertThat(values).doesNotContainKey("tpot_mean");
        assertThat(valuesOf(List.of(Outcomes.chunked(0, 0, 3, 100, 200, 500)))).containsKey("itl_mean")
                .doesNotContainKey("inter_chunk_mean");
    }

    @Test
    void reportedTimesAreThoseOfMeasuredOkRequests() {
        List<RunEvent> events =
                List.of(new RunEvent.ReportedTimes(1, new RequestId(0), 10 * Outcomes.MS, 100 * Outcomes.MS),
                        new RunEvent.ReportedTimes(2, new RequestId(1), 30 * Outcomes.MS, 300 * Outcomes.MS),
                        new RunEvent.ReportedTimes(3, new RequestId(2), 999, 999),
                        new RunEvent.ReportedTimes(4, new RequestId(9), 999, 999));
        RunObservations observations = new RunObservations(
                List.of(Outcomes.ok(0, 0, 100, 200), Outcomes.whole(1, 0, 5, 300),
                        Outcomes.ended(2, RequestStatus.FAILED), Outcomes.warmUp(9, 0, 1)),
                List.of(), List.of(), new RunObservations.Setup(0, 0, 0, 0), events);
        Map<String, Double> values = RunFigures.of(observations).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
        assertMillis(values, "reported_prefill_mean", 20);
        assertMillis(values, "reported_decode_mean", 200);
    }

    @Test
    void profileTimestampsHaveNoGap() {
        // 2 tokens at 100 and 200 ms, and 9 tokens from 100 to 500 ms.
        Map<String, Double> values =
                valuesOf(List.of(Outcomes.profiled(0, 0, 2, 100, 200), Outcomes.profiled(1, 0, 9, 100, 500)));
        assertThat(values).doesNotContainKeys("itl_mean", "inter_chunk_mean").containsEntry("output_tokens", 11.0);
        assertMillis(values, "decode_latency_mean", (100 + 400) / 2.0);
        assertMillis(values, "tpot_mean", (100 + 50) / 2.0);
    }

    @Test
    void wholeAnswerHasTokensAndNoFirstToken() {
        // 5 tokens at 200 ms and 3 at 500 ms, intended at 0 and 100.
        Map<String, Double> values = valuesOf(List.of(Outcomes.whole(0, 0, 5, 200), Outcomes.whole(1, 100, 3, 500)));
        assertThat(values.keySet()).noneMatch(
                id -> id.matches("(service_)?ttft_.*|(tpot|itl|inter_chunk|interactivity|decode_latency)_.*"));
        assertMillis(values, "e2e_mean", (200 + 400) / 2.0);
        assertMillis(values, "service_e2e_mean", (200 + 400) / 2.0);
        assertMillis(values, "window", 500);
        assertThat(values).containsEntry("requests_ok", 2.0).containsEntry("request_throughput", 4.0)
                .containsEntry("output_throughput", 16.0).containsEntry("prompt_tokens", 20.0)
                .containsEntry("output_tokens", 8.0);
    }

    @Test
    void wholeAnswersDoNotChangeGaps() {
        Map<String, Double> values = valuesOf(List.of(Outcomes.ok(0, 0, 100, 200), Outcomes.whole(1, 0, 9, 400)));
        assertMillis(values, "ttft_mean", 100);
        assertMillis(values, "tpot_mean", 100);
        assertMillis(values, "itl_mean", 100);
        assertMillis(values, "e2e_mean", (200 + 400) / 2.0);
        assertThat(values).doesNotContainKeys("inter_chunk_mean", "queue_share").containsEntry("output_tokens", 11.0);
    }

    @Test
    void sendLatenessIsThatOfEverySentRequest() {
        assertMillis(valuesOf(WORKED), "send_lateness_mean", (2 + 0 + 1 + 0) / 4.0);
    }

    @Test
    void requestOfOneTokenHasNeitherDecodeNorTpotNorGaps() {
        Map<String, Double> values = valuesOf(WORKED);
        assertMillis(values, "decode_latency_mean", 200);
        assertMillis(values, "tpot_mean", 100);
        assertMillis(values, "itl_mean", 100);
        assertMillis(values, "itl_p50", 100);
        assertMillis(values, "itl_p99", 149);
        assertThat(values).containsEntry("interactivity_mean", 10.0).containsEntry("interactivity_p1", 10.0);
        assertThat(valuesOf(List.of(Outcomes.ok(0, 0, 10))))
                .doesNotContainKeys("decode_latency_mean", "tpot_mean", "itl_mean", "interactivity_mean")
                .containsKey("ttft_mean");
    }

    @Test
    void gapsArePooledOverRequestsWhileTpotIsPerRequest() {
        List<RequestOutcome> requests = List.of(Outcomes.ok(0, 0, 10, 20, 30, 40), Outcomes.ok(1, 0, 10, 50));
        Map<String, Double> values = valuesOf(requests);
        assertMillis(values, "itl_mean", 70 / 4.0);
        assertMillis(values, "tpot_mean", (10 + 40) / 2.0);
        assertThat(values.get("interactivity_mean")).isCloseTo((100 + 25) / 2.0, within(1e-9));
    }

    @Test
    void sharesOfLatencyAddUpToOne() {
        Map<String, Double> values = valuesOf(WORKED);
        assertThat(values.get("queue_share")).isCloseTo((20 + 100) / 700.0, within(1e-12));
        assertThat(values.get("prefill_share")).isCloseTo((80 + 300) / 700.0, within(1e-12));
        assertThat(values.get("decode_share")).isCloseTo(200 / 700.0, within(1e-12));
    }

    @Test
    void fairnessIsTheTailOfTimePerTokenOverItsMedian() {
        List<RequestOutcome> requests =
                IntStream.rangeClosed(1, 21).mapToObj(i -> Outcomes.ok(i, 0, 10L * i, 20L * i)).toList();
        assertThat(valuesOf(requests).get("fairness")).isCloseTo(200.0 / 110.0, within(1e-12));
    }

    @Test
    void missingTimestampsLeaveFiguresOut() {
        RequestOutcome remote = Outcomes.without(Outcomes.ok(0, 0, 10, 20), true, false);
        assertThat(valuesOf(List.of(remote)))
                .doesNotContainKeys("engine_queue_mean", "prefill_latency_mean", "queue_share", "prefill_share",
                        "decode_share")
                .containsKeys("ttft_mean", "service_ttft_mean", "e2e_mean", "decode_latency_mean");
        RequestOutcome unintended = Outcomes.without(Outcomes.ok(1, 0, 10, 20), false, true);
        assertThat(valuesOf(List.of(unintended))).doesNotContainKeys("ttft_mean", "send_lateness_mean", "e2e_mean",
                "fairness");
    }

    @Test
    void runWithoutATokenHasCountsAndNothingElse() {
        assertThat(valuesOf(List.of(Outcomes.ended(0, RequestStatus.FAILED))).keySet()).containsExactlyInAnyOrder(
                "requests_ok", "requests_failed", "requests_timed_out", "requests_cancelled", "requests_gave_up",
                "requests_refused", "send_lateness_mean", "send_lateness_p50", "send_lateness_p90", "send_lateness_p95",
                "send_lateness_p99");
        assertThat(valuesOf(List.of())).isEmpty();
    }

    @Test
    void warmUpEntersNothing() {
        List<RequestOutcome> measured = WORKED.subList(1, WORKED.size());
        assertThat(valuesOf(WORKED)).isEqualTo(valuesOf(measured));
        assertThat(valuesOf(List.of(Outcomes.warmUp(0, 0, 10)))).isEmpty();
    }

    @Test
    void everyFigureHasItsSampleCount() {
        List<Figure> figures = RunFigures.of(new RunObservations(WORKED, List.of(), List.of(), SETUP));
        assertThat(RunFigures.find(figures, Metrics.TTFT.percentile(99)))
                .hasValueSatisfying(figure -> assertThat(figure.n()).isEqualTo(2))
                .hasValueSatisfying(figure -> assertThat(figure.enough()).isFalse());
        assertThat(RunFigures.find(figures, Metrics.TTFT.mean()))
                .hasValueSatisfying(figure -> assertThat(figure.enough()).isTrue());
        assertThat(RunFigures.find(figures, Metrics.ITL.mean()))
                .hasValueSatisfying(figure -> assertThat(figure.n()).isEqualTo(2));
    }

    @Test
    void medianNeedsTwentyRequests() {
        List<RequestOutcome> twenty = IntStream.range(0, 20).mapToObj(i -> Outcomes.ok(i, 0, 10, 20)).toList();
        List<Figure> figures = RunFigures.of(new RunObservations(twenty, List.of(), List.of(), SETUP));
        assertThat(RunFigures.find(figures, Metrics.TTFT.percentile(50)))
                .hasValueSatisfying(f -> assertThat(f.enough()).isTrue());
        assertThat(RunFigures.find(figures, Metrics.TTFT.percentile(90)))
                .hasValueSatisfying(f -> assertThat(f.enough()).isFalse());
    }

    @Test
    void everyFigureIsRegistered() {
        List<Figure> figures = RunFigures.of(new RunObservations(WORKED, List.of(), List.of(), SETUP));
        assertThat(figures)
                .allSatisfy(figure -> assertThat(Metrics.find(figure.metric().id())).contains(figure.metric()));
        assertThat(Metrics.all()).extracting(Metric::id).doesNotHaveDuplicates();
    }

    @Test
    void tokensAtOneInstantHaveNoRate() {
        assertThat(valuesOf(List.of(Outcomes.ok(0, 0, 10, 10), Outcomes.ok(1, 0, 10, 20))))
                .containsEntry("tpot_mean", 10.0 * Outcomes.MS).containsEntry("tpot_p99", 10.0 * Outcomes.MS)
                .containsEntry("interactivity_mean", 100.0);
        assertThat(valuesOf(List.of(Outcomes.ok(0, 0, 10, 10)))).doesNotContainKeys("tpot_mean", "interactivity_mean");
    }

    /// A proxy that releases five events at a time; the truth is 20 ms a token.
    @Test
    void eventsAtOneInstantAreOneEvent() {
        List<RequestOutcome> requests = IntStream.range(0, 3)
                .mapToObj(i -> Outcomes.chunked(i, 10L * i, 10, 100, 100, 100, 100, 100, 200, 200, 200, 200, 200))
                .toList();
        Map<String, Double> values = RunFigures.of(new RunObservations(requests, List.of(), List.of(), SETUP)).stream()
                .collect(Collectors.toMap(figure -> figure.metric().id(), Figure::value));
        assertThat(values).doesNotContainKey("itl_p50").containsEntry("tpot_p50", 20.0 * Outcomes.MS)
                .containsEntry("inter_chunk_p50", 100.0 * Outcomes.MS)
                .containsEntry("inter_chunk_p99", 100.0 * Outcomes.MS);
        assertThat(requests.getFirst().tpotNanos()).hasValue(20.0 * Outcomes.MS);
        assertThat(LatencyFigures.togetherShare(RequestColumns.of(requests))).isEqualTo(8 / 9.0);
        // All at one instant: no rate can be told.
        RequestOutcome whole = Outcomes.chunked(9, 0, 3, 100, 100, 100);
        assertThat(whole.tpotNanos()).isEmpty();
        assertThat(RequestColumns.of(List.of(whole)).tpotNanos(0)).isEmpty();
    }

    /// The same server, whose five events of a time are read one after the other within 0.2 ms.
    @Test
    void eventsThatFollowAtOnceAreOneEvent() {
        long[] nanos =
                IntStream.range(0, 20).mapToLong(i -> 100 * Outcomes.MS * (1 + i / 5) + 50_000L * (i % 5)).toArray();
        RequestOutcome bursts = new RequestOutcome(new RequestId(0), false, 10, 20, 0, 0, RequestOutcome.ABSENT,
                RequestOutcome.ABSENT, 500 * Outcomes.MS, RequestStatus.OK, "", nanos, 20, TokenSource.SERVER_USAGE);
        Map<String, Double> values = valuesOf(List.of(bursts));
        assertThat(values).doesNotContainKey("itl_p50");
        assertThat(values.get("tpot_p50")).isBetween(20.0 * Outcomes.MS, 20.1 * Outcomes.MS);
        assertThat(values.get("inter_chunk_p50")).isBetween(99.7 * Outcomes.MS, 100.0 * Outcomes.MS);
        assertThat(bursts.tpotNanos()).hasValue(values.get("tpot_p50"));
    }

    /// A run that was stopped: what was not sent has no part in the window.
    @Test
    void requestsThatWereNotSentDoNotMoveTheRateWindow() {
        List<RequestOutcome> sent = List.of(Outcomes.ok(0, 0, 99), Outcomes.ok(1, 0, 99), Outcomes.ok(2, 100, 199),
                Outcomes.ok(3, 100, 199), Outcomes.ok(4, 200, 299), Outcomes.ok(5, 200, 299));
        RequestOutcome unsent = Outcomes.without(Outcomes.ended(6, RequestStatus.CANCELLED), true, true);
        Optional<RunWindow> window = RateWindow.of(RequestColumns.of(sent), LoadKind.closed(2));
        assertThat(window).contains(new RunWindow(99 * Outcomes.MS + 1, 299 * Outcomes.MS + 1));
        assertThat(RateWindow.of(RequestColumns.of(Stream.concat(sent.stream(), Stream.of(unsent)).toList()),
                LoadKind.closed(2))).isEqualTo(window);
    }
}
